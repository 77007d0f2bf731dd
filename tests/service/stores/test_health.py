"""Stores that cannot keep their promise: Redis that evicts, is full, read-only or writes to no disk; half games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.stores import redis_health
from service.stores.contract import Done, GameStore, NewGame
from service.stores.errors import Lost, NotFound, Refuses, StoreUnavailable, Unsafe
from service.stores.redis_health import Health
from service.stores.redis_store import RedisStore
from tests.servers import Server, cluster, running, server_or_skip
from tests.service.stores.conftest import Ground, redis_ground
from tests.service.stores.games import NEW, asked, change, create, play

EVICTING = ("allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl")


@pytest.fixture(scope="module", params=["redis", "redis-6.2", "valkey"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(request.param), tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture
def ground(server: Server) -> Iterator[Ground]:
    server.ask("FLUSHALL")
    found = redis_ground(server.url)
    yield found
    found.close()


@contextmanager
def configured(server: Server, **settings: str) -> Iterator[None]:
    with server.client() as client:
        named = {name.replace("_", "-"): value for name, value in settings.items()}
        before = {name: client.config_get(name)[name] for name in named}
        for name, value in named.items():
            client.config_set(name, value)
        yield
        for name, value in before.items():
            client.config_set(name, value)


def codes(store: GameStore) -> set[str]:
    return {notice.code for notice in store.ready()}


@pytest.mark.parametrize("policy", EVICTING)
def test_a_server_that_evicts_gets_no_game_and_no_change(server: Server, ground: Ground, policy: str) -> None:
    id = create(ground.store())
    with configured(server, maxmemory_policy=policy):
        store = ground.store()
        for call in (
            lambda: create(store),
            lambda: play(store, id, 1),
            lambda: store.grant(id, "0", "cc", asked("g"), b""),
            store.ready,
        ):
            with pytest.raises(Unsafe, match=f"maxmemory-policy is {policy}. Set it to noeviction"):
                call()
        assert store.load(id).version == 1
        assert [entry.version for entry in store.events(id, 0, 9).entries] == [1]
        assert [game.id for game in store.games("app", None, None, 9).games] == [id]
        store.delete(id)
    assert isinstance(ground.store().create("app", NEW, asked("k"), b""), Done)


def test_a_full_server_that_evicts_loses_nothing_that_was_acknowledged(server: Server, ground: Ground) -> None:
    store, big = ground.store(), NewGame(info=b"i", blob=b"x" * 20_000, events=b"[]", tokens={})
    ids = [create(store, new=big) for _ in range(50)]
    full = str(server.client().info("memory")["used_memory"] - 200_000)
    with configured(server, maxmemory=full, maxmemory_policy="allkeys-lru"):
        later = ground.store()
        for number in range(200):
            with pytest.raises(Unsafe):
                create(later, new=big) if number % 2 else play(later, ids[number % 50], 1)


def test_a_policy_that_changes_is_noticed_at_the_next_connection(server: Server, ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    with configured(server, maxmemory_policy="allkeys-lfu"):
        with server.client() as client:
            client.client_kill_filter(_type="normal", skipme=True)
        with pytest.raises(Unsafe):
            play(store, id, 1)
    store.ready()  # looks again
    assert store.load(id).version in (1, 2)


def test_a_policy_that_changes_is_noticed_within_the_interval(
    server: Server, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_health, "INTERVAL_SECONDS", 0.0)
    store = ground.store()
    id = create(store)
    with configured(server, maxmemory_policy="allkeys-lfu"), pytest.raises(Unsafe):
        play(store, id, 1)
    assert isinstance(play(store, id, 1), Done)


def test_accepted_loss_is_said_and_every_change_taken(server: Server) -> None:
    health = Health(accept_loss=True)
    ground = Ground(lambda life: RedisStore(server.url, lifetimes=life, health=health))
    with configured(server, maxmemory_policy="allkeys-lru"), capture_logs() as logs:
        store = ground.store()
        assert isinstance(play(store, create(store), 1), Done)
        assert codes(store) == {"accepted_loss", "not_persistent"}
    told = [line["reason"] for line in logs if line.get("notice") == "accepted_loss"]
    assert len(told) == 1
    assert "its maxmemory-policy is allkeys-lru" in told[0]
    ground.close()


def test_a_server_that_writes_to_no_disk_is_warned_of(server: Server, ground: Ground) -> None:
    store = ground.store()
    with capture_logs() as logs:
        assert codes(store) == {"not_persistent"}
        assert codes(store) == {"not_persistent"}
    assert [line["notice"] for line in logs] == ["not_persistent"]  # once, not with every look
    with configured(server, save="60 1"):
        assert codes(store) == set()
    with configured(server, appendonly="yes"):
        assert codes(store) == set()


def test_what_a_server_does_not_say_is_no_reason_to_refuse(server: Server, ground: Ground) -> None:
    url = f"redis://guest:word@127.0.0.1:{server.port}/0"
    server.ask("ACL", "SETUSER", "guest", "on", ">word", "~*", "+@all", "-info", "-config")
    store = redis_ground(url).store()
    assert isinstance(play(store, create(store), 1), Done)
    assert codes(store) == {"unknown_policy", "unknown_persistence"}
    server.ask("ACL", "SETUSER", "guest", "+info")
    assert codes(store) == {"unknown_persistence"}
    store.close()
    server.ask("ACL", "DELUSER", "guest")


@pytest.mark.parametrize(("name", "value"), [("maxmemory", "1000"), ("min_replicas_to_write", "1")])
def test_a_server_that_takes_no_writes_is_not_ready_and_says_why(
    server: Server, ground: Ground, name: str, value: str
) -> None:
    store = ground.store()
    with configured(server, **{name: value}), pytest.raises(Refuses, match=r"^Redis takes no changes: "):
        store.ready()
    store.ready()


def test_a_replica_is_not_ready(server: Server, ground: Ground, tmp_path: Path) -> None:
    store = ground.store()
    server.ask("REPLICAOF", "127.0.0.1", "1")
    try:
        with pytest.raises(Refuses, match="read only replica"):
            store.ready()
    finally:
        server.ask("REPLICAOF", "NO", "ONE")


def test_a_full_server_leaves_no_game_half_written(server: Server, ground: Ground) -> None:
    """A script is refused by its first write or not at all: memory is looked at once, when it starts."""
    store = ground.store()
    used = int(server.client().info("memory")["used_memory"])
    versions: dict[str, int] = {}
    refused = 0
    # Wide enough that what Redis takes for itself meanwhile (buffers of callers, scripts) does not fill it.
    with configured(server, maxmemory=str(used + 1_000_000)):
        for number in range(400):
            try:
                id = store.create("app", NewGame(b"i", b"x" * 3_000, b"[]", {}), asked(str(number)), b"a" * 500).id
                versions[id] = 1
                store.commit(id, 1, change("y" * 2_000), asked("m"), b"")
                versions[id] = 2
            except StoreUnavailable:
                refused += 1
    assert refused > 50
    assert len(versions) > 20
    for id, version in versions.items():
        assert store.load(id).version == version
        assert [entry.version for entry in store.events(id, 0, 9).entries] == list(range(1, version + 1))
    for number in range(400):  # what was refused left nothing in the way
        store.create("app", NewGame(b"i", b"x" * 3_000, b"[]", {}), asked(str(number)), b"")
    with server.client() as client:
        assert len(client.keys("*:game")) == 400


def test_one_node_of_a_cluster_that_evicts_is_enough(tmp_path: Path) -> None:
    with cluster(server_or_skip(), tmp_path) as servers:
        url = f"redis+cluster://127.0.0.1:{servers[0].port}"
        ground = redis_ground(url)
        store = ground.store()
        assert codes(store) == {"not_persistent"}
        servers[1].ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        with pytest.raises(Unsafe):
            store.ready()
        for _ in range(6):
            with pytest.raises(Unsafe):
                create(store)
        servers[1].ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        servers[2].ask("CONFIG", "SET", "maxmemory", "1000")
        with pytest.raises(Refuses):
            ground.store().ready()
        ground.close()


class Half:
    """A game that has lost one of its keys."""

    def __init__(self, server: Server, store: GameStore) -> None:
        self.id = store.create("app", NEW, asked("made"), b"").id
        store.commit(self.id, 1, change("state 2"), asked("two"), b"answer")
        self._client = server.client()

    def lose(self, part: str) -> None:
        (key,) = self._client.keys(f"*{self.id}*:{part}")
        self._client.delete(key)


@pytest.fixture
def half(server: Server, ground: Ground) -> Half:
    return Half(server, ground.store())


def test_a_game_without_its_log_takes_no_move(ground: Ground, half: Half) -> None:
    store = ground.store()
    half.lose("events")
    for call in (lambda: play(store, half.id, 2), lambda: store.events(half.id, 0, 9)):
        with pytest.raises(Lost):
            call()
    assert store.load(half.id).version == 2  # what is left is shown
    again = store.commit(half.id, 1, change("x"), asked("two"), b"")
    assert not isinstance(again, Done)  # it had been made
    store.delete(half.id)
    with pytest.raises(NotFound):
        store.load(half.id)


def test_a_game_whose_log_was_begun_anew_takes_no_move(server: Server, ground: Ground, half: Half) -> None:
    half.lose("events")
    with server.client() as client:
        (key,) = [name.replace(b":game", b":events") for name in client.keys(f"*{half.id}*:game")]
        client.xadd(key, {"at": 1, "events": "[]"}, id="2-0")
    for call in (lambda: play(ground.store(), half.id, 2), lambda: ground.store().events(half.id, 0, 9)):
        with pytest.raises(Lost):
            call()


@pytest.mark.parametrize("parts", [("game",), ("game", "requests", "times")])
def test_what_is_left_of_a_game_is_never_taken_for_a_new_one(
    server: Server, ground: Ground, half: Half, parts: tuple[str, ...]
) -> None:
    for part in parts:
        half.lose(part)
    store = ground.store()
    with pytest.raises(NotFound):
        play(store, half.id, 2)
    again = store.create("app", NEW, asked("made"), b"")
    assert isinstance(again, Done) == ("requests" in parts)
    if isinstance(again, Done):
        assert again.id != half.id
        assert [entry.version for entry in store.events(again.id, 0, 9).entries] == [1]


def test_a_server_that_is_away_is_no_reason_to_look_no_more(server: Server) -> None:
    store = redis_ground("redis://127.0.0.1:1/0").store()
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            create(store)

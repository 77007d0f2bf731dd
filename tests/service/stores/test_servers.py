"""Redis in trouble of its own: full, refusing, forgetful, in parts. And what stands in it when all is well."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.connection import SSLConnection
from redis.crc import key_slot

from service.stores import redis_index
from service.stores.contract import Done, GameStore, Request
from service.stores.errors import StoreUnavailable
from service.stores.redis_client import RedisClient
from tests.servers import Server, cluster, running, server_or_skip
from tests.service.stores.conftest import Ground, redis_ground
from tests.service.stores.games import NEW, all_ids, asked, change, create, play


@pytest.fixture(scope="module", params=["redis", "redis-6.2", "valkey"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(request.param), tmp_path_factory.mktemp("redis"), "requirepass secret") as started:
        yield started


@pytest.fixture
def ground(server: Server) -> Iterator[Ground]:
    server.ask("FLUSHALL")
    found = redis_ground(f"redis://:secret@127.0.0.1:{server.port}/0")
    yield found
    found.close()


@pytest.fixture
def store(ground: Ground) -> GameStore:
    return ground.store()


@contextmanager
def configured(server: Server, name: str, value: str) -> Iterator[None]:
    with server.client() as client:
        before = client.config_get(name)[name]
        client.config_set(name, value)
        yield
        client.config_set(name, before)


@pytest.mark.parametrize(("name", "value"), [("maxmemory", "1000"), ("min-replicas-to-write", "1")])
def test_a_store_that_takes_no_writes_says_so_and_changes_nothing(
    server: Server, store: GameStore, name: str, value: str
) -> None:
    id = create(store)
    with configured(server, name, value):
        calls = (
            lambda: play(store, id, 1),
            lambda: store.grant(id, "0", "cc", Request.fresh(), b""),
            lambda: create(store),
        )
        for call in calls:
            started = time.monotonic()
            with pytest.raises(StoreUnavailable):
                call()
            assert time.monotonic() - started < 1.0
        assert store.load(id).tokens == NEW.tokens
        assert store.load(id).version == 1
    assert isinstance(play(store, id, 1), Done)
    assert [entry.version for entry in store.events(id, 0, 9).entries] == [1, 2]
    assert len(all_ids(store, "app")) == 1


def test_a_lost_script_cache_is_no_matter(server: Server, store: GameStore) -> None:
    id = create(store)
    server.ask("SCRIPT", "FLUSH")
    assert isinstance(play(store, id, 1), Done)


def test_a_wrong_password_is_no_store(server: Server) -> None:
    ground = redis_ground(f"redis://:wrong@127.0.0.1:{server.port}/0")
    with pytest.raises(StoreUnavailable):
        ground.store().ready()
    ground.close()


def test_a_game_is_four_keys_in_one_slot_that_all_end(server: Server, ground: Ground) -> None:
    store = ground.store(live=10_000, tombstone=20_000, answers=5_000, over=40_000)
    id = create(store)
    store.grant(id, "0", "cc", asked("g"), b"")
    with server.client() as client:
        keys = sorted(key.decode() for key in client.keys(f"*{id}*"))
        assert [key.rsplit(":")[-1] for key in keys] == ["events", "game", "requests", "times"]
        assert len({key_slot(key.encode()) for key in keys}) == 1
        left = {key.rsplit(":")[-1]: client.pttl(key) / 1000 for key in keys}
        assert left == {part: pytest.approx(30, abs=1) for part in left}
        play(store, id, 1, "over")
        assert client.pttl(keys[0]) / 1000 == pytest.approx(60, abs=1)
        store.delete(id)
        rest = client.keys(f"*{id}*")
        assert sorted(key.decode().rsplit(":")[-1] for key in rest) == ["game", "requests", "times"]
        assert all(client.pttl(key) / 1000 == pytest.approx(5, abs=1) for key in rest)


def test_old_answers_are_removed(server: Server, ground: Ground) -> None:
    store = ground.store(answers=200)
    id = create(store)
    for version in range(1, 21):
        store.commit(id, version, change("a"), asked(f"k{version}"), b"")
    time.sleep(0.3)
    for version in range(21, 25):
        play(store, id, version)
    with server.client() as client:
        (requests,) = client.keys(f"*{id}*:requests")
        (times,) = client.keys(f"*{id}*:times")
        assert (client.hlen(requests), client.zcard(times)) == (5, 5)  # the create's, of no key, and the last four


def test_the_index_forgets_what_is_gone_where_nobody_lists(
    server: Server, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_index, "GRACE", 0)
    store = ground.store(live=1, tombstone=1)
    for _ in range(300):
        create(store, "busy")
    with server.client() as client:
        assert sum(client.zcard(index) for index in client.keys("*{games:busy}:[lo]*")) < 150


def test_an_entry_whose_game_never_came_is_passed_over_and_later_removed(
    server: Server, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [create(store) for _ in range(3)]
    with server.client() as client:
        (index,) = client.keys("*{games:app}:live")
        client.zadd(index, {"f" * 32: client.zscore(index, ids[1]) + 1})
        assert all_ids(store, "app", limit=1) == ids[::-1]
        assert client.zcard(index) == 4
        monkeypatch.setattr(redis_index, "GRACE", 0)
        assert all_ids(store, "app") == ids[::-1]
        assert client.zcard(index) == 3


@pytest.mark.parametrize(
    "url", ["", "http://a", "redis+other://a", "redis+sentinel://a:1", "redis+cluster://", "redis+cluster://a:x"]
)
def test_an_address_that_says_nothing_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        redis_ground(url).store()


def test_a_cluster_with_a_hole_answers_in_time_and_recovers(tmp_path: Path) -> None:
    with cluster(server_or_skip(), tmp_path) as servers:
        ground = redis_ground(f"redis+cluster://127.0.0.1:{servers[0].port},127.0.0.1:{servers[1].port}")
        store = ground.store()
        versions = {create(store): 1 for _ in range(6)}
        servers[2].kill()
        refused = 0
        killed = time.monotonic()
        while refused < 10:  # first by the line to the node, then by the others, who say CLUSTERDOWN
            assert time.monotonic() - killed < 20.0
            for id in versions:
                started = time.monotonic()
                try:
                    play(store, id, versions[id])
                    versions[id] += 1
                except StoreUnavailable:
                    refused += 1
                assert time.monotonic() - started < 3.0
        servers[2].start()
        started = time.monotonic()
        while not _creates(store, 6):
            assert time.monotonic() - started < 5.0
        ground.close()


def _creates(store: GameStore, number: int) -> bool:
    try:
        return len([create(store) for _ in range(number)]) == number
    except StoreUnavailable:
        return False


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_sentinels_are_asked_the_way_the_primary_is(scheme: str) -> None:
    """Their password would else go over the line in the clear."""
    url = f"{scheme}+sentinel://user:secret@127.0.0.1:1/m?sentinel_password=other&ssl_ca_certs=ca.pem"
    primary = RedisClient(url).client().connection_pool
    for pool in (primary, *(sentinel.connection_pool for sentinel in primary.sentinel_manager.sentinels)):
        assert issubclass(pool.connection_class, SSLConnection) == (scheme == "rediss")
        assert pool.connection_kwargs.get("ssl_ca_certs") == ("ca.pem" if scheme == "rediss" else None)

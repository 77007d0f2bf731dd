"""A line that loses replies, hangs or breaks, between the service and a Redis that is well."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from service.stores import redis_client
from service.stores.contract import Done, GameStore, Known, Request, Seen
from service.stores.errors import NotFound, Stale, StoreUnavailable
from service.stores.redis_index import ENTER
from service.stores.redis_store import CREATE
from tests.proxy import Proxy
from tests.servers import Server, free_port, running, server_or_skip
from tests.service.stores.conftest import Ground, redis_ground
from tests.service.stores.games import NEW, asked, change, create, play


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as started:
        ground = redis_ground(started.url)
        store = ground.store()  # a server that knows the scripts: else the reply that is lost is that it does not
        id = create(store)
        play(store, id, 1)
        store.grant(id, "0", "cc", Request.fresh(), b"")
        store.delete(id)
        ground.close()
        yield started


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with Proxy(server.port) as spoiler:
        yield spoiler


@pytest.fixture
def ground(proxy: Proxy) -> Iterator[Ground]:
    found = redis_ground(proxy.url)
    yield found
    found.close()


@pytest.fixture
def store(ground: Ground) -> GameStore:
    return ground.store()


def test_a_lost_reply_is_no_refusal_though_the_token_was_replaced_since(
    store: GameStore, proxy: Proxy, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was carried out with a good token stands, and whoever asked for it is told."""
    id, key = create(store), asked("k")
    game_key = store._keys(id)[0]
    sleep = time.sleep

    def replace_the_token(seconds: float) -> None:
        server.ask("HSET", game_key, "token:0", "another")
        sleep(seconds)

    monkeypatch.setattr(redis_client.time, "sleep", replace_the_token)
    proxy.drop_replies(1)
    done = store.commit(id, 1, change("a"), key, b"answer", Seen(NEW.info, NEW.blob, ("0", NEW.tokens["0"])))
    assert isinstance(done, Done)
    assert (done.version, proxy.dropped) == (2, 1)
    with pytest.raises(Stale):
        store.commit(id, 1, change("a"), key, b"answer", Seen(NEW.info, NEW.blob, ("0", NEW.tokens["0"])))


def test_a_lost_reply_to_a_commit_is_no_second_move_and_no_conflict(store: GameStore, proxy: Proxy) -> None:
    id = create(store)
    for version, request in ((1, Request.fresh()), (2, asked("k"))):
        proxy.drop_replies(1)
        done = store.commit(id, version, change("a"), request, b"answer")
        assert isinstance(done, Done)
        assert done.version == version + 1
    assert proxy.dropped == 2
    assert [entry.version for entry in store.events(id, 0, 9).entries] == [1, 2, 3]
    assert isinstance(store.commit(id, 2, change("a"), asked("k"), b""), Known)


def test_a_lost_reply_to_a_create_is_no_second_game(store: GameStore, proxy: Proxy) -> None:
    proxy.drop_replies(1, to=ENTER.sha)
    assert isinstance(store.create("app", NEW, asked("k"), b""), Done)
    proxy.drop_replies(1, to=CREATE.sha)
    assert isinstance(store.create("app", NEW, Request.fresh(), b""), Done)
    proxy.drop_replies(1, to=CREATE.sha)
    assert isinstance(store.create("app", NEW, asked("l"), b""), Done)
    assert proxy.dropped == 3
    assert len(store.games("app", None, None, 9).games) == 3


def test_a_lost_reply_to_a_grant_or_a_delete_is_none(store: GameStore, proxy: Proxy) -> None:
    id = create(store)
    proxy.drop_replies(1)
    assert isinstance(store.grant(id, "0", "cc", Request.fresh(), b""), Done)
    proxy.drop_replies(1)
    store.delete(id)
    assert proxy.dropped == 2
    with pytest.raises(NotFound):
        store.load(id)


def test_a_move_whose_replies_are_all_lost_is_known_when_sent_again(store: GameStore, proxy: Proxy) -> None:
    id = create(store)
    proxy.drop_replies(3)
    with pytest.raises(StoreUnavailable):
        store.commit(id, 1, change("a"), asked("k"), b"answer")
    again = store.commit(id, 1, change("a"), asked("k"), b"answer")
    assert isinstance(again, Known)
    assert (again.answer.version, again.answer.data, store.load(id).version) == (2, b"answer", 2)


def test_a_hanging_store_is_given_up_in_time_and_used_again(store: GameStore, proxy: Proxy) -> None:
    id = create(store)
    proxy.hang(True)
    for call in (lambda: play(store, id, 1), lambda: store.load(id), lambda: store.events(id, 0, 9), store.ready):
        started = time.monotonic()
        with pytest.raises(StoreUnavailable):
            call()
        assert time.monotonic() - started < 3.0
    proxy.hang(False)
    started = time.monotonic()
    version = store.load(id).version
    try:
        done = play(store, id, version)
    except Stale:  # the move that was given up has arrived only now
        assert version == 1
        done = play(store, id, 2)
    assert isinstance(done, Done)
    assert time.monotonic() - started < 5.0


def test_a_store_that_hangs_for_two_seconds_makes_the_move_once(server: Server, ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    server.pause(2.0)
    results: list[Done | Known] = []
    started = time.monotonic()
    while not results:
        attempt = time.monotonic()
        try:
            results.append(store.commit(id, 1, change("a"), asked("k"), b""))
        except StoreUnavailable:
            assert time.monotonic() - attempt < 3.0
    assert time.monotonic() - started < 5.0
    assert store.load(id).version == 2


def test_broken_connections_are_replaced_unseen(store: GameStore, proxy: Proxy) -> None:
    id = create(store)
    for version in range(1, 5):
        proxy.cut()
        assert isinstance(play(store, id, version), Done)


def test_nobody_there_is_said_at_once() -> None:
    port = free_port()
    for url in (
        f"redis://127.0.0.1:{port}",
        f"redis+cluster://127.0.0.1:{port}",
        f"redis+sentinel://127.0.0.1:{port}/cards",
    ):
        ground = redis_ground(url)
        started = time.monotonic()
        with pytest.raises(StoreUnavailable):
            ground.store().ready()
        with pytest.raises(StoreUnavailable):
            create(ground.store())
        assert time.monotonic() - started < 3.0
        ground.close()

"""`durable`: nothing is acknowledged before a replica has it. And a primary found by Sentinel is followed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from service.stores.contract import Done, Known, Request
from service.stores.errors import NotDurable, StoreUnavailable
from tests.servers import Pair, sentinel_pair, server_or_skip
from tests.service.stores.conftest import Ground, redis_ground
from tests.service.stores.games import NEW, asked, change, confirmed, create, play


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with sentinel_pair(server_or_skip(), tmp_path_factory.mktemp("pair")) as started:
        yield started


@pytest.fixture
def ground(pair: Pair) -> Iterator[Ground]:
    found = redis_ground(pair.url, replicas=1)
    yield found
    found.close()


def test_what_no_replica_has_is_not_acknowledged_and_no_replay_of_it(pair: Pair, ground: Ground) -> None:
    store = ground.store()
    id = confirmed(lambda: store.create("app", NEW, asked("first"), b"")).id
    with pair.replica().stopped():
        for again in (store, ground.store()):  # another connection has written nothing that WAIT could ask about
            started = time.monotonic()
            with pytest.raises(NotDurable):
                again.commit(id, 1, change("a"), asked("k"), b"answer")
            with pytest.raises(NotDurable):
                again.load(id, [asked("k").key])
            assert time.monotonic() - started < 3.0
        assert store.load(id, [asked("unknown").key]).version == 2  # reading needs no replica
    known = confirmed(lambda: store.commit(id, 1, change("a"), asked("k"), b""))
    assert isinstance(known, Known)
    assert (known.answer.version, known.answer.data) == (2, b"answer")
    assert confirmed(lambda: store.load(id, [asked("k").key])).answers == {asked("k").key: known.answer}


def test_a_create_or_grant_that_no_replica_has_is_not_acknowledged(pair: Pair, ground: Ground) -> None:
    store = ground.store()
    id = confirmed(lambda: store.create("app", NEW, asked("first"), b"")).id
    with pair.replica().stopped():
        with pytest.raises(NotDurable):
            store.grant(id, "0", "cc", Request.fresh(), b"")
        with pytest.raises(NotDurable):
            store.create("durable", NEW, asked("k"), b"")
    confirmed(lambda: store.create("durable", NEW, asked("k"), b""))
    assert len(store.games("durable", None, None, 9).games) == 1


def test_too_few_replicas_at_all(pair: Pair) -> None:
    ground = redis_ground(pair.url, replicas=2)
    with pytest.raises(NotDurable):
        create(ground.store())
    ground.close()


def test_a_lost_script_cache_is_no_matter(pair: Pair, ground: Ground) -> None:
    store = ground.store()
    id = confirmed(lambda: store.create("app", NEW, asked("second"), b"")).id
    pair.primary().ask("SCRIPT", "FLUSH")
    confirmed(lambda: store.commit(id, 1, change("a"), asked("k"), b""))
    assert store.load(id).version == 2


def test_a_replica_is_not_written_to(pair: Pair) -> None:
    ground = redis_ground(pair.replica().url)
    with pytest.raises(StoreUnavailable):
        create(ground.store())
    ground.close()


def test_the_new_primary_is_found(pair: Pair) -> None:
    ground = redis_ground(pair.url)
    store = ground.store()
    id = create(store)
    while True:  # until the replica has it: this store does not wait for that
        with pair.replica().client() as client:
            if any(id.encode() in key for key in client.keys("*")):
                break
    lost = pair.primary()
    lost.kill()
    stopped = threading.Event()
    waits = []
    while not stopped.is_set():
        started = time.monotonic()
        try:
            assert isinstance(play(store, id, 1), Done)
            stopped.set()
        except StoreUnavailable:
            waits.append(time.monotonic() - started)
            assert sum(waits) < 30
    assert max(waits, default=0.0) < 3.0
    assert store.load(id).version == 2
    pair.start_as_replica(lost)
    ground.close()

"""What every store promises of requests: each is carried out at most once, whatever is sent again or at the same time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.stores.contract import Done, GameStore, Known, Request, answered
from service.stores.errors import KeyReused, NotFound, Stale
from tests.service.stores.conftest import Ground
from tests.service.stores.games import BINARY, NEW, all_ids, asked, change, create, play


def test_a_repeated_commit_is_answered_and_not_repeated(store: GameStore) -> None:
    id = create(store)
    first = store.commit(id, 1, change("a"), asked("k"), BINARY)
    play(store, id, 2)
    for version in (1, 2, 3):  # the version is not part of the comparison
        again = store.commit(id, version, change("a"), asked("k"), b"another answer")
        assert isinstance(again, Known)
        assert (again.answer.version, again.answer.at, again.answer.data) == (
            2,
            first.at if isinstance(first, Done) else 0,
            BINARY,
        )
    assert store.load(id).version == 3


def test_a_known_answer_comes_with_the_game(store: GameStore) -> None:
    id = create(store)
    store.commit(id, 1, change("a"), asked("k"), BINARY)
    answers = store.load(id, [asked("unknown").key, asked("k").key]).answers
    assert set(answers) == {asked("k").key}
    known = answered(answers[asked("k").key], asked("k"))
    assert (known.version, known.data) == (2, BINARY)
    with pytest.raises(KeyReused):
        answered(known, asked("k", b"other"))


def test_a_key_with_another_body_is_refused_before_the_version_is_looked_at(store: GameStore) -> None:
    id = create(store)
    store.commit(id, 1, change("a"), asked("k"), b"")
    for version in (1, 2):
        with pytest.raises(KeyReused):
            store.commit(id, version, change("b"), asked("k", b"other"), b"")
    assert store.load(id).version == 2


def test_keys_of_different_scopes_do_not_meet(store: GameStore) -> None:
    id, other = create(store), create(store)
    store.commit(id, 1, change("a"), asked("k", b"x", ("move", "seat 0")), b"zero")
    assert isinstance(store.commit(id, 2, change("b"), asked("k", b"y", ("move", "seat 1")), b"one"), Done)
    assert isinstance(store.commit(other, 1, change("c"), asked("k", b"z", ("move", "seat 0")), b"two"), Done)
    assert asked("k", scope=("ab", "c")).key != asked("k", scope=("a", "bc")).key


def test_a_refused_commit_leaves_its_key_free(store: GameStore) -> None:
    id = create(store)
    with pytest.raises(Stale):
        store.commit(id, 7, change("a"), asked("k"), b"")
    assert isinstance(store.commit(id, 1, change("a"), asked("k", b"other"), b""), Done)


def test_a_repeated_create_finds_the_same_game(ground: Ground) -> None:
    first = ground.store().create("app", NEW, asked("k"), BINARY)
    again = ground.store().create("app", NEW, asked("k"), b"another answer")
    assert isinstance(first, Done)
    assert isinstance(again, Known)
    assert (again.id, again.answer.data, again.answer.version, again.answer.at) == (first.id, BINARY, 1, first.at)
    assert all_ids(ground.store(), "app") == [first.id]
    with pytest.raises(KeyReused):
        ground.store().create("app", NEW, asked("k", b"other"), b"")
    other = ground.store().create("another app", NEW, asked("k", b"other"), b"")
    assert other.id != first.id


def test_creates_at_the_same_moment_make_one_game(ground: Ground) -> None:
    stores = [ground.store() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda store: store.create("app", NEW, asked("k"), b"first"), stores))
    assert len({result.id for result in results}) == 1
    assert sorted(type(result).__name__ for result in results) == ["Done"] + ["Known"] * 7
    assert len(all_ids(stores[0], "app")) == 1


def test_a_repeated_create_is_answered_even_if_the_game_was_deleted(store: GameStore) -> None:
    id = store.create("app", NEW, asked("k"), b"created").id
    store.delete(id)
    for _ in range(3):
        create(store, "another app")  # each removes some of what may go
    again = store.create("app", NEW, asked("k"), b"")
    assert isinstance(again, Known)
    assert again.answer.data == b"created"
    with pytest.raises(NotFound):
        store.load(id)
    assert all_ids(store, "app") == []


def test_a_forgotten_key_makes_a_new_game_beside_the_old_one(ground: Ground) -> None:
    early, store = ground.store(answers=200), ground.store()
    first = early.create("app", NEW, asked("k"), b"")
    early.commit(first.id, 1, change("a"), asked("m"), b"")
    time.sleep(0.25)
    assert store.load(first.id, [asked("m").key]).answers == {}
    second = store.create("app", NEW, asked("k", b"other"), b"")
    assert isinstance(second, Done)
    assert second.id != first.id
    assert isinstance(store.create("app", NEW, asked("k", b"other"), b""), Known)
    assert isinstance(store.commit(first.id, 2, change("b"), asked("m", b"other"), b""), Done)
    assert all_ids(store, "app") == [second.id, first.id]


def test_a_retry_finds_the_second_game_of_a_key_when_the_first_is_gone(ground: Ground) -> None:
    early = ground.store(answers=300, live=350, tombstone=50)
    early.create("app", NEW, asked("k"), b"")
    time.sleep(0.32)
    later = ground.store(answers=60_000)
    second = later.create("app", NEW, asked("k"), b"")  # the first one's answer is forgotten, the game still there
    assert isinstance(second, Done)
    time.sleep(0.2)  # now the first one is past its tombstone
    for _ in range(9):
        play(later, create(later), 1)  # each removes some of what may go
    again = later.create("app", NEW, asked("k"), b"")
    assert isinstance(again, Known)
    assert again.id == second.id


def test_many_at_one_version_let_exactly_one_through(ground: Ground) -> None:
    stores = [ground.store() for _ in range(4)]
    id = create(stores[0])
    clients, rounds = 16, 10
    with ThreadPoolExecutor(clients) as pool:
        for version in range(1, rounds + 1):
            results = list(pool.map(lambda i, v=version: _attempt(stores[i % 4], id, v, i), range(clients)))
            winners = [result for result in results if result is not None]
            assert len(winners) == 1
            assert stores[0].load(id).blob == f"{version} by {winners[0]}".encode()
    log = stores[0].events(id, 0, 999).entries
    assert [entry.version for entry in log] == list(range(1, rounds + 2))


def _attempt(store: GameStore, id: str, version: int, client: int) -> int | None:
    try:
        done = store.commit(id, version, change(f"{version} by {client}"), Request.fresh(), b"")
    except Stale:
        return None
    assert isinstance(done, Done)
    return client


def test_one_request_sent_many_times_at_once_is_done_once(ground: Ground) -> None:
    stores = [ground.store() for _ in range(4)]
    id = create(stores[0])
    with ThreadPoolExecutor(12) as pool:
        for version in range(1, 8):
            request = asked(f"k{version}")
            send = lambda i, v=version, r=request: stores[i % 4].commit(id, v, change(f"{v}"), r, f"{v}".encode())  # noqa: E731
            results = list(pool.map(send, range(12)))
            assert sum(isinstance(result, Done) for result in results) == 1
            known = [result.answer for result in results if isinstance(result, Known)]
            assert {(answer.version, answer.data) for answer in known} == {(version + 1, f"{version}".encode())}
    assert stores[0].load(id).version == 8

"""What every store promises of reading on: pages of the log, long polls, lists."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.stores.contract import GameStore, Page
from service.stores.errors import NotFound
from tests.service.stores.conftest import Ground
from tests.service.stores.games import all_ids, create, play


def test_the_log_is_read_in_pages(store: GameStore) -> None:
    id = create(store)
    for version in range(1, 8):
        play(store, id, version)
    read: list[int] = []
    while page := store.events(id, read[-1] if read else 0, 3).entries:
        read += [entry.version for entry in page]
    assert read == list(range(1, 9))
    assert store.events(id, 5, 1) == Page(8, store.events(id, 0, 99).entries[5:6])
    assert store.events(id, 8, 9) == Page(8, ())
    assert store.events(id, 2**62, 9) == Page(8, ())


def test_a_waiting_caller_sees_the_next_version_at_once(ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    other = ground.store()

    def play_later() -> float:
        time.sleep(0.3)
        play(other, id, 1)
        return time.monotonic()

    with ThreadPoolExecutor(1) as pool:  # at whose end the move has been answered, before the store is closed
        played = pool.submit(play_later)
        page = store.events(id, 1, 10, wait=20.0)
        seen = time.monotonic()
    assert [entry.version for entry in page.entries] == [2]
    assert seen - played.result() < 1.5


def test_waiting_ends_without_news(store: GameStore) -> None:
    id = create(store)
    started = time.monotonic()
    assert store.events(id, 1, 10, wait=0.4) == Page(1, ())
    assert 0.35 < time.monotonic() - started < 1.5


def test_waiting_ends_when_the_game_or_the_store_does(ground: Ground) -> None:
    store, closing = ground.store(), ground.store()
    id, other = create(store), create(store)
    with ThreadPoolExecutor(2) as pool:
        deleted = pool.submit(store.events, id, 1, 10, 20.0)
        closed = pool.submit(closing.events, other, 1, 10, 20.0)
        time.sleep(0.2)
        ground.store().delete(id)
        closing.close()
        with pytest.raises(NotFound):
            deleted.result(3)
        assert closed.result(3).entries == ()


def test_a_store_that_was_woken_serves_on_and_lets_nobody_wait(ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.events, id, 1, 10, 20.0)
        time.sleep(0.2)
        store.wake()
        assert waiting.result(2) == Page(1, ())
    play(store, id, 1)
    started = time.monotonic()
    assert store.events(id, 2, 10, wait=20.0) == Page(2, ())
    assert time.monotonic() - started < 1.5


def test_one_waiter_too_many_is_answered_at_once(ground: Ground) -> None:
    store = ground.store(waiters=2)
    id = create(store)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(store.events, id, 1, 10, 1.5) for _ in range(2)]
        time.sleep(0.3)
        started = time.monotonic()
        assert store.events(id, 1, 10, wait=1.5) == Page(1, ())
        assert time.monotonic() - started < 0.5
        assert all(future.result().entries == () for future in waiting)
    play(store, id, 1)
    assert store.events(id, 1, 10, wait=1.5).version == 2


def test_live_games_are_counted_by_owner(store: GameStore) -> None:
    for number in range(3):
        create(store, owner=f"owner {number % 2}")
    assert [store.live(f"owner {number}") for number in range(3)] == [2, 1, 0]


def test_games_are_listed_newest_first_by_owner_and_status(store: GameStore) -> None:
    ids = [create(store) for _ in range(7)]
    create(store, "another app")
    play(store, ids[2], 1, "over")
    play(store, ids[5], 1, "over")
    assert all_ids(store, "app") == ids[::-1]
    assert all_ids(store, "app", "over") == [ids[5], ids[2]]
    assert all_ids(store, "app", "live", limit=2) == [ids[i] for i in (6, 4, 3, 1, 0)]
    assert all_ids(store, "nobody") == []
    newest = store.games("app", None, None, 1).games[0]
    game = store.load(ids[6])
    assert newest == type(newest)(*(getattr(game, name) for name in type(newest).__dataclass_fields__))


def test_a_page_of_the_list_is_exact(store: GameStore) -> None:
    ids = [create(store) for _ in range(4)]
    full = store.games("app", None, None, 4)
    assert ([game.id for game in full.games], full.after) == (ids[::-1], None)
    part = store.games("app", None, None, 2)
    store.delete(ids[3])
    create(store)
    assert [game.id for game in store.games("app", None, part.after, 2).games] == [ids[1], ids[0]]

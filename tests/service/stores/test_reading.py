"""What every store promises of reading on: pages of the log, long polls, lists."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from service.stores.contract import GONE, Game, GameStore, Page
from service.stores.errors import Denied, NotFound, Stale
from service.stores.memory import Memory
from service.stores.readers import Holder, Owner
from service.stores.redis_store import RedisStore
from tests.servers import wait_for
from tests.service.stores.conftest import Ground
from tests.service.stores.games import NEW, all_ids, create, play


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


def test_the_log_is_read_by_those_only_who_may_know_of_the_game(store: GameStore) -> None:
    id = create(store)
    assert [store.events(id, 0, 9, by, NEW.info).version for by in (None, Owner("app"), Holder("0", "aa"))] == [1, 1, 1]
    with pytest.raises(NotFound):
        store.events(id, 0, 9, Owner("another"))
    with pytest.raises(Denied):
        store.events(id, 0, 9, Holder("0", "another"))
    with pytest.raises(Stale):
        store.events(id, 0, 9, Owner("app"), b"another game")


def test_what_has_not_changed_is_known_while_every_change_is_heard_of(ground: Ground) -> None:
    """Known or not: never so of a game that has changed, wherever."""
    other, store = ground.store(), ground.store()
    id = create(other)
    store.load(id)
    assert not store.unchanged(id, 1), "nobody listens"
    with listening(store, **{id: 9}):
        assert not store.unchanged(id, 1), "it was read before anyone listened"
        store.load(id)
        known = store.unchanged(id, 1)
        assert known is isinstance(store, RedisStore)
        assert not store.unchanged(id, 2)
        assert not store.unchanged("0" * len(id), 1)
        play(other, id, 1)
        wait_for(lambda: not store.unchanged(id, 1), "news of a move", 1)
        assert not store.unchanged(id, 2), "it was not read since"
        assert store.load(id).version == 2
        assert store.unchanged(id, 2) is known
        play(store, id, 2)
        wait_for(lambda: store.unchanged(id, 3) is known, "its own change", 1)
        other.delete(id)
        wait_for(lambda: not store.unchanged(id, 3), "news of its end", 1)
    assert not store.unchanged(id, 3)


def test_what_was_read_while_nobody_listened_may_have_changed() -> None:
    """A read that begins before a gap, and is noted after it."""
    memory, game = Memory(), Game("id", "owner", 1, "live", 0, 0, None, b"", b"", {}, {}, 0)
    memory.begin_to_hear()
    before = memory.hearing
    memory.note(game, before)
    assert memory.is_last("id", 1)
    memory.hear({"id": 2})
    memory.note(game, before)  # read before the news, noted after it
    assert not memory.is_last("id", 1)
    memory.end_hearing()
    memory.begin_to_hear()
    memory.note(game, before)
    assert not memory.is_last("id", 1)
    memory.note(game, memory.hearing)
    assert memory.is_last("id", 1)
    memory.end_hearing()
    assert not memory.is_last("id", 1)


@contextmanager
def listening(store: GameStore, **watched: int) -> Iterator[dict[str, int]]:
    """What the store tells of these games, from when it surely listens."""
    heard: dict[str, int] = {}

    def told(news: Mapping[str, int] | None) -> None:
        heard.update(news or {})

    listener = threading.Thread(target=store.listen, args=(lambda: watched, told))
    listener.start()
    time.sleep(0.3)
    heard.clear()
    yield heard
    store.close()
    listener.join(5)
    assert not listener.is_alive()


def test_who_listens_is_told_of_each_change_wherever_it_is_made(ground: Ground) -> None:
    other = ground.store()
    id, still, gone = (create(other) for _ in range(3))
    with listening(ground.store(), **{id: 1, still: 1, gone: 1}) as heard:
        play(other, id, 1)
        wait_for(lambda: heard == {id: 2}, "news of a move", 1)
        other.delete(gone)
        wait_for(lambda: heard == {id: 2, gone: GONE}, "news of the end of a game", 1)


def test_what_changed_before_anyone_listened_is_told_as_well(ground: Ground) -> None:
    """Between the look at a game and the wait for its next version it may change."""
    other, store = ground.store(), ground.store()
    id = create(other)
    play(other, id, 1)
    heard: list[Mapping[str, int] | None] = []
    listener = threading.Thread(target=store.listen, args=(lambda: {id: 1}, heard.append))
    listener.start()
    wait_for(lambda: None in heard or {id: 2} in heard, "news")
    store.close()
    listener.join(5)
    assert not listener.is_alive()


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

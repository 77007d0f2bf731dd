"""How much room the games of an owner take: what a store says is the sum over what it holds, whatever has happened."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from service.stores import redis_index, redis_store, room, sqlite_rows
from service.stores.contract import Change, GameStore, Known, NewGame, Request
from service.stores.redis_script import Script
from service.stores.redis_sizes import RedisSizes
from service.stores.redis_store import RedisStore
from service.stores.room import BLOCK, ENTRY, GAME, counted
from tests.servers import Server, running, server_or_skip, wait_for
from tests.service.stores.conftest import Ground, redis_ground, sqlite_ground
from tests.service.stores.games import NEW, asked, change, create, play

OWNERS = ("app", "another app")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as started:
        yield started


def in_file(file: Path, owner: str) -> int:
    """What the file holds of an owner, row by row."""
    with closing(sqlite3.connect(file)) as db:
        total = 0
        for seq, info, blob in db.execute("SELECT seq, info, blob FROM games WHERE owner = ?", [owner]).fetchall():
            rows = [row for (row,) in db.execute("SELECT events FROM events WHERE game = ?", [seq])]
            rows += [row for (row,) in db.execute("SELECT answer FROM requests WHERE game = ?", [seq])]
            total += counted(GAME + len(info) + len(blob) + sum(ENTRY + len(row) for row in rows))
        return total


def in_redis(server: Server, owner: str) -> int:
    """What the server holds of an owner, key by key."""
    with server.client() as client:
        total = 0
        for key in client.keys("*:game"):
            game, base = client.hgetall(key), key.removesuffix(b":game")
            if game[b"owner"].decode() == owner:
                rows = [fields[b"events"] for _, fields in client.xrange(base + b":events")]
                rows += [record.split(b":", 5)[5] for record in client.hvals(base + b":requests")]
                held = len(game.get(b"info", b"")) + len(game.get(b"blob", b""))
                total += counted(GAME + held + sum(ENTRY + len(row) for row in rows))
        return total


@dataclass(frozen=True)
class Place:
    """Where games are kept: what it holds of an owner, and how all of a game is taken away when its time is over."""

    ground: Ground
    held: Callable[[str], int]
    remove: Callable[[str], None]


class Games(RuleBasedStateMachine):
    """Two processes that make, move, end and delete games, and time that goes on."""

    begin: Callable[[], Place]

    def __init__(self) -> None:
        super().__init__()
        self.place = type(self).begin()
        self.stores = (self.place.ground.store(), self.place.ground.store())
        self.games: dict[str, int] = {}
        self.keys = itertools.count()
        self.gone: list[str] = []

    def teardown(self) -> None:
        self.place.ground.close()

    sizes = st.integers(0, 3 * BLOCK)
    numbers = st.integers(0, 99)
    which = st.integers(0, 1)

    def some(self, number: int) -> str:
        return list(self.games)[number % len(self.games)]

    def request(self, again: bool) -> Request:
        return asked(f"k{next(self.keys)}") if again else Request.fresh()

    @rule(store=which, owner=st.sampled_from(OWNERS), blob=sizes, events=sizes, answer=sizes, again=st.booleans())
    def make(self, store: int, owner: str, blob: int, events: int, answer: int, again: bool) -> None:
        new = NewGame(b"info", b"b" * blob, b"e" * events, {"0": "aa"})
        request = self.request(again)
        made = self.stores[store].create(owner, new, request, b"a" * answer).id
        self.stores[1 - store].create(owner, new, request, b"other")
        self.games[made] = 1

    @precondition(lambda self: self.games)
    @rule(store=which, number=numbers, blob=sizes, events=sizes, answer=sizes, over=st.booleans())
    def move(self, store: int, number: int, blob: int, events: int, answer: int, over: bool) -> None:
        id = self.some(number)
        change = Change(b"b" * blob, b"e" * events, "over" if over else "live")
        request = self.request(True)
        for _ in range(2):  # a repeat takes nothing
            self.stores[store].commit(id, self.games[id], change, request, b"a" * answer)
        self.games[id] += 1

    @precondition(lambda self: self.games)
    @rule(store=which, number=numbers, answer=sizes)
    def grant(self, store: int, number: int, answer: int) -> None:
        self.stores[store].grant(self.some(number), "0", "bb", self.request(True), b"a" * answer)

    @precondition(lambda self: self.games)
    @rule(store=which, number=numbers)
    def delete(self, store: int, number: int) -> None:
        id = self.some(number)
        self.stores[store].delete(id)
        del self.games[id]
        self.gone.append(id)

    @precondition(lambda self: self.games or self.gone)
    @rule(number=numbers)
    def end(self, number: int) -> None:
        ids = [*self.games, *self.gone]
        id = ids[number % len(ids)]
        self.place.remove(id)
        self.games.pop(id, None)
        if id in self.gone:
            self.gone.remove(id)

    @invariant()
    def agrees(self) -> None:
        for owner in OWNERS:
            assert self.stores[0].stored(owner) == self.place.held(owner)


def run(place: Callable[[], Place], examples: int) -> None:
    class Here(Games):
        begin = staticmethod(place)

    run_state_machine_as_test(
        Here, settings=settings(max_examples=examples, stateful_step_count=15, deadline=None, database=None)
    )


def keeping(monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    """So many answers of a game are kept."""
    monkeypatch.setattr(sqlite_rows, "ANSWERS", kept)
    monkeypatch.setattr(sqlite_rows, "MANY", 1)
    for name in ("CREATE", "COMMIT", "GRANT"):
        text, many = getattr(redis_store, name).text, "redis.call('ZCARD', times) - "
        assert text.count(f"{many}{room.ANSWERS}") == 1
        monkeypatch.setattr(redis_store, name, Script.of(text.replace(f"{many}{room.ANSWERS}", f"{many}{kept}")))


@pytest.mark.parametrize("kept", [2, room.ANSWERS])
def test_a_file_counts_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    keeping(monkeypatch, kept)
    numbers = itertools.count()

    def place() -> Place:
        folder = tmp_path / str(next(numbers))
        file = folder / "data" / "games.sqlite3"

        def remove(id: str) -> None:
            with closing(sqlite3.connect(file)) as db:
                db.execute("PRAGMA foreign_keys = ON")
                db.execute("DELETE FROM games WHERE id = ?", [id])  # as `remember` does
                db.commit()

        return Place(sqlite_ground(folder), lambda owner: in_file(file, owner), remove)

    run(place, 10)


@pytest.mark.parametrize("kept", [2, room.ANSWERS])
def test_redis_counts_what_it_holds(server: Server, monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    keeping(monkeypatch, kept)

    def place() -> Place:
        server.ask("FLUSHALL")
        client = server.client()

        def remove(id: str) -> None:
            client.delete(*client.keys(f"*{id}*"))  # as Redis does
            for ends in client.keys("*:ends"):  # when that was to be expected
                if client.zscore(ends, id) is not None:
                    client.zadd(ends, {id: 1})

        return Place(redis_ground(server.url), lambda owner: in_redis(server, owner), remove)

    run(place, 20)


def test_a_sum_that_was_not_told_is_put_right(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process died between a change and the sum."""
    server.ask("FLUSHALL")
    ground = redis_ground(server.url)
    store = ground.store()
    ids = [create(store) for _ in range(3)]
    with monkeypatch.context() as patched:
        patched.setattr(RedisSizes, "tell", lambda *_: None)
        for id in ids:
            store.commit(id, 1, change("x" * 3 * BLOCK), Request.fresh(), b"")
        store.delete(ids[2])
    assert store.stored("app") == 3 * BLOCK
    store.commit(ids[0], 2, change("x" * 5 * BLOCK), Request.fresh(), b"")  # the next that changes its blocks
    assert store.stored("app") > 7 * BLOCK
    with server.client() as client:
        (ends,) = client.keys("*:ends")
        client.zadd(ends, dict.fromkeys(ids, 1))  # the next look
    assert store.stored("app") == in_redis(server, "app")
    ground.close()


def test_what_is_told_late_changes_nothing(server: Server) -> None:
    server.ask("FLUSHALL")
    ground = redis_ground(server.url)
    store = ground.store()
    assert isinstance(store, RedisStore)
    id = create(store)
    store.commit(id, 1, change("x" * 5 * BLOCK), Request.fresh(), b"")
    before = store.stored("app")
    store._index.sizes.tell("app", id, 1, BLOCK, 2**52)
    assert store.stored("app") == before == in_redis(server, "app")
    ground.close()


def test_a_create_that_never_came_is_counted_no_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_index, "GRACE", 0)
    server.ask("FLUSHALL")
    ground = redis_ground(server.url)
    store = ground.store()
    assert isinstance(store, RedisStore)
    store._index.enter("app", "f" * 32, 5)
    wait_for(lambda: store.stored("app") == 0, "the sum to be put right")
    with server.client() as client:
        assert not client.keys("*:sizes")
        assert not client.keys("*:ends")
    ground.close()


def test_many_at_once_add_up(ground: Ground) -> None:
    """Each with a store of its own, on games of their own and of all."""
    shared = create(ground.store())
    made: list[str] = []

    def work(store: GameStore) -> None:
        for number in range(6):
            id = create(store, new=replace(NEW, blob=b"b" * (number * BLOCK // 2)))
            made.append(id)
            play(store, id, 1, "over" if number % 2 else "live")
            store.grant(shared, "0", "cc", asked(f"{id}"), b"a" * BLOCK)
            if number % 3 == 0:
                store.delete(id)

    threads = [threading.Thread(target=work, args=[ground.store()]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = ground.store()
    if isinstance(store, RedisStore):  # of several grants of one version the last may have been told first
        store._index.sizes.look("app", [*made, shared])
    assert len(made) == 24
    told = store.stored("app")
    store.delete(shared)
    for game in store.games("app", None, None, 100).games:
        store.delete(game.id)
    assert told > 24 * 2 * BLOCK
    assert store.stored("app") == 25 * BLOCK  # the answers to the creates


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_only_so_many_answers_of_a_game_are_kept(
    kind: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping(monkeypatch, 4)
    ground = sqlite_ground(tmp_path) if kind == "sqlite" else redis_ground(server.url)
    store = ground.store()
    id = store.create("app", NEW, asked("made"), b"").id
    for version in range(1, 21):
        store.commit(id, version, change("x"), asked(f"k{version}"), b"")
    known = store.load(id, [asked(f"k{version}").key for version in range(1, 21)]).answers
    assert 3 <= len(known) <= 5
    assert min(answer.version for answer in known.values()) > 10  # the latest, but for those of one millisecond
    assert isinstance(store.create("app", NEW, asked("made"), b""), Known)
    store.delete(id)
    assert isinstance(store.create("app", NEW, asked("made"), b""), Known)
    ground.close()

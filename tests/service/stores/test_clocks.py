"""Clocks that are set while games go on, forward or back: by hand, by a time server, by a machine that wakes up."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from time import time as wall
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from service.stores import redis_store, sqlite_rows
from service.stores.contract import Done, GameStore, Known
from service.stores.errors import Expired
from service.stores.lifetimes import DAY, HOUR, MINUTE, SECOND, Lifetimes
from service.stores.redis_script import Script
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore
from service.stores.times import LAG, PACE, Settled
from tests.servers import Server, running, server_or_skip
from tests.service.stores.games import NEW, asked, change, create

START = int(wall()) * SECOND  # Redis itself, whose clock stays as it is, removes what it is told to
_numbers = itertools.count()


class Time(Protocol):
    """A store whose clock, and the machine's steady clock beside it, a test sets."""

    store: GameStore

    def set(self, clock: int, passed: int = 0) -> None:
        """The clock jumps to `clock` (milliseconds after the start) while `passed` go by."""


class SqliteTime:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        time = self
        self.clock, self.steady = START, 5 * DAY

        class Clocked(SqliteStore):
            def now(self) -> int:
                return time.clock

        monkeypatch.setattr(sqlite_rows, "ticks", lambda: self.steady)
        self.store: GameStore = Clocked(folder / "games.sqlite3", lifetimes=Lifetimes())

    def set(self, clock: int, passed: int = 0) -> None:
        self.clock, self.steady = START + clock, self.steady + passed


class RedisTime:
    """TIME cannot be set: scripts read a key of the test's in its place."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self._client = server.client()
        self.steady = 5 * DAY
        monkeypatch.setattr(redis_store, "ticks", lambda: self.steady)
        for name in ("CREATE", "COMMIT", "GRANT", "DELETE", "LOAD", "EVENTS", "SETTLED"):
            text = getattr(redis_store, name).text
            assert text.count("redis.call('TIME')") == 1
            monkeypatch.setattr(redis_store, name, Script.of(text.replace("'TIME'", "'LRANGE', 'clock', 0, -1")))
        self.store: GameStore = RedisStore(server.url, lifetimes=Lifetimes(), prefix=f"clocks{next(_numbers)}:")
        self.set(0)

    def set(self, clock: int, passed: int = 0) -> None:
        self.steady += passed
        self._client.delete("clock")
        self._client.rpush("clock", (START + clock) // 1000, 0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture(params=["sqlite", "redis"])
def time(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    found: Time
    if request.param == "sqlite":
        found = SqliteTime(tmp_path, monkeypatch)
    else:
        found = RedisTime(request.getfixturevalue("server"), monkeypatch)
    yield found
    found.store.close()


def test_a_clock_that_is_set_back_moves_a_deadline_with_it(time: Time) -> None:
    """A turn of a minute, of which 20 seconds have passed: it ends at most so much late, not an hour."""
    id = create(time.store)
    time.store.commit(id, 1, change("turn", deadline=START + MINUTE), asked("k"), b"")
    time.set(20_000 - HOUR, passed=20_000)
    game = time.store.load(id)
    assert game.deadline == START + MINUTE - HOUR + 20_000  # moved by what was seen: an hour less the 20 seconds
    time.set(20_000 - HOUR + MINUTE, passed=MINUTE)
    game = time.store.load(id)
    assert game.deadline is not None
    assert game.now >= game.deadline
    assert isinstance(time.store.commit(id, 2, change("next"), asked("l"), b""), Done)


def test_a_clock_that_is_set_back_lets_a_game_live_as_long_as_it_should(time: Time) -> None:
    id = create(time.store)
    time.set(-10 * DAY)
    assert time.store.load(id).version == 1
    time.set(-10 * DAY + DAY + MINUTE, passed=DAY)
    with pytest.raises(Expired):
        time.store.load(id)


def test_a_clock_that_is_slewed_moves_nothing(time: Time) -> None:
    id = create(time.store)
    time.store.commit(id, 1, change("turn", deadline=START + MINUTE), asked("k"), b"")
    time.set(-1000)
    assert time.store.load(id).deadline == START + MINUTE


def test_a_clock_that_is_set_forward_and_put_right_costs_nothing(time: Time) -> None:
    first = time.store.create("app", NEW, asked("made"), b"told")
    time.store.commit(first.id, 1, change("a"), asked("moved"), b"told")
    time.set(5 * DAY, passed=MINUTE)
    with pytest.raises(Expired):
        time.store.load(first.id)
    time.set(2 * MINUTE, passed=MINUTE)
    assert time.store.load(first.id).version == 2
    assert [entry.version for entry in time.store.events(first.id, 0, 9).entries] == [1, 2]


@pytest.mark.parametrize("days", [2, 5, 20])
def test_a_clock_that_is_set_forward_makes_no_second_game_of_a_repeated_create(time: Time, days: int) -> None:
    first = time.store.create("app", NEW, asked("made"), b"told")
    time.store.commit(first.id, 1, change("a"), asked("moved"), b"told")
    time.set(days * DAY, passed=MINUTE)
    for number in range(30):  # each forgets what is old
        time.store.create("app", NEW, asked(f"other {number}"), b"")
    again = time.store.create("app", NEW, asked("made"), b"")
    assert isinstance(again, Known)
    assert (again.id, again.answer.data) == (first.id, b"told")
    time.set(2 * MINUTE, passed=MINUTE)
    assert isinstance(time.store.create("app", NEW, asked("made"), b""), Known)
    assert isinstance(time.store.commit(first.id, 1, change("a"), asked("moved"), b""), Known)
    assert len([game for game in time.store.games("app", None, None, 100).games if game.id == first.id]) == 1


def test_what_is_old_is_forgotten_as_time_goes_on(time: Time) -> None:
    first = time.store.create("app", NEW, asked("made"), b"told")
    for day in (1, 2):
        time.set(day * DAY + MINUTE, passed=DAY)
        create(time.store)
    again = time.store.create("app", NEW, asked("made"), b"")
    assert isinstance(again, Done)
    assert again.id != first.id


@given(lists(integers(0, 10 * DAY), max_size=5), integers(0, 40 * DAY))
def test_the_settled_clock_keeps_pace(steps: list[int], jump: int) -> None:
    """Never ahead of the clock, never faster than it may, and with the clock where that goes on as time does."""
    settled, clock = Settled(START, 1000), START
    for step in steps:
        clock += step
        assert settled.at(clock, settled.ticks + step) == clock
        settled = Settled(min(clock, settled.ceiling(settled.ticks + step)), settled.ticks + step)
        assert settled.mark == clock
    assert settled.at(clock + jump, settled.ticks + MINUTE) == clock + min(jump, PACE * MINUTE + LAG)
    assert settled.at(clock - jump, settled.ticks) == clock - jump
    assert settled.at(clock + jump, 5) <= clock + PACE * 5 + LAG  # the machine has just been started

"""No leak over HTTP: what a caller cannot see may lie otherwise in the store, and nothing that it receives differs.

Each sampled position is put into the store, and its twin, with every card that one viewer cannot see dealt anew and another
seed, in its place: same id, version, tokens and set-up. Bodies, headers and sizes of every answer and refusal are compared.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import TooFewCards
from engine.games import GAMES
from service.hosted.table import Record, Step, Table, read_table, write_record, write_table
from service.json.codec import write
from service.stores.contract import Entry as LogEntry
from service.stores.contract import Game, Page
from tests.engine.habits import Habits
from tests.engine.registry import HABITS
from tests.engine.rummy.arranger import Naturals
from tests.service.hosted import tables
from tests.service.hosted.tables import Caller, Clock, Service

QUICK = Naturals()
POSITIONS = int(os.environ.get("LEAK_POSITIONS", "60"))  # of each game; LEAK_POSITIONS=1000 is the long run


def positions(game: str, count: int) -> Iterator[Any]:
    """States of random matches under random rules, one in ten of those that are reached; of each match a third at most."""
    habits, rules = HABITS[game], GAMES[game]
    number, most = 0, -(-count // 3)
    while count:
        rng = random.Random(f"leaks {game} {number}")
        number += 1
        seats = rng.choice(rules.seats)
        try:
            state, _ = rules.deal(seats, habits.rules(rng), rng.randbytes(32).hex(), None)
        except TooFewCards:
            continue
        state, left = habits.arranged(state, rng), min(most, count)
        while left and rules.outcome(state) is None:
            if rng.random() < 0.1:
                count, left = count - 1, left - 1
                yield state
            mover = rules.to_move(state)
            moves = rules.legal_moves(state, mover, QUICK)
            state, _ = rules.apply(state, mover, habits.choose(state, moves, rng), QUICK)
    assert number > 1


class Swapped(Clock):
    """A store in which a game's blob is another than was written, for as long as a test says so."""

    blob: bytes | None = None

    def load(self, id: str, keys: Any = (), by: Any = None) -> Game:
        game = super().load(id, keys, by)
        return game if self.blob is None else replace(game, blob=self.blob)

    def remembered(self, id: str) -> Game | None:
        return None if self.blob is not None else super().remembered(id)


def received(caller: Caller, path: str, seat: int | None, moves: list[Any]) -> list[Any]:
    """All that a caller gets to see of a game, refusals included; nothing of it changes the game."""
    at = {"X-Request-Id": "same"}
    calls = [
        caller.get(path, **at),
        caller.get(f"{path}/legal-moves", **at),
        caller.get(f"{path}/events", **at),
        *(
            caller.get(f"{path}{log}?include=view,{more}", **at)
            for log in ("", "/events")
            for more in ("legal_moves", "rules")
        ),
        caller.get(f"{path}/record", **at),
        caller.get(f"{path}?seat=referee", **at),
        caller.get(f"{path}?seat={0 if seat else 1}", **at),
        caller.post(f"{path}/rounds", match=1, **at),
        *(caller.post(f"{path}/moves", {"move": move}, match="*", **at) for move in moves),
        *(caller.post(f"{path}/moves", {"move": move}, match=99, **at) for move in moves[:2]),
    ]
    return [(answer.status_code, answer.data, sorted(answer.headers.items())) for answer in calls]


@pytest.fixture
def swapped(tmp_path: Any) -> Iterator[Swapped]:
    store = Swapped(tmp_path / "games.sqlite3", lifetimes=tables.LIFETIMES)
    yield store
    store.close()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_hidden_may_lie_otherwise(game: str, swapped: Swapped) -> None:
    service, habits = Service(swapped), HABITS[game]
    by_seats = {seats: service.create(game, seats) for seats in GAMES[game].seats}
    rng = random.Random(f"twins of {game}")
    differing = 0
    for state in positions(game, POSITIONS):
        seats = len(state.seats)
        table = by_seats[seats]
        viewer = rng.choice([None, *range(seats)])
        twin = habits.permuted(state, viewer, (), rng)
        differing += twin.seats != state.seats
        caller = table.spectator if viewer is None else table.seats[viewer]
        moves = _moves(game, state, habits, rng)
        seen = []
        for each in (state, twin):
            swapped.blob = write_table(Table(GAMES[game], each, (0,) * seats))
            seen.append(received(caller, table.path, viewer, moves))
            assert state.seed.encode() not in b"".join(data for _, data, _ in seen[-1])
        assert seen[0] == seen[1]
        swapped.blob = None
    assert differing > POSITIONS // 2


def _moves(game: str, state: Any, habits: Habits, rng: random.Random) -> list[Any]:
    return [write(habits.strange(state, rng)) for _ in range(6)]


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_move_tells_nothing(game: str, swapped: Swapped) -> None:
    """Moves that are sent in earnest, on the current version: those that are illegal are refused alike."""
    service, habits = Service(swapped), HABITS[game]
    rng = random.Random(f"refusals of {game}")
    by_seats = {seats: service.create(game, seats) for seats in GAMES[game].seats}
    refusals = 0
    for state in positions(game, POSITIONS):
        viewer = rng.randrange(len(state.seats))
        table = by_seats[len(state.seats)]
        twin = habits.permuted(state, viewer, (), rng)
        for _ in range(4):
            move = habits.strange(state, rng)
            try:
                if GAMES[game].violation(state, viewer, move, QUICK) is None:
                    continue
            except ValueError:  # a move of the referee: refused as such
                pass
            seen = []
            for each in (state, twin):
                swapped.blob = write_table(Table(GAMES[game], each, (0,) * len(state.seats)))
                answer = table.seats[viewer].post(
                    f"{table.path}/moves", {"move": write(move)}, match=1, **{"X-Request-Id": "same"}
                )
                seen.append((answer.status_code, answer.data, sorted(answer.headers.items())))
            swapped.blob = None
            assert seen[0] == seen[1]
            assert seen[0][0] in (409, 422), seen[0]
            refusals += 1
    assert refusals > POSITIONS


class SwappedLog(Clock):
    """A store whose log is another than was written."""

    page: Page | None = None

    def events(self, id: str, after: int, limit: int, *by: Any) -> Page:
        return super().events(id, after, limit, *by) if self.page is None else self.page


@pytest.mark.parametrize("game", GAMES)
def test_the_log_of_others_moves_tells_nothing(game: str, tmp_path: Any) -> None:
    """The same move of another seat in a position and in its twin: the events in the log read alike."""
    store = SwappedLog(tmp_path / "games.sqlite3", lifetimes=tables.LIFETIMES)
    service, habits, rules = Service(store), HABITS[game], GAMES[game]
    by_seats = {seats: service.create(game, seats) for seats in rules.seats}
    rng = random.Random(f"log of {game}")
    compared = 0
    for state in positions(game, POSITIONS):
        mover = rules.to_move(state)
        viewer = rng.choice([None, *range(len(state.seats))])
        if mover is None or viewer == mover:
            continue
        move = habits.choose(state, rules.legal_moves(state, mover, QUICK), rng)
        if habits.tells(state, move, viewer):
            continue
        twin = habits.permuted(state, viewer, habits.revealed(state, move), rng)
        table = by_seats[len(state.seats)]
        caller = table.spectator if viewer is None else table.seats[viewer]
        seen = []
        for each in (state, twin):
            _, events = rules.apply(each, mover, move, QUICK)
            if any(event.type in ("round_scored", "match_over") for event in events):
                break
            record = Record("seat", "id", (Step(mover, move, events),))
            store.page = Page(2, (LogEntry(2, 0, write_record(record)),))
            answer = caller.get(f"{table.path}/events?after=1", **{"X-Request-Id": "same"})
            seen.append((answer.status_code, answer.data, sorted(answer.headers.items())))
        store.page = None
        if len(seen) == 2:
            assert seen[0] == seen[1]
            compared += 1
    store.close()
    assert compared > POSITIONS // 4


@pytest.mark.parametrize("game", GAMES)
def test_what_is_stored_is_what_was_played(game: str) -> None:
    """The bytes of the store and back: every sampled table, its misses with it."""
    for state in positions(game, POSITIONS):
        table = Table(GAMES[game], state, tuple(range(len(state.seats))))
        assert read_table(game, write_table(table)) == table

"""What happens at a table, pure: a table and a move in, the next table and what happened out. No I/O, no clock."""

from __future__ import annotations

from typing import Any

from engine.game import Forfeit, Game, TimedOut
from service.hosted.table import Step, Table
from service.stores.lifetimes import SECOND

Played = tuple[Table, tuple[Step, ...]]


def deal(game: Game[Any, Any, Any], seats: int, rules: Any, seed: str, starter: int | None) -> Played:
    """A new table. Raises `engine.errors.Invalid` (too few cards, no such starter)."""
    state, events = game.deal(seats, rules, seed, starter)
    return Table(game, state, (0,) * seats), (Step(None, None, events),)


def play(table: Table, seat: int | None, move: Any, arranger: Any) -> Played:
    """A move of a seat, or of the referee (None). Raises `IllegalMove`, `Invalid`, `Undecided`."""
    state, events = table.game.apply(table.state, seat, move, arranger)
    misses = table.misses if seat is None else _with(table.misses, seat, 0)
    return Table(table.game, state, misses), (Step(seat, move, events),)


def time_out(table: Table, miss_limit: int | None, arranger: Any) -> Played:
    """The turn of the seat to move, taken in its place until another's turn begins or the round ends.

    The miss that reaches the limit, and each further one in a row, forfeits instead: a seat that is given up should not
    win the round by the move that is made for it.
    """
    game, state = table.game, table.state
    seat = game.to_move(state)
    assert seat is not None, "only a turn has a deadline"
    misses = _with(table.misses, seat, table.misses[seat] + 1)
    steps = [Step(seat, None, (TimedOut(seat),))]
    if miss_limit is not None and misses[seat] >= miss_limit:
        forfeit = Forfeit(seat)
        state, events = game.apply(state, None, forfeit, arranger)
        return Table(game, state, misses), (*steps, Step(None, forfeit, events))
    while is_same_turn(game, table.state, state):
        move = game.default_move(state, arranger)
        state, events = game.apply(state, seat, move, arranger)
        steps.append(Step(seat, move, events))
    return Table(game, state, misses), tuple(steps)


def is_same_turn(game: Game[Any, Any, Any], before: Any, after: Any) -> bool:
    """Whether a turn goes on: the same seat is to move in the same round. A second play after a clear belongs to it."""
    seat = game.to_move(after)
    return seat is not None and seat == game.to_move(before) and before.round == after.round


def deadline(before: Table | None, after: Table, current: int | None, turn_seconds: int | None, now: int) -> int | None:
    """Until when the seat to move has time: anew with each turn; None where no seat is to move, or time is not limited."""
    game = after.game
    if turn_seconds is None or game.to_move(after.state) is None:
        return None
    if before is not None and is_same_turn(game, before.state, after.state):
        return current
    return now + turn_seconds * SECOND


def _with(misses: tuple[int, ...], seat: int, count: int) -> tuple[int, ...]:
    return (*misses[:seat], count, *misses[seat + 1 :])

"""Random matches of any game: where the laws, and other tests, find positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.errors import TooFewCards
from engine.game import Abort, Forfeit, Game, NextRound, Rejoin, Withdraw
from tests.engine.habits import Habits

AnyGame = Game[Any, Any, Any]


class Position(NamedTuple):
    """A state of a match, what was moved in it, and what came of it."""

    state: Any
    seat: int | None
    move: Any
    after: Any
    events: tuple[Any, ...]


def deal(game: AnyGame, habits: Habits, rng: random.Random) -> tuple[Any, tuple[Any, ...]]:
    """A random deal under random rules, and its events."""
    while True:
        try:
            return game.deal(rng.choice(game.seats), habits.rules(rng), rng.randbytes(32).hex(), None)
        except TooFewCards:
            continue


def play(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> Iterator[Position]:
    """A match from `state` on to its end, move by move; `habits` may put cards elsewhere between two moves. One match in ten
    is played by the clock alone."""
    by_the_clock = rng.random() < 0.1
    while game.outcome(state) is None:
        state = habits.arranged(state, rng)
        seat, move = next_move(game, habits, state, arranger, rng, by_the_clock)
        after, events = game.apply(state, seat, move, arranger)
        yield Position(state, seat, move, after, events)
        state = after


def positions(game: AnyGame, habits: Habits, rng: random.Random, matches: int) -> Iterator[Position]:
    """Every move of some random matches."""
    for _ in range(matches):
        state, _dealt = deal(game, habits, rng)
        yield from play(game, habits, state, habits.arranger, rng)


def next_move(
    game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random, by_the_clock: bool = False
) -> tuple[int | None, Any]:
    """A legal move at random, and who makes it: now and then the referee, who deals the next round as well."""
    seat = game.to_move(state)
    if seat is None:
        return _between(game, habits, state, arranger, rng)
    if rng.random() < 0.004:
        leaving = [move for move in game.legal_moves(state, None, arranger) if isinstance(move, Forfeit | Withdraw)]
        return None, rng.choice(leaving)
    if rng.random() < 0.0005:
        return None, Abort()
    if by_the_clock:
        return seat, game.default_move(state, arranger)
    move = habits.choose(state, game.legal_moves(state, seat, arranger), rng)
    return seat, habits.part(state, move, rng) if rng.random() < 0.3 else move


def _between(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> tuple[int | None, Any]:
    """What happens between two rounds: seats come back as a rule, now and then one leaves, or agrees to what a split asks."""
    if state.round >= habits.max_rounds or rng.random() < 0.02:
        return None, Abort()
    referee = game.legal_moves(state, None, arranger)
    back = [move for move in referee if isinstance(move, Rejoin)]
    if back and rng.random() < 0.85:
        return None, rng.choice(back)
    if rng.random() < 0.08:
        return None, rng.choice([move for move in referee if isinstance(move, Withdraw)])
    asked = [(seat, move) for seat in range(len(state.totals)) for move in game.legal_moves(state, seat, arranger)]
    return rng.choice(asked) if asked and rng.random() < 0.4 else (None, NextRound())

"""The tests of the laws find a game that breaks them: each broken game here is caught."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import CorruptState, IllegalMove, Violation
from engine.game import Game, PublicEvent
from engine.swoop import GAME
from engine.swoop.events import Dealt
from engine.swoop.moves import Flip, Play
from engine.swoop.state import State
from tests.engine.laws import play_match
from tests.engine.swoop.habits import SwoopHabits

HABITS = SwoopHabits()


def played(game: Game[Any, Any, Any]) -> None:
    for number in range(8):
        for _ in play_match(game, HABITS, None, random.Random(number), 0.3):
            pass


def test_the_game_itself_passes() -> None:
    played(GAME)


def test_a_view_that_shows_the_state() -> None:
    with pytest.raises(AssertionError):
        played(replace(GAME, view=lambda state, seat: state))


def test_a_view_that_shows_one_hidden_card() -> None:
    def leaky(state: State, seat: int | None) -> Any:
        return GAME.view(state, seat), state.seats[0].stacks[0].secret

    with pytest.raises(AssertionError):
        played(replace(GAME, view=leaky))


def test_a_refusal_that_tells_of_another_hand() -> None:
    def leaky(state: State, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        found = GAME.violation(state, seat, move, arranger)
        if found is not None and found.code == "not_your_turn" and state.turn is not None:
            return replace(found, message=f"{state.seats[state.turn].hand[:1]}")
        return found

    def apply(state: State, seat: int | None, move: Any, arranger: Any) -> Any:
        if (found := leaky(state, seat, move, arranger)) is not None:
            raise IllegalMove(found)
        return GAME.apply(state, seat, move, arranger)

    with pytest.raises(AssertionError):
        played(replace(GAME, violation=leaky, apply=apply))


def test_an_event_that_tells_too_much() -> None:
    class Peeping(PublicEvent):
        type = "peeped"

        def __init__(self, cards: Any) -> None:
            self.cards = cards

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Peeping) and self.cards == other.cards

        __hash__ = None  # type: ignore[assignment]  # events are compared, never hashed

    def apply(state: State, seat: int | None, move: Any, arranger: Any) -> Any:
        after, events = GAME.apply(state, seat, move, arranger)
        return after, (*events, Peeping(tuple(player.hand for player in after.seats)))

    with pytest.raises(AssertionError):
        played(replace(GAME, apply=apply))


def test_a_move_that_loses_a_card() -> None:
    def apply(state: State, seat: int | None, move: Any, arranger: Any) -> Any:
        after, events = GAME.apply(state, seat, move, arranger)
        return replace(after, removed=after.removed[1:]), events

    with pytest.raises((AssertionError, CorruptState)):
        played(replace(GAME, apply=apply))
    with pytest.raises(AssertionError):
        played(replace(GAME, apply=apply, check=lambda state: None))


def test_a_list_of_moves_that_names_an_illegal_one() -> None:
    def listed(state: State, seat: int | None, arranger: Any) -> Any:
        moves = GAME.legal_moves(state, seat, arranger)
        return (*moves, Flip(0)) if moves and seat is not None else moves

    with pytest.raises((AssertionError, IllegalMove)):
        played(replace(GAME, legal_moves=listed))


def test_a_list_of_moves_that_is_empty() -> None:
    def listed(state: State, seat: int | None, arranger: Any) -> Any:
        moves = GAME.legal_moves(state, seat, arranger)
        return () if any(isinstance(move, Flip) for move in moves) else moves

    with pytest.raises((AssertionError, IndexError)):
        played(replace(GAME, legal_moves=listed))


def test_a_move_that_is_made_though_it_is_refused() -> None:
    def violation(state: State, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        if isinstance(move, Play) and len(move.hand) > 1 and seat == state.turn:
            return Violation("mixed_ranks", "no")
        return GAME.violation(state, seat, move, arranger)

    with pytest.raises(AssertionError):
        played(replace(GAME, violation=violation))


def test_a_match_that_does_not_replay() -> None:
    counter: Iterator[int] = iter(range(10**9))

    def apply(state: State, seat: int | None, move: Any, arranger: Any) -> Any:
        after, events = GAME.apply(state, seat, move, arranger)
        return after, (*events, Dealt(next(counter), 0, (), None))

    with pytest.raises(AssertionError):
        played(replace(GAME, apply=apply))

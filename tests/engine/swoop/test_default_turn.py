"""hosted.md, Time: the turn that is made for a seat out of time."""

from __future__ import annotations

import pytest

from engine.options import resolve
from engine.swoop.game import GAME
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Seat
from tests.engine.swoop.builders import cards, flip, play, seat, table

OTHER = seat("9S", "KS/2S")


def single(card: str) -> Play:
    return Play(cards(card), ())


def guard(slot: int) -> Play:
    return Play((), (slot,))


@pytest.mark.parametrize(
    ("own", "pile", "expected"),
    [
        (seat("8D 3H 5C"), "9D", single("3H")),  # the lowest that is safe
        (seat("8D 3H 5C", "2C/AH"), "9D", single("3H")),  # from the hand before guards
        (seat("KD QC", "6C/AH", "5C/7H"), "9D", guard(1)),  # then from guards
        (seat("KD TC", "6C/AH"), "9D", guard(0)),  # a ten only if nothing else is safe or clears
        (seat("KD TC QH"), "9D", single("TC")),
        (seat("KD QC", "TC/AH"), "9D", guard(0)),
        (seat("KD QC"), "9D", single("QC")),  # nothing is safe: the lowest at all
        (seat("KD QC", "JC/AH"), "9D", guard(0)),
        (seat("KD JH", "JC/AH"), "9D", single("JH")),
        (seat("", "JC/AH", "QC/7H"), "9D", guard(0)),
        (seat("3D 3H"), "9D", single("3H")),  # one card only, equals in the order of faces
        (seat("KD QC"), "", single("QC")),  # on an empty pile all is safe
        (seat("TD", "-/AH"), "9D", single("TD")),
        (seat("KD", "-/AH"), "9D", single("KD")),  # a flip only when there is nothing to play
        (seat("", "-", "-/AH", "-/7H"), "9D", Flip(1)),
    ],
)
def test_default_move(own: Seat, pile: str, expected: Move) -> None:
    state = table(own, OTHER, pile=pile)

    assert GAME.default_move(state, None) == expected
    assert GAME.violation(state, 0, expected, None) is None


def test_the_committed_secret_alone() -> None:
    state = flip(table(seat("5D", "-/5H", "5C/6H"), OTHER, pile="9D"), 0)

    assert GAME.default_move(state, None) == Play((), ())


def test_a_joker_before_a_ten() -> None:
    rules = resolve(SwoopRules, {"printed_jokers_per_deck": 1})
    state = table(seat("KD TC JK"), OTHER, pile="9D", rules=rules)

    assert GAME.default_move(state, None) == single("JK")


def test_the_turn_after_a_pick_up_ends_with_the_next_card() -> None:
    state, _ = play(table(seat("KD QC"), OTHER, pile="9D"), "QC")
    assert state.turn == 0
    move = GAME.default_move(state, None)
    assert move == single("9D")
    state, _ = GAME.apply(state, 0, move, None)

    assert state.turn == 1


def test_nobody_to_move() -> None:
    over, _ = play(table(seat("5H"), OTHER, pile="9D"), "5H")

    with pytest.raises(ValueError, match="no seat is to move"):
        GAME.default_move(over, None)

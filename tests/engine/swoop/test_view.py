"""What a seat and a spectator see, and what the events tell them."""

from __future__ import annotations

import dataclasses

import pytest

from engine.errors import IllegalMove
from engine.game import Hidden
from engine.swoop.game import GAME
from engine.swoop.moves import Play
from engine.swoop.state import State
from engine.swoop.view import View
from tests.engine.swoop.builders import cards, flip, seat, table

STATE = table(seat("5H 6S", "9C/2D", "-/3D", "-"), seat("KC TD", "AC/AD"), pile="9D 4D")


def test_own_hand_open_others_counted_secrets_hidden_from_all() -> None:
    seen = GAME.view(STATE, 0)

    assert seen.seats[0].hand == cards("5H 6S")
    assert seen.seats[1].hand == Hidden(2)
    assert [stack.secret for stack in seen.seats[0].stacks] == ["??", "??", None, None]
    assert [stack.guard for stack in seen.seats[0].stacks] == ["9C", None, None, None]
    assert seen.set_aside == Hidden(20)


def test_piles_are_open() -> None:
    seen = GAME.view(STATE, None)

    assert seen.pile == STATE.pile
    assert seen.removed == STATE.removed


def test_a_spectator_sees_no_hand() -> None:
    seen = GAME.view(STATE, None)

    assert [player.hand for player in seen.seats] == [Hidden(2), Hidden(2)]
    assert (seen.viewer, seen.to_move) == (None, None)


def test_viewer_and_to_move() -> None:
    assert (GAME.view(STATE, 0).viewer, GAME.view(STATE, 0).to_move) == (0, True)
    assert (GAME.view(STATE, 1).viewer, GAME.view(STATE, 1).to_move) == (1, False)


def test_a_view_has_the_fields_of_the_state_without_the_seed() -> None:
    fields = {field.name for field in dataclasses.fields(View)}

    assert fields == {field.name for field in dataclasses.fields(State)} - {"seed", "match"} | {
        "viewer",
        "to_move",
        "totals",
        "standings",
    }


def test_no_hidden_card_is_anywhere_in_a_view() -> None:
    """Faces that only hidden cards have: none of them is written in what a seat gets."""
    for viewer, hidden in ((0, "KC TD AD 2D 3D"), (1, "5H 6S 2D 3D AD"), (None, "5H 6S KC TD 2D 3D AD")):
        text = repr(GAME.view(STATE, viewer).seats)
        for face in hidden.split():
            assert f"'{face}'" not in text
        assert STATE.seed not in repr(GAME.view(STATE, viewer))


def test_a_flipped_secret_is_open_and_only_that_one() -> None:
    seen = GAME.view(flip(STATE, 1), 1)

    assert [stack.secret for stack in seen.seats[0].stacks[:2]] == ["??", "3D"]
    assert seen.committed == 1


def test_refusals_of_anothers_move_tell_nothing_of_the_cards() -> None:
    for move in (Play(cards("KC"), ()), Play(cards("QC"), ()), Play((), (3,))):
        found = GAME.violation(STATE, 1, move, None)
        assert found is not None
        assert (found.code, found.message, found.cards) == ("not_your_turn", "seat 0 is to move", ())


def test_an_illegal_move_raises_its_violation() -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(STATE, 0, Play((), ()), None)
    assert refused.value.violation == GAME.violation(STATE, 0, Play((), ()), None)


def test_every_violation_is_documented_in_the_order_of_the_checks() -> None:
    assert list(GAME.violations) == [
        "game_over",
        "not_your_turn",
        "wrong_phase",
        "card_not_held",
        "no_secret",
        "guarded_secret",
        "not_stuck",
        "must_play_committed",
        "empty_play",
        "mixed_ranks",
    ]
    assert all(sentence.endswith(".") for sentence in GAME.violations.values())

"""rules.md §2.3: secrets, flipped and committed."""

from __future__ import annotations

import pytest

from engine.game import Abort, Forfeit
from engine.options import resolve
from engine.swoop.events import Flipped, Played
from engine.swoop.game import GAME
from engine.swoop.moves import Flip, Play
from engine.swoop.pile import FACE_DOWN
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Stack
from tests.engine.swoop.builders import cards, flip, play, refused, seat, table, types

OTHER = seat("9S", "KS/2S")
STUCK_ONLY = resolve(SwoopRules, {"secret_only_when_stuck": True})


def test_2_3_a_secret_whose_guard_is_gone_may_be_flipped() -> None:
    state = table(seat("", "-/5H", "KH/AH"), OTHER)
    after, events = GAME.apply(state, 0, Flip(0), None)

    assert events == (Flipped(0, 0, cards("5H")[0]),)
    assert after.committed == 0
    assert after.turn == 0


@pytest.mark.parametrize(
    ("slot", "code"), [(1, "guarded_secret"), (2, "no_secret"), (4, "no_secret"), (-1, "no_secret")]
)
def test_2_3_other_secrets_may_not(slot: int, code: str) -> None:
    state = table(seat("5D", "-/5H", "KH/AH"), OTHER)

    assert refused(state, Flip(slot)) == code
    found = GAME.violation(state, 0, Flip(slot), None)
    assert found is not None
    assert "slots that can be flipped: 0" in found.message


def test_2_3_even_with_playable_cards_left() -> None:
    state = table(seat("3D TD", "-/5H"), OTHER, pile="4D")

    assert GAME.violation(state, 0, Flip(0), None) is None
    assert Flip(0) in GAME.legal_moves(state, 0, None)


@pytest.mark.parametrize("hand", ["3D", "4H", "TD", "KD 3D", "KD TD"])
def test_2_3_secret_only_when_stuck_is_an_option(hand: str) -> None:
    state = table(seat(hand, "-/5H"), OTHER, pile="4D", rules=STUCK_ONLY)

    assert refused(state, Flip(0)) == "not_stuck"
    assert Flip(0) not in GAME.legal_moves(state, 0, None)


def test_2_3_stuck_is_no_safe_or_clearing_play_from_hand_and_guards() -> None:
    assert flip(table(seat("KD 5D", "-/5H"), OTHER, pile="4D", rules=STUCK_ONLY), 0).committed == 0
    assert flip(table(seat("", "-/5H"), OTHER, rules=STUCK_ONLY), 0).committed == 0
    assert refused(table(seat("KD", "-/5H", "3D/6H"), OTHER, pile="4D", rules=STUCK_ONLY), Flip(0)) == "not_stuck"
    assert refused(table(seat("KD", "-/5H"), OTHER, rules=STUCK_ONLY), Flip(0)) == "not_stuck"


def test_2_3_a_clearing_four_of_a_kind_is_no_stuckness_where_it_beats_the_pick_up() -> None:
    hand = "KH KD KS"
    both = resolve(SwoopRules, {"secret_only_when_stuck": True, "quad_beats_pickup": True})
    state = table(seat(hand, "-/5H", "KC/6H"), seat("9S"), pile="4D", rules=both)
    assert refused(state, Flip(0)) == "not_stuck"

    state = table(seat(hand, "-/5H", "KC/6H"), seat("9S"), pile="4D", rules=STUCK_ONLY)
    assert flip(state, 0).committed == 0


def test_2_3_a_flipped_secret_is_face_up_for_all() -> None:
    state = flip(table(seat("3D", "-/5H", "-/6H"), OTHER), 0)

    for viewer in (0, 1, None):
        seen = GAME.view(state, viewer).seats[0].stacks
        assert [stack.secret for stack in seen[:2]] == ["5H", "??"]


def test_2_3_the_next_move_must_be_a_play_that_includes_it() -> None:
    state = flip(table(seat("3D 5D", "-/5H", "-/6H"), OTHER), 0)

    assert refused(state, Flip(1)) == "must_play_committed"
    assert refused(state, Flip(0)) == "must_play_committed"
    assert refused(state, Play(cards("3D"), ())) == "mixed_ranks"
    assert GAME.legal_moves(state, 0, None) == (Play((), ()), Play(cards("5D"), ()))


def test_2_3_it_may_be_played_alone() -> None:
    after, events = play(flip(table(seat("3D", "-/5H"), OTHER, pile="9D"), 0))

    assert events == (Played(0, cards("5H"), (), (), 0),)
    assert after.pile == cards("9D 5H")
    assert after.seats[0].stacks[0] == Stack(None, None)
    assert after.committed is None
    assert after.turn == 1


def test_2_3_cards_of_its_rank_from_hand_or_guards_may_be_added() -> None:
    state = flip(table(seat("5D 3D", "-/5H", "5C/6H"), OTHER, pile="9D"), 0)
    after, events = play(state, "5D", 1)

    assert events == (Played(0, cards("5D 5C 5H"), cards("5D"), (1,), 0),)
    assert after.seats[0].hand == cards("3D")


def test_2_3_one_secret_a_play() -> None:
    state = flip(table(seat("3D", "-/5H", "-/5C"), OTHER), 1)
    after, _ = play(state)

    assert after.pile == cards("5C")
    assert after.seats[0].stacks[0] == Stack(None, cards("5H")[0])


def test_2_3_there_is_no_way_back() -> None:
    state = flip(table(seat("3D", "-/KH"), OTHER, pile="4D"), 0)

    assert refused(state, Play(cards("3D"), ())) == "mixed_ranks"
    _, events = play(state)
    assert types(events) == ["played", "picked_up"]


def test_2_3_a_guard_removed_by_the_same_play_opens_nothing_for_that_play() -> None:
    state = table(seat("", "5C/5H"), OTHER)
    assert refused(state, Flip(0)) == "guarded_secret"
    after, _ = play(state, "", 0)

    assert after.pile == cards("5C")
    assert after.seats[0].stacks[0] == Stack(None, cards("5H")[0])


def test_2_3_a_secret_can_be_flipped_again_in_a_turn_that_goes_on() -> None:
    after, _ = play(flip(table(seat("3D", "-/TH", "-/6H"), OTHER, pile="9D"), 0))
    assert after.turn == 0

    assert flip(after, 1).committed == 1


def test_2_3_only_in_the_own_turn() -> None:
    assert refused(table(seat("3D"), seat("9S", "-/2S")), Flip(0), by=1) == "not_your_turn"


@pytest.mark.parametrize("move", [Forfeit(0), Abort()])
def test_2_3_a_flipped_secret_stays_face_up_for_all_though_its_seat_goes(move: Forfeit | Abort) -> None:
    state = flip(table(seat("3D", "-/5H", "-/6H"), OTHER, seat("8C"), pile="9D"), 0)
    after, _ = GAME.apply(state, None, move, None)

    GAME.check(after)
    assert after.committed is None
    for viewer in (None, 0, 1, 2):
        shown = GAME.view(after, viewer).seats[0].stacks
        assert [stack.secret for stack in shown[:2]] == [cards("5H")[0], FACE_DOWN]


def test_2_3_what_was_not_flipped_stays_face_down_when_its_seat_goes() -> None:
    state = flip(table(seat("3D", "-/5H"), seat("9S", "-/2S"), seat("8C"), pile="9D"), 0)
    after, _ = GAME.apply(state, None, Forfeit(1), None)

    assert after.committed == 0
    assert GAME.view(after, 0).seats[1].stacks[0].secret == FACE_DOWN

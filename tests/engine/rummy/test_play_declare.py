"""Declaring in play: rules.md §1.3 "Whose grouping", and the fold of §1.4."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.game import GAME
from engine.rummy.melds import read_as
from engine.rummy.moves import Declare, Discard, Draw, Pack
from engine.rummy.rules import HOUSE, INDIAN
from tests.engine.rummy.arranger import NoGroups
from tests.engine.rummy.tables import HOPELESS, SEARCH, WINNING, WINNING_GROUPS, cards, position
from tests.engine.rummy.test_play_turn import code, refusal, step

PENALTY = replace(HOUSE, invalid_declaration="penalty")
GROUPS = tuple(tuple(map(Card, group)) for group in WINNING_GROUPS)
WRONG = (GROUPS[0], GROUPS[1], GROUPS[2][:2], (*GROUPS[3], GROUPS[2][2]))
KC = Card("KC")


class Torn:
    """An arranger that proves nothing."""

    def best(self, hand, wild_rank, rules):
        raise Undecided

    declaration = folds = best


def test_1_3_declare_needs_only_the_card_to_fold():
    before = position(WINNING, None, lap=1, drawn="KC")
    after, events = step(before, Declare(KC))
    assert [event.type for event in events] == ["declared", "round_scored"]
    declared = events[0]
    assert (declared.seat, declared.fold) == (0, "KC")
    assert {group.cards: group.kind for group in declared.groups} == {
        cards("2S 3S 4S 5S"): "pure_sequence",
        cards("2H 3H 4H"): "pure_sequence",
        cards("6C 7C 8C"): "pure_sequence",
        cards("QH QD QC"): "trio",
    }
    assert (after.phase, after.turn) == ("round_over", None)


def test_1_4_the_fold_does_not_go_onto_the_discard_pile():
    before = position(WINNING, None, lap=1, drawn="KC")
    after, _ = step(before, Declare(KC))
    assert after.discard == before.discard
    assert after.removed == (KC,)
    assert after.seats[0].hand == before.seats[0].hand[:-1]
    assert after.last_round.fold == "KC"


def test_1_3_groups_sent_are_checked_as_sent():
    state = position(WINNING, None, lap=1, drawn="KC")
    mixed = tuple(tuple(reversed(group)) for group in reversed(GROUPS))
    after, events = step(state, Declare(KC, mixed))
    laid = ("QH", "QD", "QC"), ("6C", "7C", "8C"), ("2H", "3H", "4H"), ("2S", "3S", "4S", "5S")
    assert tuple(group.cards for group in events[0].groups) == laid
    assert after.last_round.results[0].grouping.groups == events[0].groups


def test_1_3_groups_that_stand_need_no_arranger_for_the_winner():
    state = position(WINNING, None, lap=1, drawn="KC")
    assert GAME.violation(state, 0, Declare(KC, GROUPS), Torn()) is None
    with pytest.raises(Undecided):  # the loser's points do
        GAME.apply(state, 0, Declare(KC, GROUPS), Torn())


@pytest.mark.parametrize("groups", [WRONG, (), GROUPS[:3], (*GROUPS[:3], GROUPS[3][:2], GROUPS[3][2:])])
def test_1_3_regroup_where_another_grouping_works(groups):
    state = position(WINNING, None, lap=1, drawn="KC")
    found = refusal(state, 0, Declare(KC, groups))
    assert found.code == "regroup"
    assert GAME.violation(state, 0, Declare(KC, found.regroup), SEARCH) is None
    step(state, Declare(KC, found.regroup))


def test_1_3_reject():
    state = position(WINNING, None, lap=1, drawn="KC")
    for declare in (Declare(Card("2S")), Declare(Card("QD"), (*GROUPS[:3], cards("QH QC KC")))):
        found = refusal(state, 0, declare)
        assert (found.code, found.cards, found.regroup) == ("not_declarable", (declare.fold,), None)
    assert [move.fold for move in GAME.legal_moves(state, 0, SEARCH) if isinstance(move, Declare)] == ["KC"]


def test_1_3_opening_cards_decide_in_play_too():
    """5 + 5 + 3 cannot be split: refused by `house`, a declaration with the condition switched off."""
    hand = "2S 3S 4S 5S 6S 2H 3H 4H 5H 6H QD QH QC"
    groups = (cards("2S 3S 4S 5S 6S"), cards("2H 3H 4H 5H 6H"), cards("QD QH QC"))
    for rules, declarable in ((HOUSE, False), (replace(HOUSE, opening_cards=None), True)):
        state = position(hand, None, lap=1, drawn="KC", rules=rules)
        assert (Declare(KC) in GAME.legal_moves(state, 0, SEARCH)) == declarable
        if declarable:
            step(state, Declare(KC, groups))
        else:
            assert code(state, 0, Declare(KC, groups)) == code(state, 0, Declare(KC)) == "not_declarable"


def test_1_3_penalty_takes_the_player_out_of_the_round():
    state = position(HOPELESS, None, None, drawn="3C", rules=PENALTY, lap=1)
    after, events = step(state, Declare(Card("3C")))
    assert [(event.type, event.seat, event.points, event.groups) for event in events] == [("penalised", 0, 80, None)]
    seat = after.seats[0]
    assert (seat.status, seat.hand, seat.turns) == ("penalised", (), 2)
    assert after.removed == state.seats[0].hand
    assert (after.phase, after.turn, after.discard) == ("draw", 1, state.discard)


def test_1_3_penalty_with_one_seat_left_ends_the_round():
    state = position(HOPELESS, None, drawn="3C", rules=replace(PENALTY, invalid_declaration_points=55))
    after, events = step(state, Declare(Card("3C")))
    assert [event.type for event in events] == ["penalised", "round_scored"]
    assert [(result.points, result.reason) for result in after.last_round.results] == [(55, "penalised"), (0, "won")]
    assert (after.last_round.winner, after.last_round.fold, after.last_round.settlement) == (1, None, (-55, 55))


def test_1_3_penalty_ends_a_round_whose_turns_have_run_out():
    state = position(None, None, HOPELESS, drawn="3C", turn=2, rules=replace(PENALTY, max_turns=3))
    after, events = step(state, Declare(Card("3C")))
    assert [event.type for event in events] == ["penalised", "round_scored"]
    assert [result.reason for result in after.last_round.results] == ["loose", "loose", "penalised"]


def test_1_3_penalty_judges_the_groups_as_sent():
    state = position(WINNING, None, None, drawn="KC", lap=1, rules=PENALTY)
    after, events = step(state, Declare(KC, WRONG))
    assert after.seats[0].status == "penalised"
    assert events[0].groups == WRONG
    assert step(state, Declare(KC, GROUPS))[0].last_round.winner == 0
    assert step(state, Declare(KC))[0].last_round.winner == 0  # no groups sent: the hand is judged


def test_1_3_declaration_judged_hand():
    state = position(WINNING, None, None, drawn="KC", lap=1, rules=replace(PENALTY, declaration_judged="hand"))
    after, events = step(state, Declare(KC, WRONG))
    assert after.last_round.winner == 0
    assert sorted(group.cards for group in events[0].groups) != sorted(WRONG)
    lost, _ = step(state, Declare(Card("2S"), WRONG[1:]))
    assert lost.seats[0].status == "penalised"


def test_1_3_penalty_lists_only_folds_that_win():
    state = position(WINNING, None, None, drawn="KC", lap=1, rules=PENALTY)
    assert [move for move in GAME.legal_moves(state, 0, SEARCH) if isinstance(move, Declare)] == [Declare(KC)]
    hopeless = position(HOPELESS, None, None, drawn="3C", lap=1, rules=PENALTY)
    assert not any(isinstance(move, Declare) for move in GAME.legal_moves(hopeless, 0, SEARCH))
    assert GAME.violation(hopeless, 0, Declare(Card("3C")), SEARCH) is None


def test_1_3_penalty_is_no_licence_for_cards_not_held():
    state = position(HOPELESS, None, None, drawn="3C", lap=1, rules=PENALTY)
    assert code(state, 0, Declare(Card("3C"), GROUPS)) == "card_not_held"


def test_1_3_indian_penalises():
    state = position(HOPELESS, None, None, drawn="3C", lap=1, rules=INDIAN)
    assert step(state, Declare(Card("3C")))[1][0].points == 80


def test_undecided_changes_nothing():
    state = position(WINNING, None, lap=1, drawn="KC")
    for call in (GAME.violation, GAME.apply):
        with pytest.raises(Undecided):
            call(state, 0, Declare(KC), Torn())
    with pytest.raises(Undecided):
        GAME.legal_moves(state, 0, Torn())
    last = position(HOPELESS, None, drawn="3C", turn=0, rules=replace(HOUSE, max_turns=1))
    with pytest.raises(Undecided):  # a round can end on a discard, too
        GAME.apply(last, 0, Discard(Card("3C")), Torn())
    assert state == position(WINNING, None, lap=1, drawn="KC")


def test_only_what_needs_a_grouping_asks_for_one():
    state = position(HOPELESS, None, None, lap=1)
    for move in (Draw("stock"), Draw("discard"), Pack()):
        GAME.apply(state, 0, move, Torn())
    drawn = position(HOPELESS, None, None, lap=1, drawn="3C")
    GAME.apply(drawn, 0, Discard(Card("3C")), Torn())
    assert code(drawn, 0, Declare(Card("KC"))) == "card_not_held"


def test_a_failed_grouping_is_not_asked_twice():
    """`apply` finds the winner's grouping once, and each loser's."""
    asked = []

    class Counting(NoGroups):
        def best(self, hand, wild_rank, rules):
            asked.append(("best", tuple(hand)))
            return SEARCH.best(hand, wild_rank, rules)

        def declaration(self, hand, wild_rank, rules):
            asked.append(("declaration", tuple(hand)))
            return SEARCH.declaration(hand, wild_rank, rules)

    state = position(WINNING, None, None, lap=1, drawn="KC")
    GAME.apply(state, 0, Declare(KC), Counting())
    hands = [seat.hand for seat in state.seats]
    assert asked == [("declaration", hands[0][:-1]), ("best", hands[1]), ("best", hands[2])]


def test_a_grouping_found_may_call_a_card_wild_at_its_own_place():
    """What the arranger proves a declaration stands, though the same groups sent by a player would be read otherwise."""

    kinds = ("pure_sequence", "impure_sequence", "pure_sequence", "trio")
    called = tuple(read_as(kind, group, "3", HOUSE) for kind, group in zip(kinds, GROUPS, strict=True))

    class Calling(NoGroups):
        def declaration(self, hand, wild_rank, rules):
            return Arrangement(called, (), 0, True) if sorted(hand) == sorted(cards(WINNING)) else None

    state = position(WINNING, None, lap=1, drawn="KC", wild="3D")
    after, events = GAME.apply(state, 0, Declare(KC), Calling())
    GAME.check(after)
    assert events[0].groups == called
    sent, events = GAME.apply(state, 0, Declare(KC, GROUPS), Calling())
    GAME.check(sent)
    assert [group.kind for group in events[0].groups] == ["pure_sequence", "pure_sequence", "pure_sequence", "trio"]

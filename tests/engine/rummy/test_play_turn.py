"""A turn: rules.md §1.4."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.cards import JOKER, Card, in_order, without
from engine.errors import IllegalMove, Invalid, Undecided
from engine.game import Abort, Forfeit, NextRound
from engine.rummy.game import GAME
from engine.rummy.moves import Declare, Discard, Draw, Pack
from engine.rummy.rules import HOUSE, INDIAN
from engine.rummy.scoring import costs
from engine.shuffling import shuffle
from tests.engine.rummy.arranger import NoGroups, Search
from tests.engine.rummy.tables import HOPELESS, SEARCH, SEED, WINNING, cards, position

STOCK, PILE = Draw("stock"), Draw("discard")


def refusal(state, seat, move, arranger=SEARCH):
    """The violation of a move, which apply gives as well."""
    found = GAME.violation(state, seat, move, arranger)
    assert found is not None
    assert found.code in GAME.violations
    assert found.message
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, seat, move, arranger)
    assert refused.value.violation == found
    return found


def code(state, seat, move):
    return refusal(state, seat, move).code


def step(state, *moves):
    """Apply moves of whoever's turn it is; the last state and the last move's events."""
    events = ()
    for move in moves:
        seat = None if isinstance(move, NextRound | Forfeit | Abort) else state.turn
        state, events = GAME.apply(state, seat, move, SEARCH)
        GAME.check(state)
    return state, events


def test_1_4_draw_the_top_of_the_stock():
    before = position(HOPELESS, None, top="KC 3C")
    after, events = step(before, STOCK)
    assert after.seats[0].hand == (*before.seats[0].hand, Card("3C"))
    assert after.stock == before.stock[:-1]
    assert (after.phase, after.turn, after.taken) == ("discard", 0, None)
    assert [(event.type, event.seat, event.source, event.card) for event in events] == [("drew", 0, "stock", "3C")]


def test_1_4_draw_the_top_of_the_discard_pile():
    before = position(HOPELESS, None, lap=1, discard="4S 2C")
    after, events = step(before, PILE)
    assert after.seats[0].hand == (*before.seats[0].hand, Card("2C"))
    assert (after.discard, after.taken) == (cards("4S"), "2C")
    assert (events[0].source, events[0].card) == ("discard", "2C")


def test_1_4_then_discard_one_card():
    before = position(HOPELESS, None, drawn="3C")
    after, events = step(before, Discard(Card("KD")))
    assert Card("KD") not in after.seats[0].hand
    assert after.discard == (*before.discard, Card("KD"))
    assert (after.phase, after.turn, after.seats[0].turns) == ("draw", 1, 1)
    assert [(event.type, event.seat, event.card) for event in events] == [("discarded", 0, "KD")]


def test_1_4_the_card_drawn_from_the_stock_may_be_discarded():
    after, _ = step(position(HOPELESS, None, drawn="3C"), Discard(Card("3C")))
    assert after.discard[-1] == "3C"


def test_1_4_the_turn_passes_to_the_next_seat_still_in():
    state = position(HOPELESS, None, None, None, statuses=("in", "packed_first"), turn=0, lap=1, drawn="3C")
    assert step(state, Discard(Card("3C")))[0].turn == 2
    last = position(HOPELESS, None, None, None, statuses=("in", "packed_first"), turn=3, lap=1, drawn="3C")
    assert step(last, Discard(Card("3C")))[0].turn == 0


def test_1_4_pack_instead_of_drawing_only():
    drawn = position(HOPELESS, None, drawn="3C")
    assert code(drawn, 0, Pack()) == "wrong_phase"
    assert code(drawn, 0, STOCK) == code(drawn, 0, PILE) == "wrong_phase"
    fresh = position(HOPELESS, None)
    assert code(fresh, 0, Discard(Card("KD"))) == "wrong_phase"
    assert code(fresh, 0, Declare(Card("KD"))) == "wrong_phase"


def test_not_your_turn():
    state = position(HOPELESS, None, None)
    for move in (STOCK, PILE, Pack(), Discard(Card("KD")), Declare(Card("KD"))):
        assert code(state, 1, move) == "not_your_turn"
        assert "seat 0" in refusal(state, 1, move).message


def test_the_order_of_violations():
    over, _ = step(position(HOPELESS, None), Abort())
    drawn = position(HOPELESS, None, drawn="3C")
    assert code(over, 1, Discard(Card("9C"))) == "game_over"
    assert code(drawn, 1, Draw("stock")) == "not_your_turn"  # before wrong_phase
    assert code(position(HOPELESS, None), 0, Discard(Card("9C"))) == "wrong_phase"  # before card_not_held
    assert code(drawn, 0, Declare(Card("9C"))) == "card_not_held"  # before not_declarable


def test_card_not_held():
    state = position(HOPELESS, None, drawn="3C")
    found = refusal(state, 0, Discard(Card("9C")))
    assert (found.code, found.cards) == ("card_not_held", ("9C",))
    assert code(state, 0, Declare(Card("9C"))) == "card_not_held"
    twice = Declare(Card("3C"), (cards("3C 4C 5S"),))  # the fold is not there a second time
    assert refusal(state, 0, twice).cards == cards("5S 3C")


def test_moves_of_nobody_are_no_moves():
    state = position(HOPELESS, None)
    for seat, move in ((None, STOCK), (2, STOCK), (-1, Pack()), (0, NextRound()), (0, Forfeit(1)), (None, Forfeit(2))):
        with pytest.raises(Invalid):
            GAME.violation(state, seat, move, SEARCH)
        with pytest.raises(Invalid):
            GAME.apply(state, seat, move, SEARCH)
    with pytest.raises(Invalid):
        GAME.legal_moves(state, 2, SEARCH)
    with pytest.raises(Invalid):
        GAME.view(state, 2)


def test_1_4_the_card_just_taken_may_not_be_discarded():
    state = position(HOPELESS, None, drawn="3C", taken=True)
    found = refusal(state, 0, Discard(Card("3C")))
    assert (found.code, found.cards) == ("taken_card", ("3C",))
    assert Discard(Card("3C")) not in GAME.legal_moves(state, 0, NoGroups())
    step(state, Discard(Card("KD")))


def test_1_4_unless_another_copy_was_held():
    held = HOPELESS.replace("AS", "3C")
    state = position(held, None, None, None, drawn="3C", taken=True)
    assert Discard(Card("3C")) in GAME.legal_moves(state, 0, NoGroups())
    after, _ = step(state, Discard(Card("3C")))
    assert Card("3C") in after.seats[0].hand


def test_1_4_may_discard_taken_card():
    state = position(HOPELESS, None, drawn="3C", taken=True, rules=replace(HOUSE, may_discard_taken_card=True))
    assert Discard(Card("3C")) in GAME.legal_moves(state, 0, NoGroups())
    step(state, Discard(Card("3C")))


def test_1_4_a_card_taken_in_an_earlier_turn_may_be_discarded():
    state = position(HOPELESS, None, lap=1, discard="3C")
    state, _ = step(state, PILE, Discard(Card("KD")), STOCK)
    state, _ = step(state, Discard(state.seats[state.turn].hand[-1]), STOCK, Discard(Card("3C")))
    assert state.discard[-1] == "3C"


def test_1_4_folding_the_taken_card_is_allowed():
    state = position(WINNING, None, drawn="KC", taken=True)
    assert Declare(Card("KC")) in GAME.legal_moves(state, 0, SEARCH)
    assert step(state, Declare(Card("KC")))[0].last_round.winner == 0


@pytest.mark.parametrize("wildcard", ["9C", "JK"])
def test_1_4_take_a_wildcard_from_the_discard_pile(wildcard):
    house = position(HOPELESS, None, lap=1, discard=f"2C {wildcard}")
    assert step(house, PILE)[0].taken == wildcard
    strict = replace(HOUSE, may_take_discarded_wild=False)
    refused = position(HOPELESS, None, lap=1, discard=f"2C {wildcard}", rules=strict)
    found = refusal(refused, 0, PILE)
    assert (found.code, found.cards) == ("wild_discard", (wildcard,))
    assert GAME.legal_moves(refused, 0, SEARCH) == (STOCK, Pack())


def test_1_8_the_card_that_started_the_pile_may_be_taken():
    opening = position(HOPELESS, None, discard="JK", rules=replace(INDIAN, decks=2))
    assert step(opening, PILE)[0].taken == JOKER
    later = position(HOPELESS, None, discard="9C", rules=INDIAN, lap=1, opening=False)
    assert code(later, 0, PILE) == "wild_discard"
    covered = position(HOPELESS, None, discard="9C JK", rules=INDIAN, lap=1, opening=True)
    assert code(covered, 0, PILE) == "wild_discard"


def test_1_8_packs_leave_the_opening_card_takeable():
    state, _ = step(position(HOPELESS, None, None, discard="9C", rules=INDIAN), Pack())
    assert PILE in GAME.legal_moves(state, 1, SEARCH)


def test_1_8_the_opening_card_is_forgotten_once_taken():
    strict = replace(HOUSE, may_take_discarded_wild=False, may_discard_taken_card=True)
    state, _ = step(position(HOPELESS, None, discard="9C", rules=strict), PILE, Discard(Card("9C")))
    assert code(state, 1, PILE) == "wild_discard"


def test_1_4_stock_empty_is_filled_from_the_discard_pile():
    before = position(HOPELESS, None, lap=14, stock_size=0, discard="2C KC")
    assert not before.stock
    under = before.discard[:-1]
    after, (reshuffled, drew) = step(before, STOCK)
    order = shuffle(SEED, "rummy/1", under)
    assert (*after.stock, drew.card) == order
    assert after.discard == cards("KC")
    assert (reshuffled.type, reshuffled.count, after.shuffles) == ("reshuffled", len(under), 2)
    assert after.opening is False


def test_1_4_no_reshuffle_before_a_draw_finds_the_stock_empty():
    state = position(HOPELESS, None, lap=14, stock_size=1)
    state, events = step(state, STOCK)
    assert [event.type for event in events] == ["drew"]
    assert state.stock == ()
    _, events = step(state, Discard(state.seats[state.turn].hand[-1]), STOCK)
    assert [event.type for event in events] == ["reshuffled", "drew"]


def test_1_4_nothing_to_shuffle():
    """No deal leads here (`too_few_cards` keeps enough cards on the table), so the position is not checked."""
    state = replace(position(HOPELESS, None, lap=1), stock=(), discard=cards("2C"))
    assert code(state, 0, STOCK) == "stock_empty"
    assert GAME.legal_moves(state, 0, SEARCH) == (PILE, Pack())
    empty = replace(state, discard=())
    assert (code(empty, 0, STOCK), code(empty, 0, PILE)) == ("stock_empty", "discard_empty")
    assert GAME.legal_moves(empty, 0, SEARCH) == (Pack(),)


def test_1_4_discard_empty():
    """The first card of the pile was taken by a seat that then forfeited."""
    state, _ = step(position(HOPELESS, None, None), PILE, Forfeit(0))
    assert state.discard == ()
    assert code(state, 1, PILE) == "discard_empty"
    assert GAME.legal_moves(state, 1, SEARCH) == (STOCK, Pack())


def test_1_4_max_turns_ends_the_round_without_a_winner():
    rules = replace(HOUSE, max_turns=4)
    state = position(HOPELESS, None, lap=1, turn=1, drawn="3C", rules=rules)
    after, events = step(state, Discard(Card("3C")))
    assert [event.type for event in events] == ["discarded", "round_scored"]
    last = after.last_round
    assert (after.phase, after.turn, last.winner, last.fold) == ("round_over", None, None, None)
    assert [result.reason for result in last.results] == ["loose", "loose"]
    assert last.results[0].points == 95
    assert last.settlement == (0, 0)
    assert after.totals == tuple(result.points for result in last.results)


def test_1_4_a_pack_is_a_turn():
    rules = replace(HOUSE, max_turns=4)
    state = position(HOPELESS, None, None, lap=1, turn=0, rules=rules)
    after, events = step(state, Pack())
    assert [event.type for event in events] == ["packed", "round_scored"]
    assert [result.reason for result in after.last_round.results] == ["packed_later", "loose", "loose"]


def test_1_4_the_last_turn_can_still_be_won():
    state = position(WINNING, None, lap=1, turn=0, drawn="KC", rules=replace(HOUSE, max_turns=3))
    assert step(state, Declare(Card("KC")))[0].last_round.winner == 0


def test_legal_moves_are_listed_once_a_face_in_order():
    state = position(WINNING.replace("2S", "KC"), None, None, None, drawn="KC", discard="4D")
    moves = GAME.legal_moves(state, 0, NoGroups())
    faces = in_order(set(state.seats[0].hand))
    assert moves == tuple(Discard(card) for card in faces)
    assert len(faces) == 13
    assert GAME.legal_moves(state, 1, SEARCH) == ()


def test_1_4_timeouts_draw_and_discard_the_drawn_card():
    state, _ = step(position(HOPELESS, None, top="3C"), STOCK)
    assert GAME.default_move(position(HOPELESS, None), SEARCH) == STOCK
    assert GAME.default_move(state, SEARCH) == Discard(Card("3C"))


def test_1_4_timeouts_after_taking_from_the_pile_leave_the_fewest_points():
    state = position(HOPELESS, None, drawn="KC", taken=True)
    assert GAME.default_move(state, SEARCH) == Discard(Card("AS"))  # of the tens the first in order
    aces = position("AS 2S 3S 4D 5D 6D 7H 8H 2D 4H 8S JD QC", None, drawn="KC", taken=True)
    assert GAME.default_move(aces, SEARCH) == Discard(Card("JD"))  # the ace stands in a sequence, the king was taken
    both = position("AS 2S 3S 4D 5D 6D 7H 8H 2D 4H 8S 3C KC", None, None, None, drawn="KC", taken=True)
    assert GAME.default_move(both, SEARCH) == Discard(Card("KC"))  # another copy was held
    rules = replace(HOUSE, trio_needs="nothing")
    won = position(WINNING, None, drawn="KC", taken=True, rules=rules)
    assert GAME.default_move(won, SEARCH) != Discard(Card("KC"))
    free = replace(won, rules=replace(rules, may_discard_taken_card=True))
    assert GAME.default_move(free, SEARCH) == Discard(Card("KC"))


def test_1_4_timeouts_ask_once_for_each_face_that_may_go():
    asked = []

    class Counting(Search):
        def best(self, hand, wild_rank, rules):
            asked.append(hand)
            return super().best(hand, wild_rank, rules)

    state = position("AS AS 3S 4D 5D 6D 7H 8H 2D 4H 8S 3C QC", None, None, None, drawn="KC", taken=True)
    GAME.default_move(state, Counting())
    assert len(asked) == 12


def test_1_4_timeouts_that_cannot_be_decided_choose_nothing():
    class Torn(NoGroups):
        def best(self, hand, wild_rank, rules):
            raise Undecided("the fewest points of a hand")

    with pytest.raises(Undecided):
        GAME.default_move(position(HOPELESS, None, drawn="KC", taken=True), Torn())


def test_1_4_timeouts_against_every_discard_that_is_tried():
    """From random hands: no permitted card leaves fewer points, and of those that leave as few none costs more."""
    rng = random.Random(4)
    for _ in range(20):
        state, _ = GAME.deal(rng.randint(2, 5), HOUSE, rng.randbytes(32).hex(), None)
        state, _ = GAME.apply(state, state.turn, PILE, SEARCH)
        hand, worth = state.seats[state.turn].hand, {}
        for card in in_order(set(hand)):
            if GAME.violation(state, state.turn, Discard(card), SEARCH) is None:
                left = SEARCH.best(without(hand, (card,)), state.wild_rank, HOUSE).points
                worth[card] = (left, -costs(state.wild_rank, state.rules)[card])
        expected = min(worth, key=lambda card: (*worth[card], card.order))
        assert GAME.default_move(state, SEARCH) == Discard(expected)


def test_1_4_timeouts_where_the_stock_cannot_be_drawn_from():
    state = replace(position(HOPELESS, None, lap=1), stock=(), discard=cards("2C"))
    assert GAME.default_move(state, SEARCH) == PILE
    assert GAME.default_move(replace(state, discard=()), SEARCH) == Pack()
    ended, _ = step(position(HOPELESS, None), Abort())
    with pytest.raises(ValueError, match="no seat is to move"):
        GAME.default_move(ended, SEARCH)

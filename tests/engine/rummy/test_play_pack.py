"""Packing: rules.md §1.5; forfeits and aborts: §1.7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card, in_order
from engine.game import Abort, Forfeit, NextRound, Withdraw
from engine.rummy.game import GAME
from engine.rummy.moves import Declare, Discard, Draw, Pack
from engine.rummy.rules import HOUSE, INDIAN
from engine.shuffling import shuffle
from tests.engine.rummy.tables import HOPELESS, SEARCH, SEED, WINNING, position
from tests.engine.rummy.test_play_turn import code, refusal, step


def points(state):
    return [(result.points, result.reason) for result in state.last_round.results]


def test_1_5_pack_on_the_first_turn():
    before = position(HOPELESS, None, None)
    after, events = step(before, Pack())
    assert [(event.type, event.seat, event.status) for event in events] == [("packed", 0, "packed_first")]
    assert (after.seats[0].status, after.seats[0].hand, after.seats[0].turns) == ("packed_first", (), 1)
    assert (after.turn, after.phase, after.plies) == (1, "draw", 1)


def test_1_5_the_cards_are_shuffled_and_put_under_the_stock():
    before = position(HOPELESS, None, None)
    after, _ = step(before, Pack())
    under = shuffle(SEED, "rummy/1", in_order(before.seats[0].hand))
    assert after.stock == under + before.stock
    assert (after.shuffles, after.removed) == (2, ())


def test_1_5_first_pack_under_stock_off():
    before = position(HOPELESS, None, None, rules=replace(HOUSE, first_pack_under_stock=False))
    after, _ = step(before, Pack())
    assert after.removed == before.seats[0].hand
    assert (after.stock, after.shuffles, after.seats[0].status) == (before.stock, 1, "packed_first")


def test_1_5_pack_later():
    before = position(HOPELESS, None, None, lap=1)
    after, events = step(before, Pack())
    assert events[0].status == after.seats[0].status == "packed_later"
    assert after.removed == before.seats[0].hand
    assert (after.stock, after.shuffles, after.seats[0].turns) == (before.stock, 1, 2)


def test_1_5_the_own_first_turn_counts_not_the_round_s():
    state, _ = step(position(HOPELESS, None, None, drawn="3C"), Discard(Card("3C")))
    assert step(state, Pack())[1][0].status == "packed_first"


def test_1_9_where_packing_is_off_a_pack_is_illegal_and_a_forfeit_still_counts_as_one():
    state = position(HOPELESS, None, rules=replace(HOUSE, packing=False))
    assert code(state, 0, Pack()) == "packing_off"
    assert code(state, 1, Pack()) == "not_your_turn"
    assert Pack() not in GAME.legal_moves(state, 0, SEARCH)
    drawn, _ = step(state, Draw("stock"))
    assert code(drawn, 0, Pack()) == "wrong_phase"
    after, _ = step(state, Forfeit(0))
    assert points(after) == [(20, "packed_first"), (0, "won")]


def test_1_9_where_packing_is_off_no_message_names_it():
    """A wildcard that may not be taken, and a card that has not been drawn."""
    state = position(HOPELESS, None, lap=1, discard="9C", opening=False, rules=replace(INDIAN, packing=False))
    for move in (Draw("discard"), Discard(Card("AS"))):
        found = GAME.violation(state, 0, move, SEARCH)
        assert found is not None
        assert "pack" not in found.message


@pytest.mark.parametrize(("lap", "lost", "reason"), [(0, 20, "packed_first"), (1, 40, "packed_later")])
def test_1_5_two_players_packing_ends_the_round(lap, lost, reason):
    after, events = step(position(HOPELESS, None, lap=lap), Pack())
    assert [event.type for event in events] == ["packed", "round_scored"]
    assert points(after) == [(lost, reason), (0, "won")]
    assert (after.last_round.winner, after.last_round.settlement) == (1, (-lost, lost))
    assert (after.phase, after.turn, after.totals) == ("round_over", None, (lost, 0))


def test_1_5_more_play_goes_on_until_one_is_left():
    state, events = step(position(HOPELESS, None, None, lap=1), Pack())
    assert [event.type for event in events] == ["packed"]
    state, _ = step(state, Draw("stock"))
    state, events = step(state, Discard(state.seats[state.turn].hand[-1]), Pack())
    assert [event.type for event in events] == ["packed", "round_scored"]
    assert points(state) == [(40, "packed_later"), (0, "won"), (40, "packed_later")]
    assert state.last_round.settlement == (-40, 80, -40)


def test_1_5_the_winner_scores_0_and_packed_seats_keep_theirs():
    state = position(None, WINNING, None, drawn="KC", turn=1, lap=1, statuses=("packed_first",))
    after, _ = step(state, Declare(Card("KC")))
    assert points(after)[:2] == [(20, "packed_first"), (0, "won")]
    assert points(after)[2][1] == "loose"


@pytest.mark.parametrize(
    ("rules", "lap", "lost"),
    [
        (replace(HOUSE, pack_first=7), 0, 7),
        (replace(HOUSE, pack_later=9), 1, 9),
        (INDIAN, 0, 20),
        (INDIAN, 1, 40),
    ],
)
def test_1_5_what_a_pack_costs(rules, lap, lost):
    assert points(step(position(HOPELESS, None, lap=lap, rules=rules), Pack())[0])[0][0] == lost


def test_1_5_pack_only_before_drawing():
    assert code(position(HOPELESS, None, drawn="3C"), 0, Pack()) == "wrong_phase"


def test_1_7_forfeit_before_the_first_turn():
    """Of a seat that is not to move: 20 points, its cards go under the stock, and the turn stays."""
    before = position(HOPELESS, None, None)
    after, events = step(before, Forfeit(2))
    assert [(event.type, event.seat) for event in events] == [("forfeited", 2)]
    assert (after.seats[2].status, after.seats[2].turns, after.turn) == ("packed_first", 0, 0)
    assert after.stock[13:] == before.stock
    assert after.plies == before.plies


def test_1_7_forfeit_later():
    before = position(HOPELESS, None, None, lap=1)
    after, _ = step(before, Forfeit(1))
    assert (after.seats[1].status, after.removed) == ("packed_later", before.seats[1].hand)


def test_1_7_forfeit_in_the_own_turn_passes_it_on():
    after, _ = step(position(HOPELESS, None, None), Forfeit(0))
    assert (after.turn, after.phase, after.seats[0].status) == (1, "draw", "packed_first")


def test_1_7_forfeit_mid_turn_takes_the_fourteenth_card_along():
    """A turn begins with its draw: even in the first one it costs 40."""
    before = position(HOPELESS, None, None, drawn="3C")
    after, _ = step(before, Forfeit(0))
    assert after.removed == before.seats[0].hand
    assert len(after.removed) == 14
    assert (after.seats[0].status, after.turn, after.phase) == ("packed_later", 1, "draw")


def test_1_7_forfeit_may_end_the_round():
    after, events = step(position(HOPELESS, None), Forfeit(1))
    assert [event.type for event in events] == ["forfeited", "round_scored"]
    assert points(after) == [(0, "won"), (20, "packed_first")]


def test_1_7_forfeit_may_end_the_round_in_the_middle_of_the_winner_s_turn():
    after, _ = step(position(HOPELESS, None, drawn="3C"), Forfeit(1))
    assert points(after) == [(0, "won"), (20, "packed_first")]
    assert len(after.seats[0].hand) == 14
    assert (after.turn, after.taken) == (None, None)


def test_1_7_forfeit_in_the_last_turn_ends_the_round():
    state = position(HOPELESS, None, None, drawn="3C", turn=2, rules=replace(HOUSE, max_turns=3))
    after, events = step(state, Forfeit(2))
    assert [event.type for event in events] == ["forfeited", "round_scored"]
    assert after.last_round.winner is None


def test_1_7_forfeit_once_a_round():
    state, _ = step(position(HOPELESS, None, None), Forfeit(1))
    assert refusal(state, None, Forfeit(1)).code == "wrong_phase"
    over, _ = step(state, Forfeit(0))
    assert refusal(over, None, Forfeit(2)).code == "wrong_phase"


def test_1_7_forfeit_is_of_the_round_only():
    state, _ = step(position(HOPELESS, None), Forfeit(1))
    state, events = step(state, NextRound())
    assert [event.type for event in events] == ["dealt"]
    assert [seat.status for seat in state.seats] == ["in", "in"]


def test_1_7_abort():
    for before in (
        position(HOPELESS, None, None, lap=1),
        position(HOPELESS, None, None, drawn="3C", taken=True),
        step(position(HOPELESS, None), Pack())[0],
    ):
        after, events = step(before, Abort())
        assert [event.type for event in events] == ["aborted"]
        assert (after.phase, after.turn, after.totals) == ("match_over", None, before.totals)
        outcome = GAME.outcome(after)
        assert (outcome.winners, outcome.totals, outcome.reason) == ((), before.totals, "aborted")
        for move in (Abort(), NextRound(), Forfeit(0)):
            assert refusal(after, None, move).code == "game_over"
        assert refusal(after, 0, Draw("stock")).code == "game_over"
        assert GAME.legal_moves(after, None, SEARCH) == GAME.legal_moves(after, 0, SEARCH) == ()


def test_the_referee_s_legal_moves():
    state = position(HOPELESS, None, None, statuses=("in", "packed_first"), turn=2, lap=1)
    assert GAME.legal_moves(state, None, SEARCH) == (Forfeit(0), Forfeit(2), *map(Withdraw, range(3)), Abort())
    over, _ = step(position(HOPELESS, None), Pack())
    assert GAME.legal_moves(over, None, SEARCH) == (NextRound(), Withdraw(0), Withdraw(1), Abort())
    assert GAME.legal_moves(over, 0, SEARCH) == ()
    assert refusal(over, 0, Draw("stock")).code == "not_your_turn"
    assert refusal(state, None, NextRound()).code == "wrong_phase"

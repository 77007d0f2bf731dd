"""What a seat may know: rules.md §1.6 (last sentence)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from engine.game import Abort, Hidden, NextRound
from engine.rummy.events import Drew
from engine.rummy.game import GAME
from engine.rummy.moves import Declare, Pack
from engine.rummy.rules import HOUSE
from tests.engine.rummy.tables import HOPELESS, WINNING, cards, position
from tests.engine.rummy.test_play_turn import step

PENALTY = replace(HOUSE, invalid_declaration="penalty")


def test_a_seat_sees_its_own_hand_and_counts_of_the_others():
    state = position(HOPELESS, None, None, drawn="3C")
    seen = GAME.view(state, 1)
    assert [seat.hand for seat in seen.seats] == [Hidden(14), state.seats[1].hand, Hidden(13)]
    assert seen.stock == Hidden(len(state.stock))
    assert seen.removed == Hidden(0)
    assert (seen.discard, seen.wild_card, seen.wild_rank) == (state.discard, state.wild_card, "9")
    assert not hasattr(seen, "seed")


def test_a_spectator_sees_what_lies_face_up():
    state = position(HOPELESS, None)
    seen = GAME.view(state, None)
    assert [seat.hand for seat in seen.seats] == [Hidden(13), Hidden(13)]
    assert (seen.viewer, seen.to_move, seen.turn) == (None, None, 0)


def test_viewer_and_to_move():
    state = position(HOPELESS, None)
    assert [(GAME.view(state, seat).viewer, GAME.view(state, seat).to_move) for seat in (0, 1)] == [
        (0, True),
        (1, False),
    ]


def test_names_are_those_of_the_state():
    state, seen = position(HOPELESS, None), GAME.view(position(HOPELESS, None), 0)
    own = {"viewer", "to_move", "totals", "standings", "pot", "agreed", "split", "rejoin_total"}
    names = set(type(seen).__dataclass_fields__) - own
    assert names == set(type(state).__dataclass_fields__) - {"seed", "match"}
    assert all(getattr(seen, name) == getattr(state, name) for name in names - {"seats", "stock", "removed"})


def test_the_card_drawn_from_the_stock_is_the_drawer_s_secret():
    state = position(HOPELESS, None, drawn="3C")
    assert GAME.view(state, 0).seats[0].hand[-1] == "3C"
    assert GAME.view(state, 1).seats[0].hand == Hidden(14)
    event = Drew(0, "stock", Card("3C"))
    assert [event.seen_by(seat).card for seat in (0, 1, None)] == ["3C", None, None]


def test_a_card_taken_from_the_discard_pile_is_known_to_all():
    state = position(HOPELESS, None, drawn="3C", taken=True)
    assert [GAME.view(state, seat).taken for seat in (0, 1, None)] == ["3C"] * 3
    event = Drew(0, "discard", Card("3C"))
    assert all(event.seen_by(seat) is event for seat in (0, 1, None))


@pytest.mark.parametrize("lap", [0, 1])
def test_packed_hands_stay_hidden(lap):
    """Under the stock or out of the round, during the round and after its end."""
    state = position(HOPELESS, WINNING, None, lap=lap)
    packed = state.seats[0].hand
    state, events = step(state, Pack())
    for after in (state, step(state, Pack())[0]):
        for viewer in (1, 2, None):
            text = repr(GAME.view(after, viewer)) + repr([event.seen_by(viewer) for event in events])
            others = [card for card in packed if card not in after.seats[2].hand]
            hidden = [card for card in others if after.phase == "draw" or card not in after.seats[1].hand]
            assert not any(
                f"'{card}'" in text for card in hidden if card not in (*cards("2C 9D"), *after.seats[1].hand)
            )


def test_1_6_at_the_end_of_a_round_hands_of_the_seats_still_in_are_open():
    state, _ = step(
        position(HOPELESS, None, WINNING, turn=2, drawn="KC", statuses=("in", "packed_first")), Declare(Card("KC"))
    )
    for viewer in (0, 1, None):
        seen = GAME.view(state, viewer)
        assert seen.seats[0].hand == cards(HOPELESS)
        assert seen.seats[2].hand == cards(WINNING)
        assert seen.last_round.fold == "KC"
        assert [result.grouping is None for result in seen.last_round.results] == [False, True, False]
        assert seen.stock == Hidden(len(state.stock))
        assert seen.removed == Hidden(1)


def test_1_6_the_next_deal_closes_hands_again():
    state, _ = step(position(HOPELESS, None), Pack())
    assert GAME.view(state, None).seats[1].hand == state.seats[1].hand
    state, (event,) = step(state, NextRound())
    assert [seat.hand for seat in GAME.view(state, None).seats] == [Hidden(13), Hidden(13)]
    assert event.seen_by(None).hands is None


def test_an_aborted_round_stays_hidden():
    state, _ = step(position(HOPELESS, None, drawn="3C"), Abort())
    assert [seat.hand for seat in GAME.view(state, 1).seats] == [Hidden(14), state.seats[1].hand]
    over, _ = step(position(HOPELESS, None), Pack())
    aborted, _ = step(over, Abort())  # after the end of a round, what was open stays open
    assert GAME.view(aborted, None).seats == GAME.view(over, None).seats


def test_a_failed_declaration_shows_the_groups_sent_and_no_more():
    state = position(HOPELESS, None, None, drawn="3C", lap=1, rules=PENALTY)
    hand = state.seats[0].hand
    after, (event,) = step(state, Declare(hand[0], (hand[1:4],)))
    assert event.seen_by(None).groups == (hand[1:4],)
    assert GAME.view(after, 1).removed == Hidden(14)
    assert repr(hand[0]) not in repr(event)
    _, (silent,) = step(state, Declare(hand[0]))
    assert silent.groups is None

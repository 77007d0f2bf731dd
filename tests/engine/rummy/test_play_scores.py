"""The score of a round and of a match: rules.md §1.6 and §1.7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from engine.game import NextRound
from engine.rummy.game import GAME
from engine.rummy.moves import Declare, Discard, Draw, Pack
from engine.rummy.recorded import RecordedArranger
from engine.rummy.rules import HOUSE
from tests.engine.rummy.tables import HOPELESS, SEARCH, WINNING, cards, position
from tests.engine.rummy.test_play_turn import refusal, step

KC = Card("KC")
ODD = "6H 7H 8H 3D KD JS TC AC 5D 7D AS 4C JH"  # one pure sequence; 3+10+10+10+10+5+7+10+4+10 = 79 are loose


def declared(*losers, rules=HOUSE, first=True, **fields):
    """The end of a round that the starter, seat 0, wins: on its first turn, or on a later one."""
    state = position(WINNING, *losers, rules=rules, drawn="KC", lap=0 if first else 1, **fields)
    after, events = step(state, Declare(KC))
    return after, events[1]


def points(event):
    return [(result.points, result.reason) for result in event.results]


def test_1_6_the_winner_scores_0_and_the_others_their_loose_cards():
    after, scored = declared(ODD, first=False)
    assert points(scored) == [(0, "won"), (79, "loose")]
    assert (scored.round, scored.winner, scored.fold, scored.first_turn) == (1, 0, "KC", False)
    assert (scored.totals, scored.settlement) == ((0, 79), (79, -79))
    grouping = scored.results[1].grouping
    assert [group.cards for group in grouping.groups] == [cards("6H 7H 8H")]
    assert (grouping.points, grouping.declarable) == (79, False)
    assert scored.results[0].grouping.declarable
    assert (after.last_round.results, after.totals) == (scored.results, scored.totals)


def test_1_6_a_loser_is_scored_and_never_declared_for():
    """With two decks a loser can hold the winner's very cards: three pure sequences open no trio in a score."""
    state, scored = declared(WINNING, first=False, rules=replace(HOUSE, decks=2))
    assert points(scored) == [(0, "won"), (30, "loose")]
    won, lost = (result.grouping for result in scored.results)
    assert (won.declarable, won.loose) == (True, ())
    assert (lost.declarable, sorted(lost.loose)) == (False, sorted(cards("QH QD QC")))
    GAME.check(state)
    before = position(WINNING, WINNING, rules=replace(HOUSE, decks=2), drawn="KC", lap=1)
    replayed, _ = GAME.apply(before, 0, Declare(KC), RecordedArranger([scored]))
    assert replayed == state
    kinder, scored = declared(WINNING, first=False, rules=replace(HOUSE, decks=2, trio_needs="second_sequence"))
    assert points(scored) == [(0, "won"), (0, "loose")]
    GAME.check(kinder)


def test_1_6_packed_and_penalised_are_charged_as_they_are():
    rules = replace(HOUSE, invalid_declaration="penalty", points_cap=10)
    after, scored = declared(None, None, ODD, rules=rules, first=False, statuses=("in", "packed_first", "penalised"))
    assert points(scored) == [(0, "won"), (20, "packed_first"), (80, "penalised"), (10, "loose")]
    assert after.last_round.settlement == (110, -20, -80, -10)


@pytest.mark.parametrize(("rounding", "half"), [("down", 39), ("up", 40), ("exact", 39.5)])
def test_1_6_declaring_on_the_very_first_turn_halves(rounding, half):
    _, scored = declared(ODD, rules=replace(HOUSE, halve_rounding=rounding))
    assert points(scored) == [(0, "won"), (half, "loose")]
    assert (scored.first_turn, scored.settlement) == (True, (half, -half))
    assert scored.results[1].grouping.points == 79


def test_1_6_first_turn_halves_off():
    _, scored = declared(ODD, rules=replace(HOUSE, first_turn_halves=False))
    assert points(scored)[1] == (79, "loose")


def test_1_6_halving_comes_before_the_cap():
    _, scored = declared(ODD, rules=replace(HOUSE, points_cap=40))
    assert points(scored)[1] == (39, "loose")


def test_1_6_the_first_turn_is_the_starting_seat_s():
    state = position(HOPELESS, WINNING, None, turn=1, drawn="KC")
    after, _ = step(state, Declare(KC))  # its own first turn, but seat 0 has drawn
    assert after.last_round.first_turn is False


@pytest.mark.parametrize("statuses", [("packed_first",), ("in", "in", "packed_first")])
def test_1_6_a_pack_or_forfeit_before_it_is_acting(statuses):
    seat = len(statuses) % 3  # the one after the pack, or the starter
    hands = [None, None, None]
    hands[seat] = WINNING
    after, _ = step(position(*hands, turn=seat, drawn="KC", statuses=statuses), Declare(KC))
    assert after.last_round.first_turn is False


def test_1_6_hands_and_groupings_become_public():
    after, _ = declared(ODD, None, first=False, statuses=("in", "in", "packed_later"))
    for viewer in (None, 0, 1, 2):
        seen = GAME.view(after, viewer)
        assert [seat.hand for seat in seen.seats[:2]] == [seat.hand for seat in after.seats[:2]]
        assert seen.last_round == after.last_round
        assert seen.last_round.fold == "KC"
        assert seen.removed.count == len(after.removed) == 14


def play_out(rules, seats=3):
    """A match of packs, two a round: the last seat before the starter wins each round."""
    state, _ = GAME.deal(seats, rules, "ab" * 32, 0)
    story = []
    while GAME.outcome(state) is None:
        move, seat = (NextRound(), None) if state.turn is None else (Pack(), state.turn)
        state, events = GAME.apply(state, seat, move, SEARCH)
        GAME.check(state)
        story.extend(events)
    return state, story


def test_1_7_one_round_for_each_player():
    for seats in (2, 3, 5):
        state, story = play_out(HOUSE, seats)
        assert state.round == seats
        assert (state.phase, story[-1].type) == ("match_over", "match_over")
        assert [event.type for event in story].count("round_scored") == seats
        assert state.totals == (20 * (seats - 1),) * seats
        outcome = GAME.outcome(state)
        assert (outcome.winners, outcome.reason) == (tuple(range(seats)), "rounds")  # all tie
        assert (story[-1].winners, story[-1].totals) == (outcome.winners, state.totals)


def test_1_7_rounds():
    state, _ = play_out(replace(HOUSE, rounds=2))
    assert (state.round, state.totals) == (2, (20, 40, 20))
    assert GAME.outcome(state).winners == (0, 2)
    assert refusal(state, None, NextRound()).code == "game_over"


def test_1_7_lowest_total_wins():
    state, _ = play_out(replace(HOUSE, rounds=1))
    assert state.totals == (20, 20, 0)
    assert GAME.outcome(state).winners == (2,)


@pytest.mark.parametrize(("target", "rounds"), [(20, 1), (40, 2), (41, 4), (1000, 74)])
def test_1_7_until_a_total_reaches_the_target(target, rounds):
    state, _ = play_out(replace(HOUSE, target_points=target))
    assert state.round == rounds
    assert max(state.totals) >= target
    assert GAME.outcome(state).reason == "target"


def test_1_7_the_last_round_goes_straight_to_match_over():
    state = position(HOPELESS, None, rules=replace(HOUSE, rounds=1))
    after, events = step(state, Pack())
    assert [event.type for event in events] == ["packed", "round_scored", "match_over"]
    assert after.phase == "match_over"
    assert GAME.legal_moves(after, None, SEARCH) == ()


def test_1_7_next_round_deals_anew_and_keeps_totals():
    before, _ = step(position(HOPELESS, None, starter=1, turn=1), Pack())
    after, events = step(before, NextRound())
    assert [event.type for event in events] == ["dealt"]
    assert (after.round, after.starter, after.turn, after.phase) == (2, 0, 0, "draw")
    assert (after.totals, after.last_round) == (before.totals, before.last_round)
    assert (after.removed, len(after.discard), after.opening, after.plies) == ((), 1, True, 0)
    assert after.shuffles == before.shuffles + 1


def test_the_outcome_is_open_while_the_match_goes_on():
    state = position(HOPELESS, None)
    assert GAME.outcome(state) is None
    assert (GAME.to_move(state), GAME.to_move(step(state, Pack())[0])) == (0, None)


def test_plies_and_turns_count_this_round():
    state = position(HOPELESS, None, None)
    seen = []
    for move in (Draw("stock"), None, Pack(), Draw("discard"), Discard(Card("KD"))):
        chosen = GAME.default_move(state, SEARCH) if move is None or isinstance(move, Discard) else move
        state, _ = step(state, chosen)
        seen.append((state.plies, [seat.turns for seat in state.seats]))
    assert seen == [(1, [1, 0, 0]), (2, [1, 0, 0]), (3, [1, 1, 0]), (4, [1, 1, 1]), (5, [1, 1, 1])]

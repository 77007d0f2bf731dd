"""rules.md §2.4, §2.5: going out, scoring, the match, and the referee's own moves."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card
from engine.errors import Invalid
from engine.game import Abort, Aborted, Forfeit, Forfeited, MatchOver, NextRound, Outcome, Withdraw
from engine.options import resolve
from engine.swoop.events import RoundScored, WentOut
from engine.swoop.game import GAME
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.rules import HOUSE, SwoopRules
from engine.swoop.scoring import points_of
from engine.swoop.state import Result, RoundScore, State
from tests.engine.swoop.builders import cards, flip, play, refused, seat, table, types


def referee(state: State, move: Move) -> tuple[State, list[Any]]:
    after, events = GAME.apply(state, None, move, None)
    GAME.check(after)
    return after, list(events)


def scored(**options: Any) -> State:
    """A match of three after its first round, which seat 0 won."""
    rules = resolve(SwoopRules, options)
    return play(table(seat("5H"), seat("9S 4D"), seat("KC"), pile="9D", rules=rules), "5H")[0]


def test_2_4_the_last_card_discarded_goes_out_and_ends_the_round_at_once() -> None:
    after, events = play(table(seat("5H"), seat("9S 4D"), pile="9D"), "5H")

    assert types(events) == ["played", "went_out", "round_scored"]
    assert events[1] == WentOut(0)
    assert after.phase == "round_over"
    assert after.turn is None


def test_2_4_hand_guards_and_secrets_must_all_be_gone() -> None:
    for stacks in (("5C/AH",), ("-/AH",)):
        _, events = play(table(seat("5H", *stacks), seat("9S"), pile="9D"), "5H")
        assert types(events) == ["played"]
    _, events = play(table(seat("5H 6H"), seat("9S"), pile="9D"), "5H")
    assert types(events) == ["played"]


def test_2_4_a_last_card_that_is_picked_up_does_not_go_out() -> None:
    after, events = play(table(seat("KH"), seat("9S"), pile="9D"), "KH")

    assert types(events) == ["played", "picked_up"]
    assert after.turn == 0


def test_2_4_a_last_guard_or_secret_goes_out_too() -> None:
    _, events = play(flip(table(seat("5D", "-/5H"), seat("9S"), pile="9D"), 0), "5D")

    assert types(events) == ["played", "went_out", "round_scored"]


@pytest.mark.parametrize(("hand", "pile"), [("TH", "9D"), ("TH", ""), ("8H", "8D 8S 8C")])
def test_2_4_a_last_card_that_clears_goes_out_too(hand: str, pile: str) -> None:
    after, events = play(table(seat(hand), seat("9S"), pile=pile), hand)

    assert types(events) == ["played", "cleared", "went_out", "round_scored"]
    assert after.phase == "round_over"


def test_2_4_who_is_out_scores_nothing_and_the_others_their_hand_guards_and_secrets() -> None:
    state = table(seat("5H"), seat("9S", "KC/TD", "-/AS"), seat("2S 3S"), pile="9D")
    after, events = play(state, "5H")
    results = (Result(0, "out"), Result(9 + 10 + 50 + 1, "cards"), Result(5, "cards"))

    assert events[-1] == RoundScored(1, results, (0, 70, 5), (75, -70, -5))
    assert after.last_round == RoundScore(1, results)
    assert after.totals == (0, 70, 5)


def test_2_4_house_points() -> None:
    expected = dict.fromkeys(["J", "Q", "K"], 10) | {"A": 1, "T": 50} | {str(n): n for n in range(2, 10)}
    for rank, points in expected.items():
        assert points_of(HOUSE, cards(f"{rank}S")) == points
    assert points_of(HOUSE, [Card("JK")]) == 50
    assert points_of(HOUSE, cards("AS AS TD 9C")) == 61
    assert points_of(HOUSE, []) == 0


def test_2_4_points_are_an_option() -> None:
    table_of_points = {**dict.fromkeys("A23456789TJQK", 1), "JK": 7}
    rules = resolve(SwoopRules, {"points": table_of_points})

    assert points_of(rules, cards("AS TD KC JK")) == 10


def test_2_5_the_match_goes_on_below_the_limit() -> None:
    state = scored()
    assert state.totals == (0, 13, 10)
    assert GAME.outcome(state) is None

    after, events = referee(state, NextRound())
    assert types(tuple(events)) == ["dealt"]
    assert after.round == 2
    assert after.totals == (0, 13, 10)
    assert after.last_round == state.last_round
    assert after.starter == 1
    assert after.shuffles == 2


def test_2_5_a_total_that_reaches_the_limit_ends_the_match() -> None:
    state = scored(limit=13)

    assert state.phase == "match_over"
    assert GAME.outcome(state) == Outcome((0,), (0, 13, 10), "limit", ("3", "0", "0"), (1, 3, 2))
    assert scored(limit=14).phase == "round_over"


def test_2_5_the_last_round_goes_straight_to_match_over() -> None:
    rules = resolve(SwoopRules, {"limit": 13})
    _, events = play(table(seat("5H"), seat("9S 4D"), seat("KC"), pile="9D", rules=rules), "5H")

    assert types(events) == ["played", "went_out", "round_scored", "match_over"]
    assert events[-1] == MatchOver((0,), (0, 13, 10))


def test_2_5_the_lowest_total_wins_and_ties_share() -> None:
    last = RoundScore(2, (Result(60, "cards"), Result(50, "cards"), Result(0, "out")))
    state = table(seat("5H"), seat("TS"), seat("KC"), pile="9D", totals=(100, 50, 140), last_round=last)
    after, _ = play(state, "5H")

    assert GAME.outcome(after) == Outcome((0, 1), (100, 100, 150), "limit", ("3/2", "3/2", "0"), (1, 1, 3))


def test_2_5_the_winner_of_the_match_need_not_be_out_last() -> None:
    last = RoundScore(2, (Result(60, "cards"), Result(0, "out")))
    after, _ = play(table(seat("5H"), seat("TS TD 9S"), pile="9D", totals=(140, 45), last_round=last), "5H")

    assert GAME.outcome(after) == Outcome((0,), (140, 154), "limit", ("2", "0"), (1, 2))


def test_2_5_max_plies_ends_a_round_without_a_winner_and_everyone_scores() -> None:
    rules = resolve(SwoopRules, {"max_plies": 8})
    after, events = play(table(seat("5H 2D"), seat("9S"), pile="9D", rules=rules, plies=7), "5H")

    assert types(events) == ["played", "round_scored"]
    assert after.totals == (2, 9)
    assert events[-1] == RoundScored(1, (Result(2, "cards"), Result(9, "cards")), (2, 9), (0, 0))


def test_2_5_flips_are_plies_too() -> None:
    rules = resolve(SwoopRules, {"max_plies": 8})
    after, events = GAME.apply(table(seat("", "-/5H"), seat("9S"), rules=rules, plies=7), 0, Flip(0), None)

    assert types(tuple(events)) == ["flipped", "round_scored"]
    assert (after.committed, after.totals) == (None, (5, 9))


def test_2_5_going_out_with_the_last_ply_is_going_out() -> None:
    rules = resolve(SwoopRules, {"max_plies": 8})
    after, _ = play(table(seat("5H"), seat("9S"), pile="9D", rules=rules, plies=7), "5H")

    assert after.last_round == RoundScore(1, (Result(0, "out"), Result(9, "cards")))


def test_2_5_at_the_end_of_a_round_hands_and_secrets_become_public() -> None:
    after, _ = play(table(seat("5H"), seat("9S", "KC/TD", "-/AS"), pile="9D"), "5H")
    seen = GAME.view(after, None)

    assert seen.seats[1].hand == cards("9S")
    assert [stack.secret for stack in seen.seats[1].stacks] == ["TD", "AS", None, None]
    assert seen.set_aside.count == len(after.set_aside)


def test_2_5_who_forfeits_is_passed_over_for_the_rest_of_the_round() -> None:
    state = table(seat("2H 3D"), seat("AS 4S"), seat("AD 4C"), pile="9D")
    state, events = referee(state, Forfeit(1))
    assert events == [Forfeited(1)]
    assert state.turn == 0

    state, _ = play(state, "2H")
    assert state.turn == 2
    state, _ = play(state, "AD")
    assert state.turn == 0


def test_2_5_who_forfeits_in_the_own_turn_hands_it_on() -> None:
    state, _ = referee(table(seat("2H 3D"), seat("AS 4S"), seat("AD 4C"), pile="9D", turn=2), Forfeit(2))

    assert state.turn == 0
    assert state.pile == cards("9D")


def test_2_5_who_forfeits_scores_the_cards_it_holds() -> None:
    state, _ = referee(table(seat("5H"), seat("9S", "KC/TD"), seat("AD 4C"), pile="9D"), Forfeit(1))
    after, _ = play(state, "5H")

    assert after.totals == (0, 69, 5)
    assert after.last_round == RoundScore(1, (Result(0, "out"), Result(69, "forfeited"), Result(5, "cards")))


def test_2_5_who_forfeits_is_in_again_in_the_next_round() -> None:
    state, _ = referee(table(seat("5H"), seat("9S"), seat("AD 4C"), pile="9D"), Forfeit(1))
    after, _ = referee(play(state, "5H")[0], NextRound())

    assert [player.status for player in after.seats] == ["in"] * 3


def test_2_5_with_one_seat_left_the_round_ends_that_seat_scores_too_and_nobody_is_out() -> None:
    after, events = referee(table(seat("5H"), seat("9S 4D"), pile="9D"), Forfeit(0))

    assert types(tuple(events)) == ["forfeited", "round_scored"]
    assert after.totals == (5, 13)
    assert after.phase == "round_over"
    assert [result.reason for result in events[-1].results] == ["forfeited", "cards"]
    assert events[-1].settlement == (0, 0)


def test_2_5_forfeiting_with_a_secret_flipped_ends_the_commitment() -> None:
    state = flip(table(seat("2H", "-/5H"), seat("AS 4S"), seat("AD 4C"), pile="9D"), 0)
    after, _ = referee(state, Forfeit(0))

    assert after.committed is None
    assert after.turn == 1


def test_2_5_forfeit_of_another_seat_leaves_the_commitment() -> None:
    state = flip(table(seat("2H", "-/5H"), seat("AS 4S"), seat("AD 4C"), pile="9D"), 0)
    after, _ = referee(state, Forfeit(2))

    assert after.committed == 0
    assert after.turn == 0


def test_2_5_a_forfeit_may_end_the_match() -> None:
    rules = resolve(SwoopRules, {"limit": 10})
    after, events = referee(table(seat("5H"), seat("9S 4D"), pile="9D", rules=rules), Forfeit(0))

    assert types(tuple(events)) == ["forfeited", "round_scored", "match_over"]
    assert GAME.outcome(after) == Outcome((0,), (5, 13), "limit", ("2", "0"), (1, 2))


@pytest.mark.parametrize("state", [table(seat("5H"), seat("9S 4D"), pile="9D"), scored()])
def test_2_5_abort_ends_the_match_without_a_winner_and_totals_stand(state: State) -> None:
    after, events = referee(state, Abort())

    assert events == [Aborted()]
    assert GAME.outcome(after) == Outcome((), state.totals, "aborted")
    assert after.turn is None


def test_2_5_abort_in_the_middle_of_a_round_opens_no_hands() -> None:
    after, _ = referee(table(seat("5H"), seat("9S 4D"), pile="9D"), Abort())

    assert GAME.view(after, 0).seats[1].hand != after.seats[1].hand


def test_2_5_the_referees_moves_in_each_phase() -> None:
    playing = table(seat("5H"), seat("9S 4D"), seat("3D"), pile="9D")
    assert refused(playing, NextRound(), by=None) == "wrong_phase"
    assert GAME.legal_moves(playing, None, None) == (*map(Forfeit, range(3)), *map(Withdraw, range(3)), Abort())

    gone, _ = referee(playing, Forfeit(1))
    assert refused(gone, Forfeit(1), by=None) == "wrong_phase"
    assert GAME.legal_moves(gone, None, None) == (Forfeit(0), Forfeit(2), *map(Withdraw, range(3)), Abort())

    between = scored()
    assert refused(between, Forfeit(0), by=None) == "wrong_phase"
    assert GAME.legal_moves(between, None, None) == (NextRound(), *map(Withdraw, range(3)), Abort())

    over, _ = referee(between, Abort())
    for move in (NextRound(), Forfeit(0), Abort()):
        assert refused(over, move, by=None) == "game_over"
    assert GAME.legal_moves(over, None, None) == ()


@pytest.mark.parametrize("move", [Play((), ()), Play(cards("5H"), ()), Flip(0)])
def test_2_5_a_seats_moves_in_each_phase(move: Move) -> None:
    playing = table(seat("5H"), seat("9S 4D"), seat("3D"), pile="9D")
    between = scored()
    over, _ = referee(between, Abort())

    assert refused(playing, move, by=1) == "not_your_turn"
    assert refused(between, move, by=0) == "not_your_turn"
    assert refused(over, move, by=0) == "game_over"
    for state in (playing, between, over):
        assert GAME.legal_moves(state, 1, None) == ()


@pytest.mark.parametrize(
    ("by", "move", "pointer"),
    [
        (0, NextRound(), "/seat"),
        (1, Abort(), "/seat"),
        (0, Forfeit(1), "/seat"),
        (None, Flip(0), "/seat"),
        (None, Play((), ()), "/seat"),
        (3, Flip(0), "/seat"),
        (-1, Flip(0), "/seat"),
        (None, Forfeit(3), "/move/seat"),
        (None, Forfeit(-1), "/move/seat"),
    ],
)
def test_a_move_that_its_sender_could_never_make_is_no_illegal_move_but_invalid(
    by: int | None, move: Move, pointer: str
) -> None:
    for state in (table(seat("5H"), seat("9S 4D"), seat("3D"), pile="9D"), scored()):
        for call in (GAME.violation, GAME.apply):
            with pytest.raises(Invalid) as wrong:
                call(state, by, move, None)
            assert [flaw.pointer for flaw in wrong.value.flaws] == [pointer]


def test_a_seat_that_does_not_exist_has_no_view_and_no_moves() -> None:
    state = table(seat("5H"), seat("9S 4D"))
    for call in (lambda at: GAME.view(state, at), lambda at: GAME.legal_moves(state, at, None)):
        for at in (-1, 2):
            with pytest.raises(Invalid):
                call(at)

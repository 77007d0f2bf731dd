"""The public face: what is let go, what cannot be proved, which hands are refused, and that answers repeat."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from bench.hands import KINDS, hands
from engine.cards import JOKER, Card, without
from engine.errors import Undecided
from engine.rummy.declaration import verify_declaration, verify_scored
from engine.rummy.rules import HOUSE, INDIAN, PRESETS, RummyRules
from engine.rummy.scoring import loose_points
from solver import solve
from solver.answer import Answer
from solver.limits import Limits, Pot
from solver.solve import (
    Method,
    SolverArranger,
    best_grouping,
    fewest_points,
    find_declaration,
    loser_grouping,
    winning_folds,
)

NO_WORK = Limits(states=0, deterministic_time=0)
METHODS: tuple[Method, ...] = ("auto", "cp-sat")


def cards(text: str) -> list[Card]:
    return [Card(face) for face in text.split()]


EXAMPLE = cards("4S 5S 6S 8H 8D JK 2C 2C KD QH 9C 3D AC")
DECLARABLE = cards(
    "4S 5S 6S 7D 8D 9D KH KC KS 2H 2S 2C 2D"
)  # with 2s wild; but four of them are one too many for a trio
TWO_PURE = cards("4S 5S 6S 8H 9H TH JH 2C 2D 2H KC KD KH")  # a declaration, and no impure sequence for its trios
HARD = cards("8C 7C 6C 7C 9C 5C 5C 6C TC 5S 9C 5D 8C")


@pytest.mark.parametrize("method", METHODS)
def test_the_example_of_the_contract(method: Method) -> None:
    solution = best_grouping(EXAMPLE, "7", HOUSE, method=method)
    assert solution.arrangement.points == 50
    assert solution.optimal
    assert solution.declarable is False
    assert [group.kind for group in solution.arrangement.groups] == ["pure_sequence", "impure_sequence"]
    assert solution.proof == ("reduction" if method == "auto" else "cp-sat")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("hand", "points", "declarable"),
    [
        pytest.param("4S 5S 6S 8H 9H TH 2C 2D 2H KC KD QH 7C", 43, False, id="two pure sequences open no trio"),
        pytest.param("4S JK 6S 2C 2D 2H KC KD KH 9C 9D 9H AD", 10, False, id="three trios count beside an impure one"),
        pytest.param("4S 5S 6S 8H 9H TH JH 2C 2D 2H KC KD KH", 36, True, id="a loser is not declared for"),
        pytest.param("4S 5S 6S 8H 9H JK JH 2C 2D 2H KC KD KH", 0, True, id="a declaration that counts in full"),
    ],
)
def test_what_a_hand_costs_its_loser(hand: str, points: int, declarable: bool, method: Method) -> None:
    found = best_grouping(cards(hand), None, HOUSE, method=method)
    assert (found.loser_points, found.declarable, found.optimal) == (points, declarable, True)
    assert found.arrangement.points == (0 if declarable else points)
    scored = loser_grouping(cards(hand), None, HOUSE, method=method)
    assert scored.arrangement == fewest_points(cards(hand), None, HOUSE, method=method).arrangement
    assert (scored.arrangement.points, scored.loser_points, scored.declarable) == (points, points, declarable)
    verify_scored(cards(hand), scored.arrangement, None, HOUSE)


@pytest.mark.parametrize("method", METHODS)
def test_of_fourteen_cards_those_that_stay_are_scored(method: Method) -> None:
    hand = [*TWO_PURE, Card("9C")]
    solution = best_grouping(hand, None, HOUSE, method=method)
    assert (solution.discard, solution.declarable, solution.loser_points) == (Card("9C"), True, 36)
    verify_declaration(TWO_PURE, solution.arrangement, None, HOUSE)


def test_a_declaration_whose_score_is_not_proved_is_not_called_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = solve._ask

    def only_declarations(given: Any, choices: Any, covering: bool, *how: Any) -> Any:
        return ask(given, choices, covering, *how) if covering else (Answer(None, False), "cp-sat")

    monkeypatch.setattr(solve, "_ask", only_declarations)
    solution = best_grouping(TWO_PURE, None, HOUSE)
    assert (solution.declarable, solution.optimal, solution.loser_points) == (True, False, None)
    verify_declaration(TWO_PURE, solution.arrangement, None, HOUSE)


@pytest.mark.parametrize("method", METHODS)
def test_the_dearest_useless_card_is_let_go(method: Method) -> None:
    solution = best_grouping([*EXAMPLE, Card("TS")], "7", HOUSE, method=method)
    assert solution.arrangement.points == 50
    assert solution.discard in cards("KD QH TS")
    assert len(solution.arrangement.loose) == 7


@pytest.mark.parametrize("method", METHODS)
def test_a_card_of_a_group_is_let_go_where_all_are_grouped(method: Method) -> None:
    hand = cards("4S 5S 6S 7S 7D 8D 9D TD QH QC QS 3H 3C 3D")
    solution = best_grouping(hand, None, HOUSE, method=method)
    assert solution.declarable
    assert set(winning_folds(hand, None, HOUSE, method=method)) == set(cards("4S 7S 7D TD"))
    assert solution.discard in cards("4S 7S 7D TD")


@pytest.mark.parametrize("method", METHODS)
def test_a_wildcard_is_let_go_where_nothing_else_can_be(method: Method) -> None:
    hand = [*cards("4S 5S 6S 7D 8D 9D KH KC KS QD QC QS"), JOKER, JOKER]
    solution = best_grouping(hand, None, HOUSE, method=method)
    assert solution.declarable
    assert set(winning_folds(hand, None, HOUSE, method=method)) >= {JOKER}
    verify_declaration(without(hand, [solution.discard or JOKER]), solution.arrangement, None, HOUSE)


@pytest.mark.parametrize("method", ["auto", "cp-sat"])
@pytest.mark.parametrize(
    ("text", "rules", "declarable", "points"),
    [
        # four jokers besides three pure runs: a sequence of their own, of no use as a trio of three
        ("4S 5S 6S 7D 8D 9D TC JC QC JK JK JK JK", replace(HOUSE, max_wilds_per_sequence=1), False, 0),
        ("4S 5S 6S 7D 8D 9D TC JC QC JK JK JK JK", replace(HOUSE, max_wilds_per_sequence=1, wildcards_alone="impure_sequence"), True, 0),
        # the second sequence is of jokers alone
        ("4S 5S 6S 9H 9D 9C QH QD QC QS JK JK JK", replace(INDIAN, max_wilds_per_trio=0, min_naturals_per_sequence=3), False, 67),
        ("4S 5S 6S 9H 9D 9C QH QD QC QS JK JK JK", replace(INDIAN, max_wilds_per_trio=0, min_naturals_per_sequence=3, wildcards_alone="impure_sequence"), True, 0),
        ("4S 5S 6S 9H 9D 9C QH QD QC QS JK JK JK", replace(INDIAN, max_wilds_per_trio=0, min_naturals_per_sequence=3, wildcards_alone="trio"), False, 67),
        # no pure sequence: what the cards are does not matter
        ("2S 2H 3D 3C 4S 4H 5D 5C 6S 6H 7D 8C JK", INDIAN, False, 55),
        ("2S 2H 3D 3C 4S 4H 5D 5C 6S 6H 7D 8C JK", replace(INDIAN, full_count_without_pure=80), False, 80),
        ("2S 3S 4S 3C 4S 4H 5D 5C 6S 6H 7D 8C JK", replace(INDIAN, full_count_without_pure=80), False, 36),
        ("2S 3S 4S 3C 4S 4H 5D 5C 6S 6H 7D 8C 9H", replace(HOUSE, full_count_without_pure=80, no_second_all_loose=True), False, 80),
        ("AS AH AD KS KH QD JC 9S 8H 6D 4C 2S JK", replace(INDIAN, ace_points=1), False, 72),
    ],
)  # fmt: skip
def test_options_of_groups_and_points(
    method: Method, text: str, rules: RummyRules, declarable: bool, points: int
) -> None:
    found = loser_grouping(cards(text), None, rules, method=method)
    assert (found.loser_points, found.declarable, found.optimal) == (points, declarable, True)


def test_points_of_nothing_grouped() -> None:
    hand = cards("AS 3H 5D 7C 9S JH KD 2C 4S 6H 8D TC QS")
    solution = best_grouping(hand, None, INDIAN)
    assert not solution.arrangement.groups
    assert solution.arrangement.points == loose_points(hand, None, HOUSE)


@pytest.mark.parametrize("size", [7, 10, 13, 14, 17, 21, 26])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_both_engines_agree_at_any_size_and_any_order(size: int, kind: str, preset: str) -> None:
    told = PRESETS[preset]
    for dealt in hands(kind, 3, size, seed=6):
        auto = best_grouping(dealt.hand, dealt.wild_rank, told)
        forced = best_grouping(dealt.hand, dealt.wild_rank, told, method="cp-sat")
        assert auto.optimal
        assert forced.optimal
        assert (auto.arrangement.points, auto.declarable) == (forced.arrangement.points, forced.declarable), str(dealt)
        shuffled = random.Random(size).sample(dealt.hand, size)
        assert best_grouping(shuffled, dealt.wild_rank, told) == auto
        assert best_grouping(shuffled, dealt.wild_rank, told, method="cp-sat") == forced


def test_without_work_nothing_is_claimed() -> None:
    solution = best_grouping(HARD, "5", HOUSE, limits=NO_WORK)
    assert not solution.optimal
    assert solution.declarable is None
    assert solution.proof is None
    assert solution.loser_points is None
    verify_scored(HARD, solution.arrangement, "5", HOUSE)
    arranger = SolverArranger(NO_WORK)
    with pytest.raises(Undecided):
        arranger.best(HARD, "5", HOUSE)
    with pytest.raises(Undecided):
        arranger.declaration(HARD, "5", HOUSE)
    with pytest.raises(Undecided):
        arranger.folds([*HARD, Card("8S")], "5", HOUSE)


def test_what_needs_no_search_is_known_without_work() -> None:
    hand = cards("AS 3H 5D 7C 9S JH KD 2C 4S 6H 8D TC QS KH")
    assert best_grouping(hand[:13], None, HOUSE, limits=NO_WORK).declarable is False
    assert SolverArranger(NO_WORK).folds(hand, None, HOUSE) == {}


def test_cp_sat_takes_over_where_the_reduction_stops() -> None:
    few = Limits(states=3)
    for dealt in hands("near", 30, seed=8):
        handed_over = best_grouping(dealt.hand, dealt.wild_rank, HOUSE, limits=few)
        whole = best_grouping(dealt.hand, dealt.wild_rank, HOUSE)
        assert handed_over.optimal
        assert (handed_over.arrangement.points, handed_over.declarable) == (whole.arrangement.points, whole.declarable)
        if handed_over.proof == "reduction":
            assert handed_over == whole
    hand = [*HARD, Card("8S")]
    assert set(winning_folds(hand, "5", HOUSE, limits=few)) == set(winning_folds(hand, "5", HOUSE))


def test_the_arranger_answers_as_the_solver_does() -> None:
    arranger = SolverArranger()
    for hand in (HARD, TWO_PURE):
        assert arranger.best(hand, "5", HOUSE) == fewest_points(hand, "5", HOUSE).arrangement
        assert arranger.declaration(hand, "5", HOUSE) == find_declaration(hand, "5", HOUSE).arrangement
    hand = [*HARD, Card("8S")]
    assert arranger.folds(hand, "5", HOUSE) == winning_folds(hand, "5", HOUSE)


@pytest.mark.parametrize("hand", [EXAMPLE[:6], EXAMPLE * 2 + [JOKER], [Card("5H")] * 8])
def test_hands_that_are_refused(hand: list[Card]) -> None:
    with pytest.raises(ValueError, match="a hand to group"):
        best_grouping(hand, None, HOUSE)


def test_the_reduction_does_without_or_tools() -> None:
    code = "import sys, solver.reduction, solver.candidates; sys.exit('ortools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("method", METHODS)
def test_many_questions_cost_no_more_than_their_pot(method: Method) -> None:
    def solved(states: int, deterministic_time: float) -> tuple[Pot, list[bool]]:
        pot = Pot(states, deterministic_time)
        return pot, [
            best_grouping(dealt.hand, dealt.wild_rank, HOUSE, limits=Limits(pot=pot), method=method).optimal
            for dealt in hands("wilds", 20, 14, seed=6)
        ]

    rest, optimal = solved(100_000, 10.0)
    assert all(optimal)
    states, time = (100_000 - rest.states) // 2, (10.0 - rest.deterministic_time) / 2
    assert (states > 0, time > 0) == (method == "auto", method == "cp-sat")
    pot, optimal = solved(states, time)
    assert not all(optimal)
    assert pot.states == 0
    assert pot.deterministic_time <= 0

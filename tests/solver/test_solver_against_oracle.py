"""The solver's answer equals brute force's, the engine accepts it, and the order of the cards changes nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.hands import KINDS, hands, option_mix
from engine.cards import Card, Rank
from engine.options import resolve
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from solver.limits import Limits
from solver.solve import best_grouping, winning_folds
from tests import strategies
from tests.solver.agreement import differences, fold_differences, loser_differences, solved, truth_of

RULES: dict[str, Callable[[random.Random], RummyRules]] = {
    "house": lambda rng: HOUSE,
    "indian": lambda rng: INDIAN,
    "mixed": option_mix,
}
SLOW_HANDS = json.loads((Path(__file__).parent.parent / "cases" / "slow-hands.json").read_text())
# Brute force takes its time over hands with many wildcards; the long form is `make fuzz`.
COUNTS = {
    ("random", 13): 150,
    ("near", 13): 150,
    ("wilds", 13): 40,
    ("adversarial", 13): 25,
    ("random", 14): 20,
    ("near", 14): 20,
    ("wilds", 14): 6,
    ("adversarial", 14): 4,
}


def agrees(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, rng: random.Random) -> None:
    truth = truth_of(hand, wild_rank, rules)
    told = f"{' '.join(hand)} wild rank {wild_rank} {rules}"
    solution = solved(hand, wild_rank, rules)
    assert not differences(hand, wild_rank, rules, solution, truth), told
    assert solved(rng.sample(hand, len(hand)), wild_rank, rules) == solution, told
    by_cp_sat = solved(hand, wild_rank, rules, cp_sat=True)
    assert by_cp_sat.proof == "cp-sat"
    assert not differences(hand, wild_rank, rules, by_cp_sat, truth), told
    if len(hand) == 13:
        assert not loser_differences(hand, wild_rank, rules, truth[None]), told
        assert not loser_differences(hand, wild_rank, rules, truth[None], cp_sat=True), told
    else:
        assert not fold_differences(hand, wild_rank, rules, truth), told


@pytest.mark.parametrize("which", RULES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [13, 14])
def test_generated_hands(which: str, kind: str, size: int) -> None:
    rng = random.Random(f"{which} {kind} {size}")
    for dealt in hands(kind, COUNTS[kind, size], size, seed=1):
        agrees(dealt.hand, dealt.wild_rank, RULES[which](rng), rng)


@pytest.mark.parametrize("row", SLOW_HANDS, ids=lambda row: row["id"])
def test_the_slowest_hands_found_are_right_and_proved(row: dict[str, Any]) -> None:
    hand, rules = tuple(map(Card, row["hand"])), resolve(RummyRules, row["rules"])
    agrees(hand, row["wild_rank"], rules, random.Random(row["id"]))


@pytest.mark.parametrize("row", SLOW_HANDS, ids=lambda row: row["id"])
def test_the_slowest_hands_found_are_searched_in_few_states(row: dict[str, Any]) -> None:
    hand, rules = tuple(map(Card, row["hand"])), resolve(RummyRules, row["rules"])
    few = Limits(states=4_000, deterministic_time=0.0)
    assert best_grouping(hand, row["wild_rank"], rules, limits=few).proof == "reduction"
    if len(hand) == 14:
        winning_folds(hand, row["wild_rank"], rules, limits=few)


@settings(max_examples=100, deadline=None)
@given(strategies.hands(13), strategies.wild_ranks, strategies.rules(), st.randoms(use_true_random=False))
def test_thirteen_cards(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, rng: random.Random) -> None:
    agrees(hand, wild_rank, rules, rng)


@settings(max_examples=40, deadline=None)
@given(strategies.hands(14), strategies.wild_ranks, strategies.rules(), st.randoms(use_true_random=False))
def test_fourteen_cards(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, rng: random.Random) -> None:
    agrees(hand, wild_rank, rules, rng)
    folds = winning_folds(hand, wild_rank, rules)
    assert dict(winning_folds(rng.sample(hand, len(hand)), wild_rank, rules)) == dict(folds)

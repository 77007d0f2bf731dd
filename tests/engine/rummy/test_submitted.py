"""A loser's own grouping: rules.md §1.6."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card, Rank
from engine.errors import Invalid
from engine.rummy.declaration import verify_scored
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from engine.rummy.scoring import count
from engine.rummy.submitted import Submitted, as_sent
from solver.solve import fewest_points
from tests import strategies

HAND = "4S 5S 6S 7D 8D JK KH KC KS 2C 9H QD AC"


def sent(text: str, rules: RummyRules = INDIAN, hand: str = HAND) -> Submitted:
    groups = [tuple(map(Card, group.split())) for group in text.split("|")] if text else []
    return as_sent(groups, tuple(map(Card, hand.split())), None, rules)


@pytest.mark.parametrize(
    ("groups", "points", "faults"),
    [
        ("4S 5S 6S | 7D 8D JK | KH KC KS", 31, [None, None, None]),
        ("4S 5S 6S | 7D 8D JK", 61, [None, None]),  # the kings are not asked for
        ("4S 5S 6S | 7D 8D JK | KH KC QD", 61, [None, None, "not_a_group"]),
        ("4S 5S 6S | KH KC KS", 76, [None, "does_not_count"]),
        ("7D 8D JK | KH KC KS", 91, ["does_not_count", "does_not_count"]),
        ("4S 5S", 91, ["group_too_small"]),
        ("", 91, []),
    ],
)
def test_a_grouping_is_scored_as_it_is(groups: str, points: int, faults: list[str | None]) -> None:
    found = sent(groups)
    assert found.arrangement.points == points
    assert [each.fault and each.fault.code for each in found.groups] == faults


@pytest.mark.parametrize(
    ("change", "groups", "why"),
    [
        ({}, "7D 8D JK", "no pure sequence"),
        ({}, "4S 5S 6S | KH KC KS", "pure_and_second"),
        ({"no_second_all_loose": True}, "4S 5S 6S | KH KC KS", "no second sequence"),
        ({"max_trios_scored": 0}, "4S 5S 6S | 7D 8D JK | KH KC KS", "of trios, 0 count"),
    ],
)
def test_why_a_group_does_not_count_is_said(change: dict[str, Any], groups: str, why: str) -> None:
    faults = [each.fault for each in sent(groups, replace(INDIAN, **change)).groups if each.fault]
    assert faults
    assert why in faults[-1].message


def test_the_kind_that_costs_least_counts() -> None:
    # jacks are wild: called impure, the run lets the trio count; called pure, it would not
    groups = [tuple(map(Card, text.split())) for text in ("TC JC QC", "5S 5H 5D")]
    hand = tuple(map(Card, ["TC", "JC", "QC", "5S", "5H", "5D", "KS", "KD", "9H", "2H", "3S", "4D", "8C"]))
    found = as_sent(groups, hand, "J", HOUSE)
    assert [each.group and each.group.kind for each in found.groups] == ["impure_sequence", "trio"]


def test_of_trios_the_dearest_count() -> None:
    rules = replace(INDIAN, max_trios_scored=1)
    hand = "4S 5S 6S 7D 8D 9D 2C 2D 2H KH KC KS AC"
    found = sent("4S 5S 6S | 7D 8D 9D | 2C 2D 2H | KH KC KS", rules, hand)
    assert [each.fault and each.fault.code for each in found.groups] == [None, None, "does_not_count", None]
    assert found.arrangement.points == 16


def test_without_a_pure_sequence_that_counts_the_full_count_is_flat() -> None:
    flat = replace(INDIAN, full_count_without_pure=80)
    assert count(sent("7D 8D JK", flat).arrangement, flat) == 80
    assert count(sent("4S 5S 6S", flat).arrangement, flat) == 76


@pytest.mark.parametrize(("groups", "pointer"), [("4S 5S 7S", "/groups/0/2"), ("4S 5S 6S | 6S 7D", "/groups/1/0")])
def test_cards_that_are_not_there_are_named(groups: str, pointer: str) -> None:
    with pytest.raises(Invalid) as found:
        sent(groups)
    assert [flaw.pointer for flaw in found.value.flaws] == [pointer]


@settings(max_examples=60, deadline=None)
@given(strategies.hands(13), strategies.wild_ranks, strategies.rules(), st.data())
def test_none_is_better_than_the_best_and_the_best_as_good(
    hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, data: st.DataObject
) -> None:
    best = fewest_points(hand, wild_rank, rules).arrangement
    again = as_sent([group.cards for group in best.groups], hand, wild_rank, rules).arrangement
    assert count(again, rules) == count(best, rules)
    shuffled = data.draw(st.permutations(hand))
    cuts = sorted(data.draw(st.lists(st.integers(0, 13), max_size=4)))
    own = as_sent(
        [tuple(shuffled[low:high]) for low, high in zip([0, *cuts], cuts, strict=False)], hand, wild_rank, rules
    )
    verify_scored(hand, own.arrangement, wild_rank, rules)
    assert own.arrangement.points >= best.points

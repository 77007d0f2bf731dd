"""Each constraint alone: a small hand with the option one way and the other, by both engines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.cards import Card, Rank
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from solver.solve import Method, best_grouping

METHODS: tuple[Method, ...] = ("auto", "cp-sat")
FREE = replace(HOUSE, opening_cards=None)
KIND = replace(HOUSE, trio_needs="second_sequence")

# what is asked | hand | wild rank | rules | changed | points and declarable before | after the change
CASES: list[tuple[str, str, Rank | None, RummyRules, dict[str, Any], tuple[int, bool], tuple[int, bool]]] = [
    ("a face is used as often as held", "4S 5S 6S 7S 8S 9H TC", None, HOUSE, {}, (19, False), (19, False)),
    ("two copies serve two groups", "4S 5S 5S 6S 6S 7S KD", None, HOUSE, {}, (10, False), (10, False)),
    ("a wildcard is used once", "4S 5S 8D 9D JK KC QH", None, HOUSE, {}, (29, False), (29, False)),
    ("wild_at_own_place", "6S 7S 8S 2D 3D 4D KC", "7", HOUSE, {"wild_at_own_place": False}, (10, False), (10, False)),
    ("wild_at_own_place, declared", "6S 7S 8S 2D 3D 4D 5D", "7", FREE, {"wild_at_own_place": False}, (0, True), (0, True)),
    ("wild_at_own_place, both pure needed", "6S 7S 8S 9S 7D 6D 8D", "7", FREE, {"wild_at_own_place": False}, (0, True), (0, False)),
    ("triple_is_pure_sequence", "5H 5H 5H 9C 9C 9C KD", None, HOUSE, {"triple_is_pure_sequence": False}, (10, False), (52, False)),
    ("max_wilds_per_sequence", "2S JK JK 5S KC QD 9H", None, HOUSE, {"max_wilds_per_sequence": 1}, (26, False), (36, False)),
    ("min_naturals_per_sequence", "KS JK JK 2D 4C 9H 6S", None, HOUSE, {"min_naturals_per_sequence": 2}, (21, False), (31, False)),
    ("trio_sizes", "4S 5S 6S 7D JK 9D KH KS KC KD", None, HOUSE, {"trio_sizes": (3, 4)}, (10, False), (0, True)),
    ("max_wilds_per_trio", "4S 5S 6S 7D 8D 9D JK JK KC", None, HOUSE, {"max_wilds_per_trio": 2, "max_wilds_per_sequence": 1}, (0, True), (0, True)),
    ("max_wilds_per_trio, none", "4S 5S 6S 7D 8D 9D JK KH KC", None, HOUSE, {"max_wilds_per_trio": 0}, (0, True), (20, False)),
    ("trio_suits_distinct", "4S 5S 6S 7D 8D 9D KH KH KC", None, HOUSE, {"trio_suits_distinct": True}, (0, True), (30, False)),
    ("opening_cards", "4S 5S 6S 7S 8S 2D 3D 4D 5D 6D", None, HOUSE, {"opening_cards": (10, 10)}, (0, False), (0, True)),
    ("opening_cards, split", "4S 5S 6S 7S 8S 9S TS", None, HOUSE, {"opening_cards": (8, 13)}, (0, True), (0, False)),
    ("max_trios", "4S 5S 6S 7D 8D 9D KH KS KC 2H 2S 2C QH QS QC", None, KIND, {"max_trios": 3}, (0, False), (0, True)),
    ("max_trios_scored", "4S JK 6S KH KS KC 2H 2S 2C QH QS QC 9D", None, HOUSE, {"max_trios_scored": 2}, (9, False), (15, False)),
    ("max_trios_scored, none", "4S JK 6S KH KS KC 9D", None, HOUSE, {"max_trios_scored": 0}, (9, False), (39, False)),
    ("max_trios_scored, declared", "4S 5S 6S 7D 8D 9D KH KS KC", None, KIND, {"max_trios_scored": 0}, (0, True), (0, True)),
    ("impure_needs_pure", "4S 5S JK 9D TD KH 2C", None, HOUSE, {"impure_needs_pure": True}, (21, False), (40, False)),
    ("no_pure_all_loose", "4S 5S JK 9D TD KH 2C", None, HOUSE, {"no_pure_all_loose": True}, (21, False), (40, False)),
    ("no_second_all_loose", "4S 5S 6S 9D TD KH 2C", None, HOUSE, {"no_second_all_loose": True}, (31, False), (46, False)),
    ("trio_needs, declared", "4S 5S 6S 7D 8D 9D KH KC KS", None, HOUSE, {"trio_needs": "second_sequence"}, (0, True), (0, True)),
    ("trio_needs, second", "4S 5S 6S 7D 8D 9D KH KC KS QH", None, HOUSE, {"trio_needs": "second_sequence"}, (40, False), (10, False)),
    ("trio_needs, nothing", "KH KC KS QH 2D 4C 7S", None, HOUSE, {"trio_needs": "nothing"}, (53, False), (23, False)),
    ("trio_needs, pure and second", "4S 5S JK KH KC KS 2D", None, HOUSE, {"trio_needs": "pure_and_second"}, (2, False), (32, False)),
    ("trio_needs, its own wild", "TC JC QC KH KC KS 2D", "J", HOUSE, {"trio_needs": "pure_and_second"}, (2, False), (22, False)),
    ("all wildcards are placed", "4S 5S 6S 7D 8D 9D JK JK JK", None, HOUSE, {"max_wilds_per_sequence": 1}, (0, True), (0, False)),
    ("no group takes a wildcard too many", "4S 5S 6S KD QD JD JK JK JK JK JK", None, INDIAN, {"max_wilds_per_sequence": 2, "max_wilds_per_trio": 2}, (0, True), (0, False)),
]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_constraint(case: tuple[Any, ...], method: Method) -> None:
    _, text, wild_rank, rules, changed, before, after = case
    hand = [Card(face) for face in text.split()]
    for told, expected in ((rules, before), (replace(rules, **changed), after)):
        solution = best_grouping(hand, wild_rank, told, method=method)
        assert (solution.arrangement.points, solution.declarable) == expected
        assert solution.optimal

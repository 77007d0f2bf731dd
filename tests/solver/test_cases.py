"""The handed cases with right answers, by both engines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.cards import parse_card, without
from engine.rummy.rules import HOUSE, INDIAN
from engine.rummy.scoring import charged
from solver.solve import Method, best_grouping, fewest_points, winning_folds

CASES = Path(__file__).parent.parent / "cases"
HANDS = json.loads((CASES / "rummy-hands.json").read_text())
DISCARDS = json.loads((CASES / "rummy-discards.json").read_text())
PEERS = [row for row in json.loads((CASES / "peer-cases.json").read_text()) if row["kind"] == "solve"]
METHODS: tuple[Method, ...] = ("auto", "cp-sat")
Row = Mapping[str, Any]


def named(row: Row) -> str:
    return str(row["id"])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("row", HANDS, ids=named)
def test_hand(row: Row, method: Method) -> None:
    for preset, rules in (("house", HOUSE), ("indian", INDIAN)):
        hand = list(map(parse_card, row["hand"]))
        solution = best_grouping(hand, row["wild_rank"], rules, method=method)
        scored = fewest_points(hand, row["wild_rank"], rules, method=method)
        assert charged(solution.arrangement.points, False, rules) == row[preset]["points"], preset
        assert solution.loser_points == scored.arrangement.points
        assert charged(scored.arrangement.points, False, rules) == row[preset].get(
            "loser_points", row[preset]["points"]
        )
        assert solution.declarable is row[preset]["declarable"], preset
        assert solution.optimal
        assert solution.discard is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("row", DISCARDS, ids=named)
def test_discard(row: Row, method: Method) -> None:
    hand, wild_rank = list(map(parse_card, row["hand"])), row["wild_rank"]
    solution = best_grouping(hand, wild_rank, HOUSE, method=method)
    assert solution.optimal
    assert solution.arrangement.points == row["points"]
    assert solution.discard in (row["fold"] or row["best"])
    assert solution.declarable is bool(row["fold"])
    folds = winning_folds(hand, wild_rank, HOUSE, method=method)
    assert set(folds) == set(row["fold"])
    assert all(arrangement.declarable for arrangement in folds.values())


@pytest.mark.parametrize("row", DISCARDS, ids=named)
def test_points_after_each_discard(row: Row) -> None:
    hand = list(map(parse_card, row["hand"]))
    for discard, points in row["points_by_discard"].items():
        rest = without(hand, [parse_card(discard)])
        assert best_grouping(rest, row["wild_rank"], HOUSE).arrangement.points == points, discard


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("row", PEERS, ids=named)
def test_case_of_another_project(row: Row, method: Method) -> None:
    solution = best_grouping(list(map(parse_card, row["hand"])), row["wild_rank"], INDIAN, method=method)
    answered = {
        "points": charged(solution.arrangement.points, False, INDIAN),
        "declarable": solution.declarable,
    }
    assert {name: answered[name] for name in row["expect"]} == row["expect"]

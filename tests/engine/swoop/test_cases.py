"""The handed cases: one play each, judged as by an independent referee."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cards import parse_card
from engine.swoop.hands import check_table
from engine.swoop.legality import play_violation
from engine.swoop.moves import Play
from engine.swoop.pile import FACE_DOWN, SeenStack, judge
from engine.swoop.rules import HOUSE

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases" / "swoop-plays.json").read_text())


def stack_from(row: dict[str, Any]) -> SeenStack:
    guard, secret = row["guard"], row["secret"]
    return SeenStack(
        None if guard is None else parse_card(guard),
        None if secret is None else FACE_DOWN if secret == FACE_DOWN else parse_card(secret),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    pile, hand = (tuple(map(parse_card, case[zone])) for zone in ("pile", "hand"))
    stacks = tuple(map(stack_from, case["stacks"]))
    play = Play(tuple(map(parse_card, case["play"]["hand"])), tuple(case["play"]["guards"]))
    expect = case["expect"]

    check_table(HOUSE, pile, hand, stacks, case["committed"])
    against = play_violation(hand, stacks, case["committed"], play)

    if not expect["legal"]:
        assert against is not None
        assert against.code == expect["code"]
        return
    assert against is None
    after = judge(HOUSE, pile, hand, stacks, case["committed"], play)
    assert after.effect == expect["effect"]
    assert sorted(after.hand) == expect["hand_after"]
    assert after.out == expect["out"]


def test_all_cases_are_there() -> None:
    assert len(CASES) == 300

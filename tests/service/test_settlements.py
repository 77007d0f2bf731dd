"""POST /v1/rummy/settlements: the cases from elsewhere, a second counter, and each wrong place by its pointer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.rummy.rules import RummyRules
from tests.service.calls import answered, cases, refused, wrong
from tests.service.told_matches import FORMATS, compare

SETTLEMENTS = "/v1/rummy/settlements"
CASES = cases("rummy-settlements")
LEVEL = {"points": [0, 20, 20], "winner": 0}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.get("name", ""))
def test_the_cases_from_elsewhere(client: FlaskClient, case: Any) -> None:
    if "status" in case:
        refused(client.post(SETTLEMENTS, json=case["body"]), case["status"], "invalid_request")
    else:
        assert answered(client, SETTLEMENTS, case["body"]) == case["right"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_second_counter_says_the_same_after_each_step(format: str) -> None:
    """More of them: `make fuzz`."""
    ends = Counter(match.ending.reason for seed in range(60) if (match := compare(format, seed)) and match.ending)
    due = {"rounds": {"rounds", "target"}, "pool": {"split_manual", "split_automatic"}, "deals": {"chips"}}
    assert ends.keys() == due[format] | {"last_in"}


def test_rules_are_house_if_none_are_named(client: FlaskClient) -> None:
    answer = answered(client, SETTLEMENTS, {"seats": 2, "rounds": []})
    assert answer["next"] == {"kind": "round", "seats": [0, 1]}
    assert (answer["pot"], answer["outcome"]) == (2, None)


def test_a_total_that_is_reached_ends_a_match_whatever_its_rounds(client: FlaskClient) -> None:
    rules = {"target_points": 60, "rounds": 1}
    rounds = [{"points": [0, 30], "winner": 0}] * 2
    assert answered(client, SETTLEMENTS, {"seats": 2, "rules": rules, "rounds": rounds[:1]})["outcome"] is None
    outcome = answered(client, SETTLEMENTS, {"seats": 2, "rules": rules, "rounds": rounds})["outcome"]
    assert outcome == {"winners": [0], "totals": [0, 60], "reason": "target"}


def test_the_published_split_of_eight_entries(client: FlaskClient) -> None:
    """Five seats, three rejoins, two in, two drops apart: 5 and 3."""
    rounds = [
        {"points": [0, 20, 101, 101, 101], "winner": 0, "after": [{"type": "rejoin", "seat": at} for at in (2, 3, 4)]},
        {"points": [30, 50, 80, 80, 80], "winner": None},
    ]
    answer = answered(client, SETTLEMENTS, {"seats": 5, "rules": "pool_101", "rounds": rounds})
    assert [seat["drops_left"] for seat in answer["standings"]] == [3, 1, None, None, None]
    assert answer["pot"] == 8
    assert answer["split"] == [{"seat": 0, "share": "5"}, {"seat": 1, "share": "3"}]


@pytest.mark.parametrize("preset", RummyRules.presets())
def test_every_preset_can_be_settled(client: FlaskClient, preset: str) -> None:
    answer = answered(client, SETTLEMENTS, {"seats": 3, "rules": preset, "rounds": [LEVEL]})
    assert [seat["total"] for seat in answer["standings"]] == [0, 20, 20]


def test_the_most_that_can_be_told_stays_exact(client: FlaskClient) -> None:
    body = {"seats": 2, "rules": {"rounds": 1000}, "rounds": [{"points": [0, 10**9], "winner": 0}] * 200}
    assert answered(client, SETTLEMENTS, body)["standings"][1]["total"] == 200 * 10**9


@pytest.mark.parametrize(
    ("changed", "pointers"),
    [
        ({"seats": 1}, ["/seats"]),
        ({"seats": 11}, ["/seats"]),
        ({"seats": True}, ["/seats"]),
        ({"seats": None}, ["/seats"]),
        ({"rounds": None}, ["/rounds"]),
        ({"rounds": {}}, ["/rounds"]),
        ({"rounds": [LEVEL] * 201, "rules": {"rounds": 300}}, ["/rounds"]),
        ({"extra": 1}, ["/extra"]),
        ({"rounds": [{**LEVEL, "extra": 1}]}, ["/rounds/0/extra"]),
        ({"rounds": [{"points": [0, 1, 1]}]}, ["/rounds/0/winner"]),
        ({"rounds": [{"winner": 0}]}, ["/rounds/0/points"]),
        ({"rounds": [{**LEVEL, "points": None}]}, ["/rounds/0/points"]),
        ({"rounds": [{**LEVEL, "withdraw": None}]}, ["/rounds/0/withdraw"]),
        ({"rounds": [{**LEVEL, "after": None}]}, ["/rounds/0/after"]),
        ({"rounds": [None]}, ["/rounds/0"]),
        ({"rounds": [{**LEVEL, "points": [0, 1.0, True]}]}, ["/rounds/0/points/1", "/rounds/0/points/2"]),
        ({"rounds": [{**LEVEL, "points": [0, "1", 1]}]}, ["/rounds/0/points/1"]),
        ({"rounds": [{**LEVEL, "points": [0, 1]}]}, ["/rounds/0/points"]),
        ({"rounds": [{**LEVEL, "points": [0, 1, 1, 1]}]}, ["/rounds/0/points"]),
        ({"rounds": [LEVEL, {**LEVEL, "points": [0, None, 1]}]}, ["/rounds/1/points/1"]),
        ({"rounds": [{**LEVEL, "points": [0, -1, 1]}]}, ["/rounds/0/points/1"]),
        ({"rounds": [{**LEVEL, "points": [0, 10**9 + 1, 1]}]}, ["/rounds/0/points/1"]),
        ({"rounds": [{**LEVEL, "points": [0, 2**62, 1]}]}, ["/rounds/0/points/1"]),
        ({"rounds": [{**LEVEL, "winner": 1}]}, ["/rounds/0/winner"]),
        ({"rounds": [{**LEVEL, "winner": 3}]}, ["/rounds/0/winner"]),
        ({"rounds": [{**LEVEL, "winner": -1}]}, ["/rounds/0/winner"]),
        ({"rounds": [{**LEVEL, "winner": "0"}]}, ["/rounds/0/winner"]),
        ({"rounds": [{**LEVEL, "withdraw": [3]}]}, ["/rounds/0/withdraw/0"]),
        ({"rounds": [{**LEVEL, "withdraw": [1, 1]}]}, ["/rounds/0/withdraw/1"]),
        ({"rounds": [{**LEVEL, "withdraw": [0, 1, 2]}]}, ["/rounds/0/withdraw/2"]),
        (
            {"rounds": [{**LEVEL, "withdraw": [1]}, {"points": [0, None, 20], "winner": 0, "withdraw": [1]}]},
            ["/rounds/1/withdraw/0"],
        ),
        ({"rounds": [{**LEVEL, "after": [{"type": "leave"}]}]}, ["/rounds/0/after/0/type"]),
        ({"rounds": [{**LEVEL, "after": [{"type": "rejoin"}]}]}, ["/rounds/0/after/0/seat"]),
        ({"rounds": [{**LEVEL, "after": [{"type": "split", "seat": 0}]}]}, ["/rounds/0/after/0/seat"]),
        ({"rounds": [{**LEVEL, "after": [{"type": "rejoin", "seat": 1}]}]}, ["/rounds/0/after/0"]),
        ({"rounds": [{**LEVEL, "after": [{"type": "split"}]}]}, ["/rounds/0/after/0"]),
        ({"rounds": [{**LEVEL, "after": [{"type": "withdraw", "seat": 9}]}]}, ["/rounds/0/after/0"]),
        ({"rounds": [LEVEL] * 4}, ["/rounds/3"]),
        ({"rules": {"format": "pool"}}, ["/rules/pool_limit"]),
        ({"rules": {"format": "deals"}}, ["/rules/deals"]),
        ({"rules": {"preset": "pool_61", "pool_split": "both"}}, ["/rules/pool_split_total"]),
        ({"rules": {"preset": "pool_101", "pool_split_total": 79}}, ["/rules/pool_split_total"]),
        ({"rules": {"preset": "pool_61", "pool_rejoin_ceiling": 60}}, ["/rules/pool_rejoin_ceiling"]),
        ({"rules": {"preset": "pool_101", "pool_split": "all"}}, ["/rules/pool_split"]),
        ({"rules": {"chips_per_deal": -1}}, ["/rules/chips_per_deal"]),
        ({"rules": {"deals": 0}}, ["/rules/deals"]),
    ],
)
def test_the_place_that_is_wrong_is_named(client: FlaskClient, changed: Any, pointers: list[str]) -> None:
    body = {"seats": 3, "rules": "house", "rounds": [], **changed}
    wrong(client, SETTLEMENTS, body, "invalid_request", *pointers)


def test_a_preset_that_does_not_exist(client: FlaskClient) -> None:
    wrong(client, SETTLEMENTS, {"seats": 3, "rules": "pool_51", "rounds": []}, "unknown_rules", "/rules")

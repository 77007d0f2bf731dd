"""POST /v1/rummy/groupings and groupings/batch."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import GROUPINGS, HAND, answered, cases, wrong

BATCH = f"{GROUPINGS}/batch"


def test_the_example_of_the_contract(client: FlaskClient) -> None:
    answer = answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7", "rules": "house"})
    assert (answer["points"], answer["points_uncapped"], answer["declarable"]) == (50, 50, False)
    assert answer["optimal"] is True
    assert answer["discard"] is None
    assert answer["groups"] == [
        {"kind": "pure_sequence", "cards": ["4S", "5S", "6S"], "stands_for": ["4S", "5S", "6S"]},
        {"kind": "impure_sequence", "cards": ["AC", "2C", "JK"], "stands_for": ["AC", "2C", "3C"]},
    ]
    assert sorted(answer["loose"]) == sorted(["KD", "QH", "9C", "8H", "8D", "3D", "2C"])
    assert answer["proof"] in ("reduction", "cp-sat")
    assert answer["loser_points"] == 50


@pytest.mark.parametrize("case", cases("rummy-hands"), ids=lambda case: case["id"])
@pytest.mark.parametrize("rules", ["house", "indian"])
def test_known_hands(client: FlaskClient, case: dict[str, Any], rules: str) -> None:
    answer = answered(client, GROUPINGS, {"hand": case["hand"], "wild_rank": case["wild_rank"], "rules": rules})
    assert answer["optimal"] is True
    assert {name: answer[name] for name in case[rules]} == case[rules]


@pytest.mark.parametrize("case", cases("rummy-discards"), ids=lambda case: case["id"])
def test_known_hands_of_fourteen(client: FlaskClient, case: dict[str, Any]) -> None:
    answer = answered(client, GROUPINGS, {"hand": case["hand"], "wild_rank": case["wild_rank"]})
    assert answer["points"] == case["points"]
    assert answer["declarable"] == bool(case["fold"])
    assert answer["discard"] in (case["fold"] or case["best"])


def test_the_order_of_the_cards_changes_nothing(client: FlaskClient) -> None:
    shuffled = random.Random(7).sample(HAND, len(HAND))
    first, second = (answered(client, GROUPINGS, {"hand": hand, "wild_rank": "7"}) for hand in (HAND, shuffled))
    assert first == second


def test_every_spelling_is_read(client: FlaskClient) -> None:
    spelled = ["4s", "5♠", "6S", "8♥", "8d", "JOKER", "2C", "2c", "KD", "qh", "9C", "3D", "AC"]
    plain = answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "T"})
    assert answered(client, GROUPINGS, {"hand": spelled, "wild_rank": "10"}) == plain


def test_points_are_capped_and_told_uncapped(client: FlaskClient) -> None:
    answer = answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7", "rules": {"points_cap": 30}})
    assert (answer["points"], answer["points_uncapped"], answer["loser_points"]) == (30, 50, 30)


TWO_PURE = ["4S", "5S", "6S", "8H", "9H", "TH", "JH", "2C", "2D", "2H", "KC", "KD", "KH"]


def test_a_hand_that_can_be_declared_may_still_cost_its_loser_points(client: FlaskClient) -> None:
    answer = answered(client, GROUPINGS, {"hand": TWO_PURE, "wild_rank": None})
    assert (answer["points"], answer["declarable"], answer["loser_points"], answer["loose"]) == (0, True, 36, [])
    of_fourteen = answered(client, GROUPINGS, {"hand": [*TWO_PURE, "9C"], "wild_rank": None})
    assert of_fourteen == {**answer, "discard": "9C"}
    batch = answered(client, BATCH, {"hands": [TWO_PURE], "wild_rank": None, "rules": {"points_cap": 20}})
    assert batch["results"][0]["loser_points"] == 20


@pytest.mark.parametrize(("rules", "copies"), [(None, 3), ({"decks": 1}, 1), ({"decks": 4}, 4), ("indian", 3)], ids=str)
def test_how_many_copies_a_hand_may_hold(client: FlaskClient, rules: Any, copies: int) -> None:
    rest = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS"]
    hand = ["5H"] * copies + rest[: 13 - copies]
    answered(client, GROUPINGS, {"hand": hand, "wild_rank": None, "rules": rules})
    more = ["5H"] * (copies + 1) + rest[: 12 - copies]
    body = {"hand": more, "wild_rank": None, "rules": rules}
    wrong(client, GROUPINGS, body, "impossible_hand", f"/hand/{copies}")


@pytest.mark.parametrize(
    ("rules", "jokers"), [(None, 6), ({"printed_jokers": 2}, 2), ({"printed_jokers_per_deck": 1}, 3), ({"decks": 2}, 4)]
)
def test_how_many_jokers_a_hand_may_hold(client: FlaskClient, rules: Any, jokers: int) -> None:
    rest = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS"]
    answered(client, GROUPINGS, {"hand": ["JK"] * jokers + rest[: 13 - jokers], "wild_rank": None, "rules": rules})
    body = {"hand": ["JK"] * (jokers + 1) + rest[: 12 - jokers], "wild_rank": None, "rules": rules}
    wrong(client, GROUPINGS, body, "impossible_hand", f"/hand/{jokers}")


class TestBatch:
    def test_order_is_kept_and_a_wrong_hand_spoils_nothing(self, client: FlaskClient) -> None:
        hands: list[Any] = [case["hand"] for case in cases("rummy-hands")[:4]]
        hands[1:1] = [["5H"] * 4 + HAND[:9], [*HAND[:2], "ZZ", *HAND[3:]], None]
        results = answered(client, BATCH, {"hands": hands, "wild_rank": None})["results"]
        assert [result.get("code") for result in results[1:4]] == ["impossible_hand", "unknown_card", "invalid_request"]
        places = [[flaw["pointer"] for flaw in result["errors"]] for result in results[1:4]]
        assert places == [["/hands/1/3"], ["/hands/2/2"], ["/hands/3"]]
        for hand, result in zip(hands[:1] + hands[4:], results[:1] + results[4:], strict=True):
            assert result == answered(client, GROUPINGS, {"hand": hand, "wild_rank": None})

    def test_it_is_as_long_as_it_may_be(self, client: FlaskClient) -> None:
        results = answered(client, BATCH, {"hands": [HAND] * 1000, "wild_rank": "7"})["results"]
        assert [result["points"] for result in results] == [50] * 1000

    @pytest.mark.parametrize("count", [0, 1001])
    def test_too_few_or_too_many_hands(self, client: FlaskClient, count: int) -> None:
        wrong(client, BATCH, {"hands": [HAND] * count, "wild_rank": "7"}, "invalid_request", "/hands")

    def test_rules_are_those_of_all_hands(self, client: FlaskClient) -> None:
        wrong(client, BATCH, {"hands": [HAND], "wild_rank": "7", "rules": "nope"}, "unknown_rules", "/rules")

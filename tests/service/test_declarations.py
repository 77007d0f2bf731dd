"""POST /v1/rummy/declarations."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import GROUPINGS, answered, cases, wrong

DECLARATIONS = "/v1/rummy/declarations"
KINDS = {"pure": "pure_sequence", "impure": "impure_sequence", "trio": "trio"}
VALID = [["2H", "3H", "4H"], ["7S", "8S", "AD"], ["9S", "TS", "JS", "QS"], ["KD", "KC", "KH"]]
CARDS = [card for group in VALID for card in group]


def judged(client: FlaskClient, groups: Any, **more: Any) -> Any:
    return answered(client, DECLARATIONS, {"groups": groups, "wild_rank": "A", **more})


def codes(answer: Any) -> list[str]:
    return [fault["code"] for fault in answer["faults"]]


@pytest.mark.parametrize("case", cases("peer-cases"), ids=lambda case: case["id"])
def test_what_other_referees_say(client: FlaskClient, case: dict[str, Any]) -> None:
    rules, expected = {"wild_rank": case["wild_rank"], "rules": "indian"}, case["expect"]
    if case["kind"] == "solve":
        answer = answered(client, GROUPINGS, {"hand": case["hand"], **rules})
        assert {name: answer[name] for name in expected} == expected
    elif case["kind"] == "group":
        answer = answered(client, DECLARATIONS, {"groups": [case["cards"]], **rules})
        kinds = set(answer["groups"][0]["kinds"])
        if "kind_in" in expected:
            assert kinds & {KINDS[kind] for kind in expected["kind_in"]} or not (kinds or expected["kind_in"])
        facts = {
            "pure": "pure_sequence" in kinds,
            "sequence": bool(kinds & {"pure_sequence", "impure_sequence"}),
            "trio": "trio" in kinds,
        }
        for name in facts.keys() & expected.keys():
            assert facts[name] == expected[name]
    else:
        answer = answered(client, DECLARATIONS, {"groups": case["groups"], **rules})
        assert answer["valid"] == expected["valid"]


def test_a_valid_declaration(client: FlaskClient) -> None:
    answer = judged(client, VALID)
    assert answer["valid"] is True
    assert answer["faults"] == []
    assert answer["regroup"] is None
    assert [group["kind"] for group in answer["groups"]] == [
        "pure_sequence",
        "impure_sequence",
        "pure_sequence",
        "trio",
    ]
    assert answer["groups"][1]["stands_for"] == ["7S", "8S", "9S"]


def test_the_example_of_the_contract(client: FlaskClient) -> None:
    body = {"groups": [["4S", "5S", "6S"], ["8H", "9C", "JK"]], "wild_rank": "7"}
    answer = answered(client, DECLARATIONS, body)
    assert answer["valid"] is False
    assert answer["groups"][0]["fault"] is None
    assert answer["groups"][1]["fault"]["code"] == "not_a_group"
    assert (answer["groups"][1]["kind"], answer["groups"][1]["stands_for"]) == (None, None)
    assert codes(answer) == ["not_thirteen_cards", "no_second_sequence"]


def test_the_same_cards_grouped_otherwise(client: FlaskClient) -> None:
    answer = judged(client, [["2H", "3H", "4H"], ["7S", "8S", "9S", "TS", "JS", "QS"], ["KD", "KC", "KH", "AD"]])
    assert answer["valid"] is False
    assert sorted(card for group in answer["regroup"] for card in group) == sorted(CARDS)
    assert judged(client, answer["regroup"])["valid"] is True


def test_of_fourteen_cards_the_one_in_no_group_is_folded(client: FlaskClient) -> None:
    assert judged(client, VALID, hand=[*CARDS, "5D"])["valid"] is True
    assert judged(client, VALID, hand=[*CARDS, "5D"], fold="5D")["valid"] is True


def test_cards_that_are_not_held_or_left_over(client: FlaskClient) -> None:
    answer = judged(client, VALID, hand=[*CARDS[:-1], "5D"])
    assert codes(answer) == ["cards_not_in_hand", "ungrouped_cards"]
    assert codes(judged(client, VALID, hand=[*CARDS, "5D"], fold="6D"))[0] == "cards_not_in_hand"


def test_no_groups_at_all_is_a_verdict(client: FlaskClient) -> None:
    assert codes(judged(client, [])) == ["not_thirteen_cards", "no_pure_sequence", "no_second_sequence"]


@pytest.mark.parametrize(
    ("more", "code", "pointers"),
    [
        ({"hand": CARDS[:12]}, "impossible_hand", ["/hand"]),
        ({"hand": ["5H"] * 4 + CARDS[:9]}, "impossible_hand", ["/hand/3"]),
        ({"fold": "1H"}, "unknown_card", ["/fold"]),
        ({"groups": [["5H", "5H", "5H"], ["5H", "ZZ", 4]]}, "unknown_card", ["/groups/1/1", "/groups/1/2"]),
        ({"groups": [["5H", "5H", "5H"], ["5H"]]}, "impossible_hand", ["/groups/1/0"]),
        ({"groups": [["5H", "5H", "5H"]], "fold": "5H"}, "impossible_hand", ["/fold"]),
        ({"fold": "2H", "rules": {"decks": 1}}, "impossible_hand", ["/fold"]),
        ({"groups": [5]}, "invalid_request", ["/groups/0"]),
        ({"groups": None}, "invalid_request", ["/groups"]),
        ({"groups": [[]] * 51}, "invalid_request", ["/groups"]),
        ({"groups": [["JK"] * 101]}, "invalid_request", ["/groups/0"]),
    ],
)
def test_wrong_requests(client: FlaskClient, more: dict[str, Any], code: str, pointers: list[str]) -> None:
    wrong(client, DECLARATIONS, {"groups": VALID, "wild_rank": "A", **more}, code, *pointers)

"""POST /v1/swoop/plays and /v1/swoop/scores."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import answered, cases, wrong

PLAYS, SCORES = "/v1/swoop/plays", "/v1/swoop/scores"
TABLE: dict[str, Any] = {
    "pile": ["KH", "9S"],
    "hand": ["9H", "4D"],
    "stacks": [
        {"guard": "9C", "secret": "??"},
        {"guard": None, "secret": "2D"},
        {"guard": None, "secret": None},
        {"guard": "JS", "secret": "??"},
    ],
    "committed": None,
    "play": {"hand": ["9H"], "guards": [0]},
}


@pytest.mark.parametrize("case", cases("swoop-plays"), ids=lambda case: case["id"])
def test_known_plays(client: FlaskClient, case: dict[str, Any]) -> None:
    expected = case["expect"]
    answer = answered(client, PLAYS, {name: case[name] for name in TABLE})
    assert answer["legal"] == expected["legal"]
    if not answer["legal"]:
        assert answer["violation"]["code"] == expected["code"]
        assert answer["violation"]["message"]
        return
    assert (answer["effect"], answer["out"]) == (expected["effect"], expected["out"])
    assert sorted(answer["hand"]) == sorted(expected["hand_after"])


def test_the_example_of_the_contract(client: FlaskClient) -> None:
    answer = answered(client, PLAYS, TABLE)
    assert (answer["legal"], answer["effect"], answer["turn"], answer["out"]) == (True, "safe", "passes", False)
    assert answer["pile"] == ["KH", "9S", "9H", "9C"]
    assert answer["hand"] == ["4D"]
    assert answer["stacks"][0] == {"guard": None, "secret": "??"}


def test_the_hand_comes_back_in_the_order_sent(client: FlaskClient) -> None:
    hand = ["KC", "4D", "9H", "4S", "9C"]
    safe = answered(client, PLAYS, TABLE | {"hand": hand, "play": {"hand": ["9H"]}})
    assert (safe["effect"], safe["hand"]) == ("safe", ["KC", "4D", "4S", "9C"])
    picked_up = answered(client, PLAYS, TABLE | {"hand": hand, "play": {"hand": ["KC"]}})
    assert (picked_up["effect"], picked_up["hand"]) == ("pickup", ["4D", "9H", "4S", "9C", "KH", "9S", "KC"])
    cleared = answered(client, PLAYS, TABLE | {"hand": [*hand, "TC", "2H"], "play": {"hand": ["TC"]}})
    assert (cleared["effect"], cleared["hand"]) == ("clear", [*hand, "2H"])


@pytest.mark.parametrize(
    ("given", "code", "pointers"),
    [
        ({"pile": ["KH", "TS"]}, "impossible_hand", ["/pile/1"]),
        ({"pile": ["JK"]}, "impossible_hand", ["/pile/0"]),
        ({"committed": 4}, "invalid_request", ["/committed"]),
        ({"committed": 0}, "invalid_request", ["/committed"]),
        ({"committed": True}, "invalid_request", ["/committed"]),
        ({"stacks": []}, "invalid_request", ["/stacks"]),
        ({"stacks": [{"guard": "??", "secret": "??"}]}, "unknown_card", ["/stacks/0/guard"]),
        ({"stacks": [{"guard": "9C"}]}, "invalid_request", ["/stacks/0/secret"]),
        ({"hand": ["9H"] * 5}, "impossible_hand", ["/hand/4"]),
        ({"play": {"hand": ["9H"], "guards": [False]}}, "invalid_request", ["/play/guards/0"]),
        ({"play": {"hand": ["9H"], "type": "play"}}, "invalid_request", ["/play/type"]),
        ({"play": None}, "invalid_request", ["/play"]),
        ({"rules": {"ace_high": 1}}, "invalid_request", ["/rules/ace_high"]),
    ],
)
def test_wrong_tables(client: FlaskClient, given: dict[str, Any], code: str, pointers: list[str]) -> None:
    wrong(client, PLAYS, TABLE | given, code, *pointers)


def test_scores_count_every_zone(client: FlaskClient) -> None:
    left = {"hand": ["TS", "3D"], "stacks": [{"guard": None, "secret": "KC"}]}
    answer = answered(client, SCORES, {"seats": [{"hand": [], "stacks": []}, left]})
    assert [seat["points"] for seat in answer["seats"]] == [0, 63]


def test_as_many_copies_as_the_rules_deal(client: FlaskClient) -> None:
    five, bare = ["AS"] * 5, {"hand": [], "stacks": []}
    answer = answered(client, SCORES, {"rules": {"min_decks": 5}, "seats": [bare, {"hand": five, "stacks": []}]})
    assert [seat["points"] for seat in answer["seats"]] == [0, 5]

    played = TABLE | {"hand": five, "play": {"hand": five}, "rules": {"players_per_deck": 1}}
    assert answered(client, PLAYS, played)["effect"] == "clear"


@pytest.mark.parametrize(
    ("seats", "code", "pointers"),
    [
        ([{"hand": [], "stacks": [{"guard": None, "secret": "??"}]}], "unknown_card", ["/seats/0/stacks/0/secret"]),
        ([{"hand": ["9H"] * 3}, {"hand": ["9H"] * 2}], "impossible_hand", ["/seats/1/hand/1"]),
        ([], "invalid_request", ["/seats"]),
        ([{}], "invalid_request", ["/seats/0/hand"]),
    ],
)
def test_wrong_seats(client: FlaskClient, seats: Any, code: str, pointers: list[str]) -> None:
    wrong(client, SCORES, {"seats": seats}, code, *pointers)

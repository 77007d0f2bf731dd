"""POST /v1/rummy/scores."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import HAND, answered, cases, wrong

SCORES = "/v1/rummy/scores"
LOW = ["2H", "3H", "4H", "5D", "6D", "8D", "9S", "TS", "JS", "2S", "3C", "5C", "6C"]


def scored(client: FlaskClient, seats: list[Any], **more: Any) -> Any:
    return answered(client, SCORES, {"seats": seats, "wild_rank": "7", "winner": 0, **more})


def test_every_reason(client: FlaskClient) -> None:
    seats = [{}, {"status": "packed_first"}, {"status": "packed_later"}, {"status": "penalised"}, {"hand": HAND}]
    answer = scored(client, seats)
    assert [(seat["points"], seat["reason"]) for seat in answer["seats"]] == [
        (0, "won"),
        (20, "packed_first"),
        (40, "packed_later"),
        (80, "penalised"),
        (50, "loose"),
    ]
    assert answer["settlement"] == [190, -20, -40, -80, -50]
    assert sum(answer["settlement"]) == 0
    assert "grouping" not in answer["seats"][0]
    assert answer["seats"][4]["grouping"]["points"] == 50


def test_the_winners_hand_is_not_judged(client: FlaskClient) -> None:
    seats = [{"hand": LOW}, {"hand": HAND}]
    assert scored(client, seats, rules={"decks": 2})["seats"][0] == {"points": 0, "reason": "won"}


@pytest.mark.parametrize("case", cases("rummy-hands"), ids=lambda case: case["id"])
def test_what_known_hands_cost_their_losers(client: FlaskClient, case: dict[str, Any]) -> None:
    seat = scored(client, [{}, {"hand": case["hand"]}], wild_rank=case["wild_rank"], rules={"decks": 3})["seats"][1]
    right = case["house"]
    assert seat["points"] == seat["grouping"]["points"] == seat["grouping"]["loser_points"] == right["loser_points"]
    assert seat["grouping"]["declarable"] is right["declarable"]
    assert seat["grouping"]["optimal"] is True


def test_a_loser_is_scored_and_never_declared_for(client: FlaskClient) -> None:
    hand = ["4S", "5S", "6S", "8H", "9H", "TH", "JH", "2C", "2D", "2H", "KC", "KD", "KH"]
    whole = scored(client, [{}, {"hand": hand}], wild_rank=None)
    assert whole["settlement"] == [36, -36]
    grouping = whole["seats"][1]["grouping"]
    assert (grouping["points"], grouping["loser_points"], grouping["declarable"]) == (36, 36, True)
    assert [group["kind"] for group in grouping["groups"]] == ["pure_sequence", "pure_sequence"]
    half = scored(client, [{}, {"hand": hand}], wild_rank=None, first_turn=True)["seats"][1]
    assert (half["points"], half["grouping"]["points"], half["grouping"]["loser_points"]) == (18, 36, 36)


def test_nobody_declared(client: FlaskClient) -> None:
    answer = scored(client, [{"hand": LOW}, {"hand": HAND}], winner=None, rules={"decks": 2})
    assert [seat["reason"] for seat in answer["seats"]] == ["loose", "loose"]
    assert answer["settlement"] == [0, 0]


@pytest.mark.parametrize(("rules", "points"), [({}, 25), ({"first_turn_halves": False}, 50), ({"points_cap": 20}, 20)])
def test_the_first_turn_halves(client: FlaskClient, rules: dict[str, Any], points: int) -> None:
    answer = scored(client, [{}, {"hand": HAND}], first_turn=True, rules={"decks": 2, **rules})
    assert answer["seats"][1]["points"] == points


def test_half_points_where_they_are_kept(client: FlaskClient) -> None:
    odd = ["2H", "3H", "4H", "5D", "6D", "8D", "9S", "KS", "JS", "2S", "3C", "5C", "9C"]
    whole = scored(client, [{}, {"hand": odd}])["seats"][1]["points"]
    assert whole % 2 == 1
    half = scored(client, [{}, {"hand": odd}], first_turn=True, rules={"halve_rounding": "exact"})
    assert half["seats"][1]["points"] == whole / 2
    assert half["settlement"] == [whole / 2, -whole / 2]


@pytest.mark.parametrize(
    ("given", "code", "pointers"),
    [
        ({"winner": 2}, "invalid_request", ["/winner", "/seats/0/hand"]),
        ({"winner": -1}, "invalid_request", ["/winner", "/seats/0/hand"]),
        ({"winner": True}, "invalid_request", ["/winner"]),
        ({"winner": "0"}, "invalid_request", ["/winner"]),
        ({"winner": 0.0}, "invalid_request", ["/winner"]),
        ({"first_turn": 1}, "invalid_request", ["/first_turn"]),
        ({"winner": None, "first_turn": True}, "invalid_request", ["/first_turn", "/seats/0/hand"]),
        ({"seats": [{"status": "packed_first"}, {"hand": LOW}]}, "invalid_request", ["/seats/0/status"]),
        ({"first_turn": True, "seats": [{}, {"status": "packed_first"}]}, "invalid_request", ["/seats/1/status"]),
        ({"seats": [{}, {}]}, "invalid_request", ["/seats/1/hand"]),
        ({"seats": [{}]}, "invalid_request", ["/seats"]),
        ({"seats": [{}] * 11}, "invalid_request", ["/seats"]),
        ({"seats": [{}, {"status": "won"}]}, "invalid_request", ["/seats/1/status"]),
        ({"seats": [{}, {"hand": LOW, "x/y~z": 1}]}, "invalid_request", ["/seats/1/x~1y~0z"]),
        ({"seats": [{}, None]}, "invalid_request", ["/seats/1"]),
        ({"seats": [{}, {"hand": LOW[:12]}]}, "impossible_hand", ["/seats/1/hand"]),
        ({"seats": [{}, {"hand": [*LOW[:12], "?"]}]}, "unknown_card", ["/seats/1/hand/12"]),
        (
            {"seats": [{"hand": LOW}, {"hand": [*HAND[:6], *LOW[:7]]}]},
            "impossible_hand",
            [f"/seats/1/hand/{at}" for at in (4, *range(6, 13))],
        ),
    ],
)
def test_contradictions(client: FlaskClient, given: dict[str, Any], code: str, pointers: list[str]) -> None:
    body = {"seats": [{}, {"hand": LOW}], "wild_rank": "7", "winner": 0, **given}
    wrong(client, SCORES, body, code, *pointers)


def test_a_hand_packed_under_the_stock_may_lie_in_another(client: FlaskClient) -> None:
    seats = [{}, {"hand": LOW, "status": "packed_first"}, {"hand": LOW}]
    assert scored(client, seats)["seats"][1]["points"] == 20
    seats[1]["status"] = "packed_later"
    body = {"seats": seats, "wild_rank": "7", "winner": 0}
    wrong(client, SCORES, body, "impossible_hand", *(f"/seats/2/hand/{at}" for at in range(13)))


# Two cases from public rule pages, with what those pages charge.
DEAR = ["AS", "AH", "AD", "KS", "KH", "QD", "JC", "9S", "8H", "6D", "4C", "2S", "JK"]
NO_PURE = ["2S", "2H", "3D", "3C", "4S", "4H", "5D", "5C", "6S", "6H", "7D", "8C", "JK"]


@pytest.mark.parametrize(("first", "points"), [(True, 40), (False, 49)])
def test_the_cap_comes_before_the_halving_or_after_it(client: FlaskClient, first: bool, points: int) -> None:
    rules = {"preset": "indian", "first_turn_halves": True, "cap_before_halving": first}
    answer = scored(client, [{}, {"hand": DEAR}], wild_rank=None, first_turn=True, rules=rules)
    assert answer["settlement"] == [points, -points]


@pytest.mark.parametrize(("flat", "points"), [(80, 80), (None, 55)])
def test_without_a_pure_sequence_the_full_count_is_flat(client: FlaskClient, flat: int | None, points: int) -> None:
    rules = {"preset": "indian", "full_count_without_pure": flat}
    seat = scored(client, [{}, {"hand": NO_PURE}], wild_rank=None, rules=rules)["seats"][1]
    assert (seat["points"], seat["grouping"]["points"], seat["grouping"]["points_uncapped"]) == (points,) * 3


def test_who_had_no_turn_pays_half(client: FlaskClient) -> None:
    rules = {"preset": "indian", "first_turn_halves": True, "halves_for": "no_turn"}
    seats = [{"hand": LOW}, {}, {"hand": LOW, "no_turn": True}]
    answer = scored(client, seats, winner=1, rules=rules | {"decks": 3})
    assert [seat["points"] for seat in answer["seats"]] == [35, 0, 17]
    assert answer["seats"][2]["grouping"]["points"] == answer["seats"][0]["points"]


@pytest.mark.parametrize(
    ("seats", "more", "pointer"),
    [
        ([{"no_turn": True}, {"hand": LOW}], {}, "/seats/0/no_turn"),
        ([{}, {"status": "packed_later", "no_turn": True}], {}, "/seats/1/no_turn"),
        ([{}, {"hand": LOW, "no_turn": False}], {"first_turn": True}, "/seats/1/no_turn"),
        ([{}, {"status": "packed_first", "groups": []}], {}, "/seats/1/groups"),
        ([{"hand": LOW, "groups": []}, {"hand": HAND}], {"rules": {"decks": 2}}, "/seats/0/groups"),
        ([{}, {"hand": LOW, "groups": "2H 3H 4H"}], {}, "/seats/1/groups"),
    ],
)
def test_turns_and_groups_that_cannot_be(client: FlaskClient, seats: Any, more: Any, pointer: str) -> None:
    wrong(client, SCORES, {"seats": seats, "wild_rank": "7", "winner": 0, **more}, "invalid_request", pointer)


def test_a_card_in_two_groups_is_named(client: FlaskClient) -> None:
    seats = [{}, {"hand": LOW, "groups": [["2H", "3H", "4H"], ["4H", "5D", "6D"]]}]
    wrong(client, SCORES, {"seats": seats, "wild_rank": "7", "winner": 0}, "impossible_hand", "/seats/1/groups/1/0")


@pytest.mark.parametrize(("counts", "points"), [("best", 35), ("submitted", 64)])
def test_a_losers_own_grouping_stands_beside_the_best(client: FlaskClient, counts: str, points: int) -> None:
    seats = [{}, {"hand": LOW, "groups": [["2H", "3H", "4H"], ["9S", "TS", "5D"]]}]
    rules = {"preset": "indian", "loser_grouping": counts}
    seat = scored(client, seats, wild_rank=None, rules=rules)["seats"][1]
    assert (seat["points"], seat["grouping"]["points"], seat["submitted"]["points"]) == (points, 35, 64)
    assert [group["fault"] and group["fault"]["code"] for group in seat["submitted"]["groups"]] == [None, "not_a_group"]
    assert "submitted" not in scored(client, [{}, {"hand": LOW}], rules=rules)["seats"][1]

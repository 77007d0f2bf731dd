"""What problems say: in the words of JSON and of the call, what was wrong and what would be right."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import GROUPINGS, HAND, answered, refused, wrong

GROUP = {"hand": HAND, "wild_rank": "7"}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (7, "a number"),
        (7.5, "a number"),
        (True, "true"),
        (False, "false"),
        (["7"], "a list"),
        ({}, "an object"),
        ("X", "'X'"),
    ],
)
def test_what_was_sent_is_named_in_the_words_of_json(client: FlaskClient, sent: Any, said: str) -> None:
    assert wrong(client, GROUPINGS, {**GROUP, "wild_rank": sent}, "invalid_request", "/wild_rank")["detail"].startswith(
        f"{said} is no rank;"
    )
    problem = wrong(client, GROUPINGS, {**GROUP, "hand": [*HAND[:12], sent]}, "unknown_card", "/hand/12")
    assert problem["detail"].startswith(f"{said} is no card;")


def test_null_is_no_card(client: FlaskClient) -> None:
    problem = wrong(client, GROUPINGS, {**GROUP, "hand": [*HAND[:12], None]}, "unknown_card", "/hand/12")
    assert problem["detail"].startswith("null is no card;")


def test_how_cards_are_written_is_shown(client: FlaskClient) -> None:
    problem = wrong(client, GROUPINGS, {**GROUP, "hand": 5}, "invalid_request", "/hand")
    assert problem["detail"] == 'must be cards: a list such as ["5H", "TD", "JK"], or one text such as "5H TD JK"'


@pytest.mark.parametrize(
    ("path", "body", "details"),
    [
        (GROUPINGS, {}, {"/hand": "is required", "/wild_rank": "is required"}),
        ("/v1/rummy/deals", {}, {"/seats": "is required"}),
        ("/v1/games", {}, {"/game": "is required", "/seats": "is required"}),
        ("/v1/games", {"game": "chess", "seats": ["a", "b"]}, {"/game": "must be one of rummy, swoop"}),
        ("/v1/games", {"game": 1, "seats": 2}, {"/game": "must be a text", "/seats": "must be a list"}),
        ("/v1/games", {"game": None, "seats": ["a", 2]}, {"/game": "must not be null", "/seats/1": "must be a text"}),
        ("/v1/games", {"game": "rummy", "seats": ["a", ""]}, {"/seats/1": "must be 1 to 64 characters"}),
        ("/v1/games", {"game": "rummy", "seats": ["a"]}, {"/seats": "must be 2 to 10 names"}),
        ("/v1/games", {"game": "rummy", "seats": ["a", "b"], "starter": "x"}, {"/starter": "must be a whole number"}),
        ("/v1/games", {"game": "rummy", "seats": ["a", "b"], "starter": -1}, {"/starter": "must be from 0 to 99"}),
        (GROUPINGS, {**GROUP, "rule": "house"}, {"/rule": "is no field here; did you mean rules?"}),
        (
            GROUPINGS,
            {**GROUP, "rules": {"point_cap": 80}},
            {"/rules/point_cap": "no such field; did you mean points_cap? GET /v1/rules lists them"},
        ),
        (GROUPINGS, {**GROUP, "rules": {"zzz": 80}}, {"/rules/zzz": "no such field; GET /v1/rules lists them"}),
    ],
)
def test_one_wording(client: FlaskClient, path: str, body: Any, details: dict[str, str]) -> None:
    problem = refused(client.post(path, json=body), 422, "invalid_request")
    assert {flaw["pointer"]: flaw["detail"] for flaw in problem["errors"]} == details


def test_the_detail_names_the_first_flaw_and_how_many_more(client: FlaskClient) -> None:
    problem = wrong(client, GROUPINGS, {**GROUP, "hand": ["XX", "YY", *HAND[2:]]}, "unknown_card", "/hand/0", "/hand/1")
    assert problem["detail"] == f"{problem['errors'][0]['detail']}; 1 more place is wrong: see errors"
    hand = ["5H"] * 6 + ["6H"] * 7
    problem = wrong(client, GROUPINGS, {**GROUP, "hand": hand}, "impossible_hand")
    assert problem["detail"] == f"{problem['errors'][0]['detail']}; 6 more places are wrong: see errors"


def test_copies_say_how_many_decks_and_what_changes_that(client: FlaskClient) -> None:
    hand = ["2C", "2C", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS"]
    asked = {"wild_rank": None, "winner": 0, "seats": [{}, {"hand": hand}]}
    problem = wrong(client, "/v1/rummy/scores", asked, "impossible_hand", "/seats/1/hand/1")
    said = "copy 2 of 2C; the decks in play hold 1 (2 seats play with 1 deck; `rules.decks` changes that)"
    assert problem["detail"] == said
    answered(client, "/v1/rummy/scores", {**asked, "rules": {"decks": 2}})


def test_a_body_of_another_type_says_which_header_to_add(client: FlaskClient) -> None:
    problem = refused(client.post(GROUPINGS, data="{}"), 415, "unsupported_media_type")
    assert "`Content-Type: application/json`" in problem["detail"]


def test_cards_that_are_not_held_or_not_so_often(client: FlaskClient) -> None:
    table = {"pile": [], "hand": ["9H", "4D"], "stacks": [{"guard": None, "secret": None}], "committed": None}
    for hand, said in ((["KH"], "the hand does not hold KH;"), (["9H", "9H"], "the hand holds 1 9H and no more;")):
        answer = answered(client, "/v1/swoop/plays", {**table, "play": {"hand": hand, "guards": []}})
        assert answer["violation"]["message"].startswith(said)

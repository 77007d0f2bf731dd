"""Cards as one text, and in the codes of the deck of cards API: read as lists of ours are, wherever a stateless call takes cards."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import GROUPINGS, HAND, answered, wrong

TEXT = " ".join(HAND)
TABLE = {"stacks": [{"guard": "9C", "secret": "??"}], "committed": None}
PAIRS = [
    (GROUPINGS, {"wild_rank": "7", "hand": HAND}, {"wild_rank": "7", "hand": TEXT}),
    (
        f"{GROUPINGS}/batch",
        {"wild_rank": "7", "hands": [HAND, HAND[::-1], HAND]},
        {"wild_rank": "7", "hands": [TEXT, HAND[::-1], TEXT]},
    ),
    (
        "/v1/rummy/declarations",
        {"wild_rank": "7", "hand": HAND, "groups": [["4S", "5S", "6S"], ["8H", "8D", "JK"], []]},
        {"wild_rank": "7", "hand": TEXT, "groups": ["4S,5S,6S", ["8H", "8D", "JK"], ""]},
    ),
    (
        "/v1/rummy/scores",
        {"wild_rank": "7", "winner": 0, "rules": {"decks": 2}, "seats": [{}, {"hand": HAND}]},
        {"wild_rank": "7", "winner": 0, "rules": {"decks": 2}, "seats": [{}, {"hand": TEXT}]},
    ),
    (
        "/v1/swoop/plays",
        {**TABLE, "pile": ["KH", "9S"], "hand": ["9H", "4D"], "play": {"hand": ["9H"], "guards": [0]}},
        {**TABLE, "pile": "KH 9S", "hand": "9H 4D", "play": {"hand": "9H", "guards": [0]}},
    ),
    (
        "/v1/swoop/scores",
        {"seats": [{"hand": []}, {"hand": ["TS", "3D"]}]},
        {"seats": [{"hand": ""}, {"hand": "TS 3D"}]},
    ),
]


@pytest.mark.parametrize(("path", "listed", "written"), PAIRS, ids=[path for path, _, _ in PAIRS])
def test_a_text_is_read_as_the_list(client: FlaskClient, path: str, listed: Any, written: Any) -> None:
    assert answered(client, path, written) == answered(client, path, listed)


@pytest.mark.parametrize(
    "text", [",".join(HAND), ", ".join(HAND), f" \n{TEXT}\r\n", "\t".join(HAND), TEXT.lower(), f",,{TEXT},"]
)
def test_how_a_text_may_be_parted(client: FlaskClient, text: str) -> None:
    shown = answered(client, GROUPINGS, {"wild_rank": "7", "hand": text})
    assert shown == answered(client, GROUPINGS, {"wild_rank": "7", "hand": HAND})


def test_codes_of_the_deck_of_cards_api(client: FlaskClient) -> None:
    codes = "0S JS QS KS 0H 0D X1 2C 3C X2 9H 4D 7D"
    ours = codes.replace("0", "T").replace("X1", "JK").replace("X2", "JK")
    shown = answered(client, GROUPINGS, {"wild_rank": None, "hand": codes})
    assert shown == answered(client, GROUPINGS, {"wild_rank": None, "hand": ours.split()})
    assert answered(client, GROUPINGS, {"wild_rank": None, "hand": codes.split()}) == shown
    assert "X1" not in str(shown)
    assert "TS" in str(shown)
    wrong(
        client, GROUPINGS, {"wild_rank": "0", "hand": codes}, "invalid_request", "/wild_rank"
    )  # rather none than a ten


@pytest.mark.parametrize(
    ("hand", "code", "pointers"),
    [
        (TEXT.replace("AC", "1C"), "unknown_card", ["/hand/12"]),
        (TEXT.replace("6S", "6♠️ x"), "unknown_card", ["/hand/3"]),
        (TEXT.replace(" ", ""), "unknown_card", ["/hand/0"]),
        (TEXT.replace(" ", "\u00a0"), "unknown_card", ["/hand/0"]),
        (TEXT.replace(" ", ";"), "unknown_card", ["/hand/0"]),
        (f"{TEXT} 2C 2C", "impossible_hand", ["/hand"]),
        (" ".join(["2C"] * 13), "impossible_hand", [f"/hand/{place}" for place in range(3, 13)]),
        ("", "impossible_hand", ["/hand"]),
        ({"cards": TEXT}, "invalid_request", ["/hand"]),
        (13, "invalid_request", ["/hand"]),
        (None, "invalid_request", ["/hand"]),
        ([TEXT], "unknown_card", ["/hand/0"]),
    ],
)
def test_a_text_that_is_no_hand(client: FlaskClient, hand: Any, code: str, pointers: list[str]) -> None:
    wrong(client, GROUPINGS, {"wild_rank": "7", "hand": hand}, code, *pointers)


def test_a_wrong_text_in_a_batch_spoils_no_other(client: FlaskClient) -> None:
    body = {"wild_rank": "7", "hands": [TEXT, TEXT.replace("AC", "1C"), 7, "x" * 50_000]}
    results = answered(client, f"{GROUPINGS}/batch", body)["results"]
    assert results[0]["points"] == 50
    assert [each["errors"][0]["pointer"] for each in results[1:]] == ["/hands/1/12", "/hands/2", "/hands/3/0"]


def test_states_and_moves_have_lists_alone(client: FlaskClient) -> None:
    """A state is ours to write, and comes back as it was."""
    state = answered(client, "/v1/rummy/deals", {"seats": 2, "starter": 0}, 201)["state"]
    state["stock"] = " ".join(state["stock"])
    wrong(client, "/v1/rummy/views", {"state": state, "seat": 0}, "corrupt_state", "/state/stock")

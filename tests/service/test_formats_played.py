"""Matches of formats, played round by round with the state in the app's hands: what public pages of rooms say they end in."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.calls import answered
from tests.service.played_matches import compare
from tests.service.told_matches import FORMATS

Played = list[tuple[int | None, str]]


def played(client: FlaskClient, rules: dict[str, Any], *rounds: Played) -> dict[str, Any]:
    """The state after these rounds of three seats: each what its seats did, in order."""
    told = client.post("/v1/rummy/deals", json={"seats": 3, "starter": 0, "seed": "1f" * 32, "rules": rules})
    assert told.status_code == 201
    state: dict[str, Any] = told.get_json()["state"]
    for number, acts in enumerate(rounds):
        for seat, act in [(None, "next_round")] * bool(number) + acts:
            if act in ("turn", "declare"):
                state = moved(client, state, seat, {"type": "draw", "from": "stock"})
            state = moved(client, state, seat, ends(act, state))
    return state


def moved(client: FlaskClient, state: dict[str, Any], seat: int | None, move: dict[str, Any]) -> dict[str, Any]:
    after: dict[str, Any] = answered(client, "/v1/rummy/transitions", {"state": state, "seat": seat, "move": move})
    return dict(after["state"])


def ends(act: str, state: dict[str, Any]) -> dict[str, Any]:
    """The move that ends what is called by this name; the card that was drawn is the last of the hand."""
    if act not in ("turn", "declare"):
        return {"type": act}
    card = state["seats"][state["turn"]]["hand"][-1]
    return {"type": "discard", "card": card} if act == "turn" else {"type": "declare", "fold": card}


def of_all(state: dict[str, Any], name: str) -> list[Any]:
    return [standing[name] for standing in state["standings"]]


def test_two_deals_are_won_by_chips_where_totals_would_have_another_winner(client: FlaskClient) -> None:
    state = played(
        client,
        {"preset": "deals_2"},
        [(0, "turn"), (1, "pack"), (2, "declare")],
        [(1, "turn"), (2, "pack"), (0, "turn"), (1, "turn"), (0, "pack")],
    )
    assert state["phase"] == "match_over"
    assert of_all(state, "chips") == [220, 200, 60]
    assert state["totals"] == [40, 20, 100]
    assert of_all(state, "place") == [1, 2, 3]
    assert of_all(state, "share") == ["3", "0", "0"]


def test_a_pool_puts_a_seat_out_and_the_others_play_on(client: FlaskClient) -> None:
    state = played(
        client,
        {"preset": "indian", "format": "pool", "pool_limit": 40},
        [(0, "pack"), (1, "pack")],
        [(1, "turn"), (2, "pack"), (0, "pack")],
    )
    assert state["phase"] == "round_over"
    assert state["totals"] == [40, 20, 20]
    assert of_all(state, "status") == ["out", "in", "in"]
    dealt = moved(client, state, None, {"type": "next_round"})
    assert [len(seat["hand"]) for seat in dealt["seats"]] == [0, 13, 13]
    assert dealt["starter"] == 2


OFTEN = {
    "declared",
    "penalised",
    "packed_first",
    "packed_later",
    "forfeited",
    "nobody won",
    "left in a round",
    "left in a pause",
    "refused",
}
OF_FORMAT = {
    "rounds": {"end: rounds", "end: target", "end: last_in"},
    "pool": {"eliminated", "rejoined", "split_agreed", "end: last_in", "end: split_automatic", "end: split_manual"},
    "deals": {"tie break", "end: chips", "end: last_in"},
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_second_counter_says_the_same_of_matches_that_are_played(format: str) -> None:
    """More of them: `make fuzz`."""
    happened = sum((compare(format, seed) for seed in range(90)), Counter[str]())
    assert not (OFTEN | OF_FORMAT[format]) - happened.keys()

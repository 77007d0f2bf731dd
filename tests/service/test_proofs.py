"""Who proves an answer is the caller's choice, and what else is worth as much is told on request."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from bench.hands import hands
from service import create_app
from service.config import Settings
from service.solving.batches import Solvers
from solver import alternatives
from tests.service.calls import GROUPINGS, HAND, answered, wrong

BATCH, DECLARATIONS, SCORES = f"{GROUPINGS}/batch", "/v1/rummy/declarations", "/v1/rummy/scores"
MANY_WAYS = [
    "4S",
    "5S",
    "6S",
    "7S",
    "7H",
    "7D",
    "JK",
    "TH",
    "JH",
    "QH",
    "KH",
    "KD",
    "KC",
]  # four of them may change places
REGROUPED = [["4S", "5S", "6S", "TD"], ["JD", "QD", "KD", "2C"], ["3C", "JK", "8H", "8D", "8C"]]


def bodies() -> dict[str, dict[str, Any]]:
    return {
        GROUPINGS: {"hand": HAND, "wild_rank": "7"},
        BATCH: {"hands": [HAND] * 3, "wild_rank": "7"},
        DECLARATIONS: {"groups": REGROUPED, "wild_rank": None},
        SCORES: {
            "winner": None,
            "seats": [{"hand": HAND}, {"hand": MANY_WAYS}],
            "wild_rank": "7",
            "rules": {"decks": 3},
        },
    }


def proofs(answer: Any) -> set[str | None]:
    """All that an answer says of proofs."""
    if isinstance(answer, list):
        return set().union(*map(proofs, answer))
    if isinstance(answer, dict):
        own = {answer["proof"]} if "proof" in answer else set()
        return own.union(*map(proofs, answer.values()))
    return set()


@pytest.mark.parametrize("path", bodies())
def test_the_caller_chooses_and_the_answer_says_who_proved_it(client: FlaskClient, path: str, tmp_path: Path) -> None:
    body = bodies()[path]
    assert proofs(answered(client, path, body)) == {"reduction"}
    assert proofs(answered(client, path, body | {"proof": "auto"})) == {"reduction"}
    assert proofs(answered(client, path, body | {"proof": "cp-sat"})) == {"cp-sat"}
    forced = create_app(Settings(log="errors", data=tmp_path, solver="cp-sat")).test_client()
    assert proofs(answered(forced, path, body | {"proof": "auto"})) == {"cp-sat"}


@pytest.mark.parametrize("path", bodies())
@pytest.mark.parametrize("proof", ["CP-SAT", "reduction", "", None, 1, True, ["cp-sat"]])
def test_another_proof_is_refused(client: FlaskClient, path: str, proof: Any) -> None:
    wrong(client, path, bodies()[path] | {"proof": proof}, "invalid_request", "/proof")


def test_a_declaration_for_which_nothing_is_sought_says_so(client: FlaskClient) -> None:
    valid = [["4S", "5S", "6S"], ["TD", "JD", "QD", "KD"], ["2C", "3C", "JK"], ["8H", "8D", "8C"]]
    for groups in (valid, valid[:3]):
        answer = answered(client, DECLARATIONS, {"groups": groups, "wild_rank": None, "proof": "cp-sat"})
        assert (answer["regroup"], answer["proof"]) == (None, None)


@pytest.mark.parametrize("dealt", list(hands("near", 6, seed=3)), ids=str)
def test_both_ways_are_worth_the_same(client: FlaskClient, dealt: Any) -> None:
    body = {"hand": list(dealt.hand), "wild_rank": dealt.wild_rank, "rules": "indian"}
    worth = ("points", "points_uncapped", "loser_points", "declarable", "optimal")
    one, other = (answered(client, GROUPINGS, body | {"proof": proof}) for proof in ("auto", "cp-sat"))
    assert [one[name] for name in worth] == [other[name] for name in worth]


def shapes(grouping: Any) -> list[list[str]]:
    """Groups as they are told apart: `docs/solver.md` says how."""
    groups = [each["cards"] for each in grouping["groups"]]
    return sorted(sorted(group) for group in groups)


def test_alternatives_are_worth_as_much_and_made_of_other_groups(client: FlaskClient) -> None:
    body = {"hand": MANY_WAYS, "wild_rank": None, "alternatives": 20}
    answer = answered(client, GROUPINGS, body)
    found = answer["alternatives"]
    assert answer["alternatives_complete"] is True
    assert len(found) == 3
    told = [shapes(each) for each in (answer, *found)]
    assert all(told.count(each) == 1 for each in told)
    for each in found:
        cards = [card for group in each["groups"] for card in group["cards"]]
        assert sorted([*cards, *each["loose"]]) == sorted(MANY_WAYS)
    fewer = answered(client, GROUPINGS, body | {"alternatives": 2, "hand": random.Random(1).sample(MANY_WAYS, 13)})
    assert fewer["alternatives"] == found[:2]
    assert {name: value for name, value in fewer.items() if name != "alternatives"} == {
        name: value for name, value in answer.items() if name != "alternatives"
    }


def test_without_alternatives_the_answer_is_as_it_was(client: FlaskClient) -> None:
    plain = answered(client, GROUPINGS, {"hand": MANY_WAYS, "wild_rank": None})
    assert answered(client, GROUPINGS, {"hand": MANY_WAYS, "wild_rank": None, "alternatives": 0}) == plain
    assert not [name for name in plain if name.startswith("alternatives")]


def test_of_fourteen_cards_alternatives_are_of_the_same_thirteen(client: FlaskClient) -> None:
    hand = ["3S", "4S", "5S", "6S", "7S", "8S", "9S", "TD", "JD", "QD", "KD", "KH", "KC", "KS"]
    answer = answered(client, GROUPINGS, {"hand": hand, "wild_rank": None, "alternatives": 20})
    assert answer["declarable"] is True
    assert answer["alternatives"]
    kept = sorted(set(hand) - {answer["discard"]})
    for each in answer["alternatives"]:
        assert each["loose"] == []
        groups = [group["cards"] for group in each["groups"]]
        assert sorted(card for group in groups for card in group) == kept
        verdict = answered(client, DECLARATIONS, {"groups": groups, "wild_rank": None, "hand": kept})
        assert verdict["valid"] is True


def test_a_list_that_was_cut_short_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(alternatives.alternatives.__kwdefaults__, "deterministic_time", 0.0)
    monkeypatch.setitem(client.application.config, "SOLVERS", Solvers(1, places=2))  # in this process
    answer = answered(client, GROUPINGS, {"hand": MANY_WAYS, "wild_rank": None, "alternatives": 20})
    assert (answer["alternatives"], answer["alternatives_complete"]) == ([], False)
    assert answer["optimal"] is True


@pytest.mark.parametrize("number", [-1, 21, 1.0, "3", None, True])
def test_another_number_of_alternatives_is_refused(client: FlaskClient, number: Any) -> None:
    wrong(
        client, GROUPINGS, {"hand": HAND, "wild_rank": "7", "alternatives": number}, "invalid_request", "/alternatives"
    )


def test_batches_take_none(client: FlaskClient) -> None:
    wrong(client, BATCH, {"hands": [HAND], "wild_rank": "7", "alternatives": 1}, "invalid_request", "/alternatives")

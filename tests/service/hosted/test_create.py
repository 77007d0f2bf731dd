"""POST /v1/games: what is made, what is refused, and that a repeat makes nothing new."""

from __future__ import annotations

from typing import Any

import pytest

from engine.shuffling import commitment
from tests.service.calls import refused
from tests.service.hosted.tables import SEED, Service

RUMMY = {"game": "rummy", "seats": ["north", "south"]}


def test_a_new_game_is_answered_with_its_tokens_and_the_spectators_view(service: Service) -> None:
    answer = service.shop.post("/v1/games", {**RUMMY, "metadata": {"table": 7}})
    assert answer.status_code == 201
    body = answer.json
    assert answer.headers["Location"] == f"/v1/games/{body['id']}"
    assert answer.headers["ETag"] == '"v1"'
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Vary"] == "Authorization"
    assert body["version"] == 1
    assert body["game"] == "rummy"
    assert body["seed_source"] == "server"
    assert [seat["name"] for seat in body["seats"]] == ["north", "south"]
    assert len({body["spectator_token"], *(seat["token"] for seat in body["seats"])}) == 3
    assert body["view"]["viewer"] is None
    assert body["view"]["seats"][0]["hand"] == {"count": 13}
    assert [event["type"] for event in body["events"]] == ["dealt"]
    assert body["deadline"] is None
    state = service.shop.get(f"/v1/games/{body['id']}?seat=referee").json["state"]
    assert commitment(state["seed"]) == body["commitment"]
    assert state["seed"] not in answer.text


@pytest.mark.parametrize("game", ["rummy", "swoop"])
def test_a_seed_and_a_starter_of_the_callers_own(here: Service, game: str) -> None:
    table = here.create(game, 3, seed=SEED, starter=2)
    assert table.created["seed_source"] == "caller"
    assert table.created["commitment"] == commitment(SEED)
    assert table.state()["turn"] == 2
    twin = here.create(game, 3, seed=SEED, starter=2)
    assert twin.state() == table.state()
    assert twin.id != table.id


@pytest.mark.parametrize(
    ("changed", "code", "pointer"),
    [
        ({"game": "chess"}, "invalid_request", "/game"),
        ({"game": None}, "invalid_request", "/game"),
        ({"seats": ["one"]}, "invalid_request", "/seats"),
        ({"seats": [f"seat {n}" for n in range(11)]}, "invalid_request", "/seats"),
        ({"seats": ["a", ""]}, "invalid_request", "/seats/1"),
        ({"seats": ["a", "b" * 65]}, "invalid_request", "/seats/1"),
        ({"seats": ["a", 5]}, "invalid_request", "/seats/1"),
        ({"seats": "ab"}, "invalid_request", "/seats"),
        ({"game": "swoop", "seats": [f"seat {n}" for n in range(9)]}, "invalid_request", "/seats"),
        ({"rules": "nosuch"}, "unknown_rules", "/rules"),
        ({"rules": {"max_trios": "two"}}, "invalid_request", "/rules/max_trios"),
        ({"rules": {"nosuch": 1}}, "invalid_request", "/rules/nosuch"),
        ({"rules": {"decks": 1}, "seats": [f"seat {n}" for n in range(6)]}, "too_few_cards", None),
        ({"seed": "5E" * 32}, "invalid_request", "/seed"),
        ({"seed": "5e"}, "invalid_request", "/seed"),
        ({"starter": 2}, "invalid_request", "/starter"),
        ({"starter": True}, "invalid_request", "/starter"),
        ({"turn_seconds": 0}, "invalid_request", "/turn_seconds"),
        ({"turn_seconds": 604_801}, "invalid_request", "/turn_seconds"),
        ({"turn_seconds": 1.5}, "invalid_request", "/turn_seconds"),
        ({"turn_seconds": 60, "miss_limit": 0}, "invalid_request", "/miss_limit"),
        ({"turn_seconds": 60, "miss_limit": 101}, "invalid_request", "/miss_limit"),
        ({"miss_limit": 3}, "invalid_request", "/miss_limit"),
        ({"metadata": []}, "invalid_request", "/metadata"),
        ({"metadata": {"big": "x" * 4096}}, "invalid_request", "/metadata"),
        ({"players": 2}, "invalid_request", "/players"),
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused_and_leaves_none(
    here: Service, changed: Any, code: str, pointer: str | None
) -> None:
    problem = refused(here.shop.post("/v1/games", {**RUMMY, **changed}), 422, code)
    if pointer is not None:
        assert [flaw["pointer"] for flaw in problem["errors"]] == [pointer]
    assert here.shop.get("/v1/games").json["games"] == []


def test_the_largest_metadata_comes_back_as_it_was(here: Service) -> None:
    metadata = {"a": "x" * (4096 - len('{"a":""}'))}
    table = here.create(metadata=metadata)
    assert here.shop.get(table.path).json["metadata"] == metadata


def test_a_query_is_refused(here: Service) -> None:
    refused(here.shop.post("/v1/games?status=live", RUMMY), 422, "invalid_request", "?status")


def test_a_repeat_makes_one_game_and_tells_the_same_tokens(service: Service) -> None:
    first = service.shop.post("/v1/games", RUMMY, key="order 66")
    again = service.shop.post("/v1/games", {"seats": ["north", "south"], "game": "rummy"}, key="order 66")
    assert first.data == again.data
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    for name in ("ETag", "Location"):
        assert first.headers[name] == again.headers[name]
    assert len(service.shop.get("/v1/games").json["games"]) == 1
    for seat in first.json["seats"]:
        assert service.as_(seat["token"]).get(f"/v1/games/{first.json['id']}").status_code == 200


def test_a_repeat_is_answered_the_same_after_the_game_moved_on_and_a_token_was_replaced(service: Service) -> None:
    first = service.shop.post("/v1/games", RUMMY, key="k")
    path = f"/v1/games/{first.json['id']}"
    assert service.shop.post(f"{path}/moves", {"seat": None, "move": {"type": "abort"}}, match=1).status_code == 201
    assert service.shop.post(f"{path}/seats/0/token").status_code == 201
    again = service.shop.post("/v1/games", RUMMY, key="k")
    assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, '"v1"')


def test_another_body_under_the_same_key_is_refused(service: Service) -> None:
    service.shop.post("/v1/games", RUMMY, key="k")
    refused(service.shop.post("/v1/games", {**RUMMY, "seats": ["north", "west"]}, key="k"), 422, "key_reused")
    assert len(service.shop.get("/v1/games").json["games"]) == 1


def test_a_repeat_with_another_key_of_the_same_app_is_told_no_wrong_tokens(here: Service) -> None:
    first = here.shop.post("/v1/games", RUMMY, key="k")
    problem = refused(here.shop_with_new_key.post("/v1/games", RUMMY, key="k"), 422, "key_reused")
    assert "another app key" in problem["detail"]
    assert here.shop_with_new_key.get(f"/v1/games/{first.json['id']}").status_code == 200


def test_keys_of_two_apps_do_not_meet(service: Service) -> None:
    first = service.shop.post("/v1/games", RUMMY, key="k")
    second = service.other.post("/v1/games", RUMMY, key="k")
    assert "Idempotent-Replayed" not in second.headers
    assert first.json["id"] != second.json["id"]


def test_without_a_key_every_create_is_a_game(here: Service) -> None:
    assert here.create().id != here.create().id
    assert len(here.shop.get("/v1/games").json["games"]) == 2


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "naïve"])
def test_a_key_that_is_none_is_refused(here: Service, key: str) -> None:
    refused(here.shop.post("/v1/games", RUMMY, key=key), 422, "invalid_request")
    assert here.shop.get("/v1/games").json["games"] == []


def test_a_key_of_full_length_works(here: Service) -> None:
    assert here.shop.post("/v1/games", RUMMY, key="k" * 255).status_code == 201


def test_no_token_is_stored(here: Service) -> None:
    """Not in the file, not in its log: only fingerprints."""
    answer = here.shop.post("/v1/games", RUMMY, key="k")
    told = [answer.json["spectator_token"], *(seat["token"] for seat in answer.json["seats"])]
    game = here.store.load(answer.json["id"])
    kept = repr(game) + repr(here.store.events(game.id, 0, 10))
    for token in told:
        assert token not in kept
        assert token.split(".")[1] not in kept

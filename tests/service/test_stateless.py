"""POST /v1/{game}/deals, transitions, legal-moves and views, for every game there is."""

from __future__ import annotations

import copy
import hashlib
import random
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.games import GAMES
from engine.options import resolve, rules_hash, to_json
from service.json import states
from tests.engine.swoop.builders import crowded
from tests.service.calls import answered, refused, wrong

SEED = "0123456789abcdef" * 4
games = pytest.mark.parametrize("game", GAMES)


def dealt(client: FlaskClient, game: str, **given: Any) -> Any:
    return answered(client, f"/v1/{game}/deals", {"seats": 3, "seed": SEED, "starter": 1} | given, 201)


def moved(client: FlaskClient, game: str, state: Any, seat: int | None, move: Any) -> Any:
    return answered(client, f"/v1/{game}/transitions", {"state": state, "seat": seat, "move": move})


def legal(client: FlaskClient, game: str, state: Any, seat: int | None, **more: Any) -> Any:
    answer = answered(client, f"/v1/{game}/legal-moves", {"state": state, "seat": seat, **more})
    assert answer.keys() == {"moves"}
    return answer["moves"]


@games
class TestDeal:
    def test_the_seed_is_published_as_a_commitment(self, client: FlaskClient, game: str) -> None:
        answer = dealt(client, game)
        assert answer["state"]["seed"] == SEED
        assert answer["commitment"] == hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
        assert answer["events"][0]["type"] == "dealt"
        assert (answer["state"]["starter"], answer["state"]["turn"]) == (1, 1)

    def test_without_a_seed_every_deal_is_another(self, client: FlaskClient, game: str) -> None:
        first, second = (dealt(client, game, seed=None, starter=None)["state"] for _ in range(2))
        assert first["seed"] != second["seed"]
        assert first["seats"] != second["seats"]

    def test_the_state_says_what_it_is(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game, rules={"preset": list(GAMES[game].rules.presets())[1]})["state"]
        rules = resolve(GAMES[game].rules, list(GAMES[game].rules.presets())[1])
        assert (state["schema"], state["game"]) == (2, game)
        assert state["rules"] == to_json(rules)
        assert state["rules_hash"] == rules_hash(rules)

    @pytest.mark.parametrize(
        ("given", "pointers"),
        [
            ({"seats": 1}, ["/seats"]),
            ({"seats": 11}, ["/seats"]),
            ({"seats": True}, ["/seats"]),
            ({"seats": "3"}, ["/seats"]),
            ({"seats": 3.0}, ["/seats"]),
            ({"seats": None}, ["/seats"]),
            ({"seed": "ab"}, ["/seed"]),
            ({"seed": "AB" * 32}, ["/seed"]),
            ({"seed": 7}, ["/seed"]),
            ({"starter": 3}, ["/starter"]),
            ({"starter": -1}, ["/starter"]),
            ({"dealer": 1}, ["/dealer"]),
            ({"rules": {"nope": 1}}, ["/rules/nope"]),
        ],
    )
    def test_wrong_requests(self, client: FlaskClient, game: str, given: Any, pointers: list[str]) -> None:
        wrong(client, f"/v1/{game}/deals", {"seats": 3} | given, "invalid_request", *pointers)


def test_too_few_cards(client: FlaskClient) -> None:
    wrong(client, "/v1/rummy/deals", {"seats": 4, "rules": {"decks": 1}}, "too_few_cards")


@games
class TestMoves:
    def test_a_match_from_deal_to_outcome(self, client: FlaskClient, game: str) -> None:
        """Every move that is listed is taken; what comes back goes in again as it is."""
        chance = random.Random(11)
        rules = {"rummy": {"rounds": 2, "max_turns": 12}, "swoop": {"limit": 400}}[game]
        state, outcome, kinds = dealt(client, game, seats=2, rules=rules)["state"], None, set()
        for _ in range(2000):
            moves = legal(client, game, state, state["turn"])
            if state["turn"] is None:
                moves = [move for move in moves if move["type"] == "next_round"]
            packs = [move for move in moves if move["type"] == "pack"]
            move = chance.choice([move for move in moves if move not in packs or chance.random() < 0.02] or packs)
            answer = moved(client, game, state, state["turn"], move)
            state, outcome = answer["state"], answer["outcome"]
            kinds |= {event["type"] for event in answer["events"]}
            if outcome:
                break
        assert outcome
        assert state["phase"] == "match_over"
        assert outcome["totals"] == state["totals"]
        assert {"round_scored", "match_over", "dealt"} <= kinds
        assert legal(client, game, state, 0) == []

    def test_a_seat_that_is_not_to_move(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        move = legal(client, game, state, 1)[0]
        assert legal(client, game, state, 0) == []
        response = client.post(f"/v1/{game}/transitions", json={"state": state, "seat": 0, "move": move})
        problem = refused(response, 409, "not_your_turn")
        assert problem["violation"]["code"] == "not_your_turn"
        assert problem["violation"]["message"] == problem["detail"]

    def test_every_move_by_itself(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        short, every = legal(client, game, state, 1, all=False), legal(client, game, state, 1, all=True)
        assert legal(client, game, state, 1) == short
        assert [move for move in every if move in short] == short
        assert legal(client, game, state, 0, all=True) == []
        assert legal(client, game, state, None, all=True) == legal(client, game, state, None)
        body = {"state": state, "seat": 1}
        for given in (None, 1, "true"):
            wrong(client, f"/v1/{game}/legal-moves", body | {"all": given}, "invalid_request", "/all")
        wrong(client, f"/v1/{game}/views", body | {"all": True}, "invalid_request", "/all")

    def test_the_referee(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        assert {move["type"] for move in legal(client, game, state, None)} == {"forfeit", "withdraw", "abort"}
        answer = moved(client, game, state, None, {"type": "abort"})
        assert answer["outcome"] == {"winners": [], "totals": [0, 0, 0], "reason": "aborted"}
        response = client.post(
            f"/v1/{game}/transitions", json={"state": answer["state"], "seat": None, "move": {"type": "abort"}}
        )
        refused(response, 409, "game_over")

    @pytest.mark.parametrize(
        ("given", "pointers"),
        [
            ({"seat": 3}, ["/seat"]),
            ({"seat": -1}, ["/seat"]),
            ({"seat": True}, ["/seat"]),
            ({"move": {"type": "abort"}}, ["/seat"]),
            ({"seat": None, "move": {"type": "forfeit", "seat": 3}}, ["/move/seat"]),
            ({"move": {"type": "fly"}}, ["/move/type"]),
            ({"move": {"type": ["draw"]}}, ["/move/type"]),
            ({"move": {}}, ["/move/type"]),
            ({"move": None}, ["/move"]),
            ({"move": "draw"}, ["/move"]),
            ({"seat": None, "move": {"type": "abort", "why": 1}}, ["/move/why"]),
            ({"seat": None, "move": {"type": "forfeit"}}, ["/move/seat"]),
            ({"seat": None, "move": {"type": "forfeit", "seat": "0"}}, ["/move/seat"]),
        ],
    )
    def test_moves_that_are_none(self, client: FlaskClient, game: str, given: Any, pointers: list[str]) -> None:
        state = dealt(client, game)["state"]
        body = {"state": state, "seat": 1, "move": legal(client, game, state, 1)[0]} | given
        wrong(client, f"/v1/{game}/transitions", body, "invalid_request", *pointers)

    def test_a_seat_must_be_named(self, client: FlaskClient, game: str) -> None:
        body = {"state": dealt(client, game)["state"]}
        wrong(client, f"/v1/{game}/views", body, "invalid_request", "/seat")
        wrong(client, f"/v1/{game}/views", body | {"seat": 3}, "invalid_request", "/seat")
        wrong(client, f"/v1/{game}/legal-moves", body | {"seat": 3}, "invalid_request", "/seat")


def test_more_plays_than_are_listed(client: FlaskClient) -> None:
    state = states.to_json(GAMES["swoop"], crowded())
    body = {"state": state, "seat": 0}
    answer = answered(client, "/v1/swoop/legal-moves", body | {"all": True})
    assert answer["complete"] is False
    assert len(answer["moves"]) == 1000
    assert answered(client, "/v1/swoop/legal-moves", body).keys() == {"moves"}


def test_a_declaration_that_other_groups_would_win(client: FlaskClient) -> None:
    state = dealt(client, "rummy", seats=2)["state"]
    groups = [["2H", "3H", "4H"], ["7S", "8S", "9S", "TS"], ["5D", "6D", "7D"], ["KD", "KC", "KH"]]
    give(state, 1, [card for group in groups for card in group])
    state = moved(client, "rummy", state, 1, {"type": "draw", "from": "stock"})["state"]
    fold = state["seats"][1]["hand"][-1]
    declares = [move for move in legal(client, "rummy", state, 1) if move["type"] == "declare"]
    assert {"type": "declare", "fold": fold} in declares
    sent = [["2H", "3H", "4H", "7S"], ["8S", "9S", "TS"], *groups[2:]]
    move = {"type": "declare", "fold": fold, "groups": sent}
    response = client.post("/v1/rummy/transitions", json={"state": state, "seat": 1, "move": move})
    problem = refused(response, 409, "regroup")
    assert sorted(card for group in problem["regroup"] for card in group) == sorted(
        card for group in groups for card in group
    )
    answer = moved(client, "rummy", state, 1, move | {"groups": problem["regroup"]})
    assert answer["events"][0]["type"] == "declared"


def give(state: Any, seat: int, wanted: list[str]) -> None:
    """Let a seat hold these cards: each changes places with one that it holds and should not."""
    hand = state["seats"][seat]["hand"]
    zones = [
        state["stock"],
        state["discard"],
        *(other["hand"] for at, other in enumerate(state["seats"]) if at != seat),
    ]
    spare = [card for card in hand if card not in wanted]
    for card in wanted:
        if card not in hand:
            zone = next((zone for zone in zones if card in zone), None)
            given = spare.pop()
            hand[hand.index(given)] = card
            if zone is None:
                assert state["wild_card"] == card
                raise AssertionError("the wild card cannot be given; choose another seed")
            zone[zone.index(card)] = given


@games
class TestViews:
    def test_what_is_hidden_is_not_there(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        for viewer in (None, 0, 1, 2):
            view = answered(client, f"/v1/{game}/views", {"state": state, "seat": viewer})["view"]
            assert view["viewer"] == viewer
            assert view["to_move"] == (None if viewer is None else viewer == 1)
            assert "seed" not in view
            for at, seat in enumerate(view["seats"]):
                held = state["seats"][at]["hand"]
                assert seat["hand"] == (held if at == viewer else {"count": len(held)})
            assert view["rules_hash"] == state["rules_hash"]


def _change(path: str, value: Any) -> Callable[[Any], None]:
    *parents, last = path.split("/")

    def change(state: Any) -> None:
        for name in parents:
            state = state[int(name) if isinstance(state, list) else name]
        state[int(last) if isinstance(state, list) else last] = value

    return change


@games
class TestStatesFromCallers:
    @pytest.mark.parametrize(
        ("path", "value", "pointer"),
        [
            ("schema", 3, "/schema"),
            ("schema", "1", "/schema"),
            ("schema", True, "/schema"),
            ("game", "chess", "/game"),
            ("rules_hash", "0" * 64, "/rules_hash"),
            ("rules", "house", "/rules"),
            ("rules/decks", "1", "/rules/decks"),
            ("rules/nope", 1, "/rules/nope"),
            ("seed", "zz", "/seed"),
            ("seed", None, "/seed"),
            ("turn", "1", "/turn"),
            ("turn", True, "/turn"),
            ("turn", 3, "/turn"),
            ("phase", "sleep", "/phase"),
            ("plies", -1, "/plies"),
            ("plies", 1.0, "/plies"),
            ("plies", 2**63, "/plies"),
            ("round", 0, "/round"),
            ("totals", [0, 0], "/totals"),
            ("totals", [0, 0, None], "/totals/2"),
            ("totals/0", "0", "/totals/0"),
            ("seats", None, "/seats"),
            ("seats", [], ""),
            ("seats/0", [], "/seats/0"),
            ("seats/0/hand", None, "/seats/0/hand"),
            ("seats/0/hand/0", "XX", "/seats/0/hand/0"),
            ("seats/0/hand/0", None, "/seats/0/hand/0"),
            ("seats/0/name", "x", "/seats/0/name"),
            ("seats/0/status", "asleep", "/seats/0/status"),
            ("more", 1, "/more"),
        ],
    )
    def test_a_wrong_place_is_named(self, client: FlaskClient, game: str, path: str, value: Any, pointer: str) -> None:
        state = dealt(client, game)["state"]
        _change(path, value)(state)
        body = {"state": state, "seat": 1}
        for call in ("legal-moves", "views"):
            problem = wrong(client, f"/v1/{game}/{call}", body, "corrupt_state")
            assert all(flaw["pointer"].startswith("/state") for flaw in problem["errors"])
            assert any(flaw["pointer"].startswith(f"/state{pointer}") for flaw in problem["errors"]), problem

    def test_every_field_is_needed(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        for name in state:
            less = {other: value for other, value in state.items() if other != name}
            problem = wrong(client, f"/v1/{game}/views", {"state": less, "seat": 0}, "corrupt_state")
            assert f"/state/{name}" in [flaw["pointer"] for flaw in problem["errors"]]

    @pytest.mark.parametrize("state", [None, [], "state", 7, {}])
    def test_what_is_no_state_at_all(self, client: FlaskClient, game: str, state: Any) -> None:
        wrong(client, f"/v1/{game}/views", {"state": state, "seat": 0}, "corrupt_state")

    def test_cards_are_conserved(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"]
        lost = copy.deepcopy(state)
        lost["seats"][0]["hand"].pop()
        twice = copy.deepcopy(state)
        hand = twice["seats"][0]["hand"]
        hand[0] = next(card for card in hand if card != hand[0])
        for given in (lost, twice):
            wrong(client, f"/v1/{game}/views", {"state": given, "seat": 0}, "corrupt_state")

    def test_the_seed_is_not_compared(self, client: FlaskClient, game: str) -> None:
        state = dealt(client, game)["state"] | {"seed": "f" * 64}
        assert legal(client, game, state, 1)

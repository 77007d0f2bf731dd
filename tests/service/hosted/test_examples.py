"""The examples of openapi.yaml for hosted games, sent in one sitting: they are answered as shown, as their schemas say."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from service import openapi
from service.http import Example, Operation
from service.routes import OPERATIONS
from tests.service.hosted.tables import Caller, Clock, Service
from tests.test_docs import matches

SPEC: dict[str, Any] = openapi.document(OPERATIONS)
GAMES = {operation.name: operation for operation in OPERATIONS if operation.tag == "Games"}


def fits(operation: Operation, response: TestResponse) -> None:
    """The answer is one that the spec knows, headers and all."""
    described = SPEC["paths"][operation.path][operation.method.lower()]["responses"][str(response.status_code)]
    schema = next(iter(described["content"].values()))["schema"]
    found = Draft202012Validator({**schema, "components": SPEC["components"]}).iter_errors(response.json)
    assert [f"{error.json_path}: {error.message[:300]}" for error in found] == []
    assert described["headers"].keys() - {"Idempotent-Replayed"} <= set(response.headers.keys())
    if "$ref" in schema:
        closed = SPEC["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        assert response.json.keys() <= closed["properties"].keys()


def test_the_examples_of_hosted_games(here: Service, clocked: Clock) -> None:
    shown: set[str] = set()

    def example(name: str) -> Example:
        shown.add(name)
        found: Example = GAMES[name].examples[0]
        return found

    def send(caller: Caller, name: str, path: str, **more: Any) -> Any:
        """Send an example as it stands, and compare."""
        wanted, operation = example(name), GAMES[name]
        response = caller.call(operation.method, path, wanted.asked, **more)
        assert response.status_code == operation.status, response.text
        assert matches(wanted.answer, response.json), response.text
        fits(operation, response)
        return response.json

    created = send(here.shop, "post_v1_games", "/v1/games", key="table 7")
    path = f"/v1/games/{created['id']}"
    ann = here.as_(created["seats"][0]["token"])
    send(here.shop, "get_v1_games", "/v1/games")
    send(ann, "get_v1_games_id", path)
    fits(GAMES["get_v1_games_id"], here.shop.get(f"{path}?seat=referee"))
    send(ann, "get_v1_games_id_legal_moves", f"{path}/legal-moves")
    send(ann, "post_v1_games_id_moves", f"{path}/moves", match=1, **{"X-Request-Id": "play-1"})
    send(ann, "get_v1_games_id_events", f"{path}/events?after=1")
    clocked.pass_seconds(61)
    send(here.shop, "post_v1_games_id_timeouts", f"{path}/timeouts", match=2)
    send(here.shop, "post_v1_games_id_seats_n_token", f"{path}/seats/1/token")
    send(here.shop, "post_v1_games_id_spectator_token", f"{path}/spectator/token")
    fits(GAMES["get_v1_games_id_record"], here.shop.get(f"{path}/record"))
    forfeit = {"seat": None, "move": {"type": "forfeit", "seat": 1}}
    fits(GAMES["post_v1_games_id_moves"], here.shop.post(f"{path}/moves?include=views", forfeit, match=3))
    send(here.shop, "post_v1_games_id_rounds", f"{path}/rounds", match=4)
    fits(GAMES["post_v1_games_id_moves"], here.shop.post(f"{path}/moves", forfeit, match=4))
    here.shop.post(f"{path}/moves", {"seat": None, "move": {"type": "abort"}}, match=5)
    send(ann, "get_v1_games_id_record", f"{path}/record")
    assert shown == {name for name, operation in GAMES.items() if operation.method != "DELETE"}

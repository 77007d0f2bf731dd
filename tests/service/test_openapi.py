"""openapi.yaml: fresh, valid, complete, and true: its examples are sent and answered as shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from engine.games import GAMES
from engine.options import options
from service import openapi
from service.http import Example
from service.problems import PROBLEMS
from service.routes import OPERATIONS

ROOT = Path(__file__).parent.parent.parent
SPEC: dict[str, Any] = openapi.document(OPERATIONS)


def check(schema: Any, value: Any) -> None:
    """The value fits the schema; the message is short, for the whole description would be in the error's own."""
    found = Draft202012Validator({**schema, "components": SPEC["components"]}).iter_errors(value)
    assert [f"{error.json_path}: {error.message[:300]}" for error in found] == []


def examples() -> Iterator[tuple[str, Example]]:
    for operation in OPERATIONS:
        if operation.tag != "Games":  # those need a game: see hosted/test_examples.py
            for example in operation.examples:
                yield operation.path, example


def shown(value: Any) -> Any:
    """An answer as an example shows it: what differs from call to call is ``"…"``."""
    if isinstance(value, dict):
        return {name: "…" if name == "request_id" else shown(each) for name, each in value.items()}
    return [shown(each) for each in value] if isinstance(value, list) else value


def test_the_file_is_not_stale() -> None:
    assert (ROOT / "openapi.yaml").read_text(encoding="utf-8") == openapi.text(OPERATIONS), "make openapi"


def test_the_service_serves_the_same(client: FlaskClient) -> None:
    response = client.get("/openapi.yaml")
    assert response.content_type == "application/yaml"
    assert yaml.safe_load(response.data) == SPEC


def test_it_is_valid() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(SPEC).iter_errors()] == []


def test_every_route_is_described(app: Flask) -> None:
    """All but the files of the documentation."""
    routes = {
        (str(rule).replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not str(rule).startswith("/docs/")
    }
    assert routes == {(path, method) for path, methods in SPEC["paths"].items() for method in methods}


def test_every_error_is_described() -> None:
    """Each code of the list is told by some call, each call tells what all calls can answer."""
    said = json.dumps(SPEC["paths"])
    for code in set(PROBLEMS) - {
        "http_version_not_supported",
        "not_implemented",
    }:  # no client made from this can cause them
        assert f"`{code}`:" in said, code
    for methods in SPEC["paths"].values():
        for call in methods.values():
            assert {"405", "500"} <= call["responses"].keys()
            if "requestBody" in call:
                assert {"400", "413", "415", "422"} <= call["responses"].keys()
            for status, response in call["responses"].items():
                if status >= "400":
                    assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_described_from_the_options(game: str) -> None:
    request = SPEC["components"]["schemas"][f"{game.capitalize()}DealRequest"]
    as_object = request["properties"]["rules"]["anyOf"][-1]
    described = {name: option.sentence for name, option in options(GAMES[game].rules).items()}
    assert {
        name: field["description"] for name, field in as_object["properties"].items() if name != "preset"
    } == described


def test_every_header_that_may_be_sent_has_an_example() -> None:
    """Else tools that generate calls guess one, from whatever in the description bears a similar name."""
    described = openapi.document(OPERATIONS)["components"]["parameters"]
    headers = [parameter for parameter in described.values() if parameter["in"] == "header"]
    assert headers
    assert all(parameter["example"].isascii() and parameter["example"].isprintable() for parameter in headers)


def test_every_stateless_call_has_an_example() -> None:
    with_examples = {path for path, _ in examples()}
    assert with_examples == {
        *(f"/v1/rummy/{call}" for call in ("groupings", "groupings/batch", "declarations", "scores")),
        "/v1/swoop/plays",
        "/v1/swoop/scores",
    }


@pytest.mark.parametrize(("path", "example"), list(examples()), ids=lambda value: getattr(value, "summary", value))
def test_examples_are_answered_as_shown_and_fit_their_schemas(client: FlaskClient, path: str, example: Example) -> None:
    response = client.post(path, json=example.asked)
    assert response.status_code == 200
    assert shown(response.json) == example.answer
    call = SPEC["paths"][path]["post"]
    check(call["requestBody"]["content"]["application/json"]["schema"], example.asked)
    check(call["responses"]["200"]["content"]["application/json"]["schema"], response.json)


@pytest.mark.parametrize("game", GAMES)
def test_the_answers_of_play_fit_their_schemas(client: FlaskClient, game: str) -> None:
    def call(name: str, body: Any) -> Any:
        path = f"/v1/{game}/{name}"
        described = SPEC["paths"][path]["post"]
        check(described["requestBody"]["content"]["application/json"]["schema"], body)
        response = client.post(path, json=body)
        status = str(response.status_code)
        check(described["responses"][status]["content"]["application/json"]["schema"], response.json)
        return response.json

    state = call("deals", {"seats": 2, "starter": 0})["state"]
    for _ in range(20):
        call("views", {"state": state, "seat": 0})
        moves = call("legal-moves", {"state": state, "seat": state["turn"]})["moves"]
        if not moves:
            break
        state = call("transitions", {"state": state, "seat": state["turn"], "move": moves[0]})["state"]


def test_problems_fit_their_schema(client: FlaskClient) -> None:
    for response in (client.get("/nope"), client.post("/v1/rummy/groupings", json={})):
        check({"$ref": "#/components/schemas/Problem"}, response.json)


def test_the_rules_fit_their_schema(client: FlaskClient) -> None:
    for path, values in (("/v1/rules", {}), ("/v1/rules/{game}/{preset}", {"game": "rummy", "preset": "indian"})):
        schema = SPEC["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        check(schema, client.get(path.format(**values)).json)

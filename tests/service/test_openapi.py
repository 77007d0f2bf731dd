"""openapi.yaml: fresh, valid, complete, and true: its examples are sent and answered as shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from engine.games import GAMES
from engine.options import options
from service.contract import openapi
from service.http.operation import Example
from service.problems.codes import PROBLEMS
from service.routes import OPERATIONS
from tests.service.described import SPEC, check, shown

ROOT = Path(__file__).parent.parent.parent


def examples() -> Iterator[tuple[str, Example]]:
    for operation in OPERATIONS:
        if operation.tag != "Games":  # those need a game: see hosted/test_examples.py
            for example in operation.examples:
                yield operation.path, example


def test_the_file_is_not_stale() -> None:
    assert (ROOT / "openapi.yaml").read_text(encoding="utf-8") == openapi.text(OPERATIONS), "make openapi"


def test_the_service_serves_the_same(client: FlaskClient) -> None:
    response = client.get("/openapi.yaml")
    assert response.content_type == "application/yaml"
    assert yaml.safe_load(response.data) == SPEC


def test_it_is_valid() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(SPEC).iter_errors()] == []


def schemas(value: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in the description, examples left out, with its place."""
    if isinstance(value, dict):
        if "$ref" not in value and value.keys() & {"type", "oneOf", "anyOf", "allOf", "const", "enum"}:
            yield at, value
        for name, each in value.items():
            if name not in ("example", "examples", "default", "enum", "required"):
                yield from schemas(each, f"{at}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from schemas(each, f"{at}/{number}")


def test_nothing_is_left_open() -> None:
    """No object of which it is not said what it holds, no list of whatever: but for an app's own metadata."""
    open_ones = []
    for at, schema in schemas(SPEC["components"]["schemas"]):
        kinds = schema.get("type", ())
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if (
            "object" in kinds
            and "properties" not in schema
            and not isinstance(schema.get("additionalProperties"), dict)
        ):
            open_ones.append(at)
        if "array" in kinds and not schema.keys() & {"items", "prefixItems"}:
            open_ones.append(at)
    assert open_ones == ["/Metadata"]
    empty = [at for at, value in everything(SPEC["components"]["schemas"]) if value in ({}, True) and is_schema(at)]
    assert empty == ["/Metadata/additionalProperties"]


def everything(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    yield at, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from everything(each, f"{at}/{name}")


def is_schema(at: str) -> bool:
    parts = at.split("/")
    return parts[-1] in ("items", "additionalProperties") or parts[-2:-1] == ["properties"]


def test_every_body_is_named_and_none_twice() -> None:
    """What calls take and answer are components, so that the classes that are made of them have our names."""
    for methods in SPEC["paths"].values():
        for call in methods.values():
            contents = [call["requestBody"]["content"]] if "requestBody" in call else []
            contents += [each["content"] for each in call["responses"].values() if "content" in each]
            for content in contents:
                for kind, told in content.items():
                    assert kind != "application/json" or "$ref" in told["schema"], call["operationId"]


def test_what_depends_on_the_game_is_told_apart_by_it() -> None:
    for name in ("CreateRequest", "CreatedGame", "ShownGame", "MadeMove", "ListedMoves", "GameLog", "MatchRecord"):
        schema = SPEC["components"]["schemas"][name]
        assert schema["discriminator"]["propertyName"] == "game"
        assert schema["discriminator"]["mapping"].keys() == GAMES.keys()
        for game, ref in schema["discriminator"]["mapping"].items():
            assert SPEC["components"]["schemas"][ref.split("/")[-1]]["properties"]["game"]["const"] == game


@pytest.mark.parametrize("game", GAMES)
def test_every_move_and_event_is_described(game: str) -> None:
    for kind, classes in (
        ("Move", GAMES[game].moves),
        ("Event", GAMES[game].events),
        ("LoggedEvent", GAMES[game].events),
    ):
        told = SPEC["components"]["schemas"][f"{game.capitalize()}{kind}"]["discriminator"]["mapping"]
        assert list(told) == [each.type for each in classes]


def test_operations_are_named_by_verbs() -> None:
    names = [call["operationId"] for methods in SPEC["paths"].values() for call in methods.values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+([A-Z][a-z]+)+", name) for name in names), names


def test_every_route_is_described(app: Flask) -> None:
    """All but the pages and the files of the documentation."""
    routes = {
        (str(rule).replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not str(rule).startswith(("/docs/", "/play"))
    }
    assert routes == {(path, method) for path, methods in SPEC["paths"].items() for method in methods}


def test_every_error_is_described() -> None:
    """Each code of the list is told by some call, each call tells what all calls can answer."""
    said = json.dumps(SPEC["components"]["responses"])
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
                    kind, name = response["$ref"].split("/")[-2:]
                    assert list(SPEC["components"][kind][name]["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_described_from_the_options(game: str) -> None:
    as_object = SPEC["components"]["schemas"][f"{game.capitalize()}Options"]
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
        *(f"/v1/rummy/{call}" for call in ("groupings", "groupings/batch", "declarations", "scores", "settlements")),
        "/v1/swoop/plays",
        "/v1/swoop/scores",
        *(f"/v1/{game}/{call}" for game in GAMES for call in ("deals", "transitions", "legal-moves", "views")),
    }


@pytest.mark.parametrize(("path", "example"), list(examples()), ids=lambda value: getattr(value, "summary", value))
def test_examples_are_answered_as_shown_and_fit_their_schemas(client: FlaskClient, path: str, example: Example) -> None:
    response = client.post(path, json=example.asked)
    call = SPEC["paths"][path]["post"]
    schema = call["responses"][str(response.status_code)]["content"]["application/json"]["schema"]
    assert response.status_code in (200, 201)
    assert shown(response.json) == shown(example.answer), "make examples"
    check(schema, example.answer)
    check(call["requestBody"]["content"]["application/json"]["schema"], example.asked)
    check(schema, response.json)


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
    for path, values in (("/v1/rules", {}), ("/v1/rules/rummy/{preset}", {"preset": "indian"})):
        schema = SPEC["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        check(schema, client.get(path.format(**values)).json)

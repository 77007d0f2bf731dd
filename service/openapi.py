"""The operations as OpenAPI 3.1: made from the same values that the routes are made from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
import yaml

from engine.games import GAMES
from service import ROOT, headers
from service.errors import PROBLEM_TYPE
from service.http import Operation
from service.json_schema import Json, Schemas, name_of
from service.problems import PROBLEMS
from service.states import SCHEMA

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
_DESCRIPTION = """\
A headless card-table referee: whether a move is legal, what a hand is worth, and games in progress.

JSON in and out. Errors are `application/problem+json` (RFC 9457) with a stable `code`; `errors` names each wrong place by a
JSON pointer. A field that is not described here is refused with 422, in bodies and query strings alike.
Cards are a rank and a suit such as `5H` or `TD`, or `JK` for a printed joker."""

_TAGS = {
    "Rummy": "13-card rummy.",
    "Swoop": "The shedding game with guards and secrets.",
    "Games": "Games that the service keeps.",
    "Rules": "Presets and options of the games.",
    "Operations": "Running the service.",
}
_SUCCESSES = {200: "The answer.", 201: "What was made.", 204: "Done, and there is nothing to say."}
_EVERY_CALL = ("bad_request", "method_not_allowed", "internal")
_WITH_BODY = ("bad_json", "invalid_request", "too_large", "unsupported_media_type")


def document(operations: Sequence[Operation]) -> Json:
    """The whole description as plain JSON values."""
    schemas = Schemas()
    schemas.components["Problem"] = _problem_schema()
    for game in GAMES.values():
        _add_state(schemas, game)
    for operation in operations:  # requests first: a type that is read as well as written is closed
        if operation.body:
            schemas.of_shape(operation.body)
    paths: Json = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Cardref",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.components.items())),
            "headers": headers.answer_headers(),
            "parameters": headers.parameters(),
            "securitySchemes": {
                "app": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An app's key. In open mode there is none: an app's calls have no such header, and with one they are refused where games are kept.",
                },
                "table": {"type": "http", "scheme": "bearer", "description": "A seat's or a spectator's token."},
            },
        },
    }
    plain: Json = orjson.loads(orjson.dumps(whole))
    return plain


@cache
def text(operations: tuple[Operation, ...]) -> str:
    """The description as YAML."""
    writer = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the same text; PyYAML's own takes a worker twice as long
    written: str = yaml.dump(document(operations), Dumper=writer, sort_keys=False, allow_unicode=True, width=120)
    return written


def _operation(operation: Operation, schemas: Schemas) -> Json:
    found: Json = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description or operation.summary,
        "parameters": [
            *_parameters(operation, schemas),
            *(headers.refer("parameters", name) for name in (*operation.asked_headers, "X-Request-Id")),
        ],
        "security": [*operation.security, {}],
    }
    if operation.body:
        content: Json = {"schema": schemas.of_shape(operation.body)}
        if operation.examples:
            content["examples"] = _examples((example.summary, example.asked) for example in operation.examples)
        found["requestBody"] = {"required": True, "content": {"application/json": content}}
    answered: Json = {"schema": schemas.of(operation.answer, closed=False)}
    if operation.examples:
        answered["examples"] = _examples((example.summary, example.answer) for example in operation.examples)
    found["responses"] = {
        str(operation.status): {
            "description": _SUCCESSES[operation.status],
            "headers": {name: headers.refer("headers", name) for name in (*operation.answer_headers, "X-Request-Id")},
            **({"content": {operation.media_type: answered}} if operation.status != 204 else {}),
        }
    } | _refusals(operation)
    if "If-None-Match" in operation.asked_headers:
        unchanged = {name: headers.refer("headers", name) for name in ("ETag", "X-Request-Id")}
        found["responses"]["304"] = {"description": "The caller has this version.", "headers": unchanged}
    return found


def _examples(named: Iterable[tuple[str, Any]]) -> Json:
    return {
        f"example-{number}": {"summary": summary, "value": value} for number, (summary, value) in enumerate(named, 1)
    }


def _parameters(operation: Operation, schemas: Schemas) -> list[Json]:
    found: list[Json] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {
                "type": "string",
                **({"enum": list(values)} if (values := operation.parameters.get(name)) else {}),
            },
        }
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    found += [
        {"name": name, "in": "query", "required": field.required, "schema": schemas.of_field(field)}
        for name, field in (operation.query.fields.items() if operation.query else ())
    ]
    return found


def codes_of(operation: Operation) -> tuple[str, ...]:
    """Every code that an operation can answer, in the order of the checks."""
    codes = {*operation.errors, *_EVERY_CALL}
    if operation.body:
        codes |= set(_WITH_BODY)
    if operation.needs_caller:
        codes |= {"unauthenticated", "invalid_request", "rate_limited"}
    return tuple(code for code in PROBLEMS if code in codes)


def _refusals(operation: Operation) -> Json:
    by_status: dict[str, list[str]] = {}
    for code in codes_of(operation):
        by_status.setdefault(str(PROBLEMS[code].status), []).append(code)
    return {status: _refusal(status, codes) for status, codes in sorted(by_status.items())}


def _refusal(status: str, codes: Sequence[str]) -> Json:
    given: Json = {"X-Request-Id": headers.refer("headers", "X-Request-Id")}
    if status == "405":
        given["Allow"] = {"description": "The methods that the address takes.", "schema": {"type": "string"}}
    if status in ("429", "503"):
        given["Retry-After"] = {"description": "Seconds.", "schema": {"type": "integer"}}
    return {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].sentence}" for code in codes),
        "headers": given,
        "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _add_state(schemas: Schemas, game: Any) -> None:
    """A game's state as JSON has it: the engine's fields, and the envelope that `service.states` puts around them."""
    schemas.of(game.state, closed=True)
    schema = schemas.components[name_of(game.state)]
    envelope: Mapping[str, Any] = {
        "schema": {"type": "integer", "const": SCHEMA},
        "game": {"type": "string", "const": game.name},
        "rules_hash": {"type": "string", "description": "The SHA-256 of the resolved rules."},
    }
    schema["properties"] = {**envelope, **schema["properties"]}
    schema["required"] = [*envelope, *schema["required"]]


def _problem_schema() -> Json:
    violations = {code for game in GAMES.values() for code in game.violations}
    card_lists: Json = {"type": "array", "items": {"type": "array", "items": {"$ref": "#/components/schemas/Card"}}}
    return {
        "type": "object",
        "description": "What went wrong (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "request_id"],
        "properties": {
            "type": {"type": "string", "description": "Where the code is described."},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "code": {"type": "string", "enum": [*PROBLEMS, *sorted(violations - set(PROBLEMS))]},
            "request_id": {"type": "string"},
            "errors": {
                "type": "array",
                "description": "Each wrong place: a JSON pointer into the body, or ?name for a query parameter.",
                "items": {
                    "type": "object",
                    "required": ["pointer", "detail"],
                    "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
                },
            },
            "violation": {
                "type": "object",
                "description": "The rule that a move breaks.",
                "required": ["code", "message", "cards"],
                "properties": {
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "cards": {"type": "array", "items": {"$ref": "#/components/schemas/Card"}},
                },
            },
            "version": {"type": "integer", "description": "The game's version, where the call named another."},
            "deadline": {
                "type": ["string", "null"],
                "format": "date-time",
                "description": "When the turn ends that is not overdue yet; null: no time runs.",
            },
            "regroup": {**card_lists, "description": "A valid grouping of the same cards, where groups as sent fail."},
        },
    }

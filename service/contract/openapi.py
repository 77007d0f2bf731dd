"""The operations as OpenAPI 3.1: made from the same values that the routes are made from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from http import HTTPStatus
from itertools import chain
from typing import Any

import orjson
import yaml

from engine.games import GAMES
from service.config import VERSION as VERSION
from service.contract import problem_spec, request_schema
from service.contract.json_schema import Json, Schemas
from service.http import headers
from service.http.operation import Operation
from service.problems.codes import PROBLEMS
from service.schemas.problem import PROBLEM

_DESCRIPTION = """\
A headless card-table referee: whether a move is legal, what a hand is worth, and games in progress.

JSON in and out. Errors are `application/problem+json` (RFC 9457) with a stable `code`; `errors` names each wrong place by a
JSON pointer. A field that is not described here is refused with 422, in bodies and query strings alike; answers may get more fields.
Cards are a rank and a suit such as `5H` or `TD`, or `JK` for a printed joker."""

_TAGS = {
    "Rummy": "13-card rummy.",
    "Swoop": "The shedding game with guards and secrets.",
    "Games": "Games that the service keeps.",
    "Rules": "Presets and options of the games.",
    "Operations": "Running the service.",
}
_CALLERS = {
    "app": "An app's key. In open mode there is none: an app's calls have no such header, and with one they are refused where games are kept.",
    "table": "A seat's or a spectator's token.",
}
_SUCCESSES = {200: "The answer.", 201: "What was made.", 204: "Done, and there is nothing to say."}
_EVERY_CALL = ("bad_request", "method_not_allowed", "internal")
_WITH_BODY = ("bad_json", "invalid_request", "too_large", "unsupported_media_type")


def document(operations: Sequence[Operation]) -> Json:
    """The whole description as plain JSON values."""
    writer = _Writer(operations)
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
        "paths": writer.paths,
        "components": writer.components(code for operation in operations for code in codes_of(operation)),
    }
    plain: Json = orjson.loads(orjson.dumps(whole))
    return plain


@cache
def text(operations: tuple[Operation, ...]) -> str:
    """The description as YAML."""
    writer = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the same text; PyYAML's own takes a worker twice as long
    written: str = yaml.dump(document(operations), Dumper=writer, sort_keys=False, allow_unicode=True, width=120)
    return written


def codes_of(operation: Operation) -> tuple[str, ...]:
    """Every code that an operation can answer, in the order of the checks."""
    codes = {*operation.errors, *_EVERY_CALL}
    if operation.body:
        codes |= set(_WITH_BODY)
    if operation.needs_caller:
        codes |= {"unauthenticated", "invalid_request", "rate_limited"}
    return tuple(code for code in PROBLEMS if code in codes)


class _Writer:
    """A description while it is written."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.schemas = Schemas()
        for game in GAMES.values():
            self.schemas.of(game.state, closed=True)
        # Requests before answers: a type that is read as well as written is closed.
        self.bodies = {each.name: request_schema.body(each.body, self.schemas) for each in operations if each.body}
        self.schemas.given(PROBLEM, closed=False)
        self.shared = _shared(map(self._parameters, operations))
        self.paths: Json = {}
        for operation in operations:
            self.paths.setdefault(operation.path, {})[operation.method.lower()] = self._operation(operation)

    def components(self, codes: Iterable[str]) -> Json:
        """Everything that is referred to."""
        unchanged = {name: headers.refer("headers", name) for name in ("ETag", "X-Request-Id")}
        return {
            "schemas": dict(sorted(self.schemas.components.items())),
            "responses": {
                "NotModified": {"description": "The caller has this version.", "headers": unchanged},
                **problem_spec.responses(codes),
            },
            "headers": headers.answer_headers(),
            "parameters": {**self.shared, **headers.parameters()},
            "securitySchemes": {
                name: {"type": "http", "scheme": "bearer", "description": text} for name, text in _CALLERS.items()
            },
        }

    def _operation(self, operation: Operation) -> Json:
        examples = operation.examples
        found: Json = {
            "operationId": operation.name,
            "tags": [operation.tag],
            "summary": operation.summary,
            "description": _description(operation),
            "parameters": [
                *map(self._referred, self._parameters(operation)),
                *(headers.refer("parameters", name) for name in (*operation.asked_headers, "X-Request-Id")),
            ],
            "security": [*operation.security, {}],
            "responses": {},
        }
        if body := self.bodies.get(operation.name):
            content = _content(body, [(example.summary, example.asked) for example in examples])
            found["requestBody"] = {"required": True, "content": {"application/json": content}}
        success: Json = {
            "description": _SUCCESSES[operation.status],
            "headers": {name: headers.refer("headers", name) for name in _answer_headers(operation)},
        }
        if operation.status != HTTPStatus.NO_CONTENT:
            answer = self.schemas.of(operation.answer, closed=False)
            content = _content(answer, [(example.summary, example.answer) for example in examples])
            success["content"] = {operation.media_type: content}
        found["responses"][str(operation.status)] = success
        if "If-None-Match" in operation.asked_headers:
            found["responses"]["304"] = headers.refer("responses", "NotModified")
        for status in sorted({PROBLEMS[code].status for code in codes_of(operation)}):
            found["responses"][str(status)] = headers.refer("responses", problem_spec.name_of(status))
        return found

    def _parameters(self, operation: Operation) -> list[Json]:
        """What stands in the path and in the query."""
        names = re.findall(r"{(\w+)}", operation.path)
        schemas = {name: self.schemas.given(operation.parameters[name], closed=True) for name in names}
        in_path: list[Json] = [
            {"in": "path", "name": name, "required": True, "schema": schema} for name, schema in schemas.items()
        ]
        return in_path + (request_schema.parameters(operation.query, self.schemas) if operation.query else [])

    def _referred(self, parameter: Json) -> Json:
        """A reference to the shared parameter, if this is one."""
        name = parameter["name"]
        return headers.refer("parameters", name) if self.shared.get(name) == parameter else parameter


def _answer_headers(operation: Operation) -> tuple[str, ...]:
    limits = headers.LIMITS if operation.needs_caller else ()
    return (*operation.answer_headers, *limits, "X-Request-Id")


def _shared(lists: Iterable[list[Json]]) -> Json:
    """Parameters that stand in more than one call, by name, unless others have the same name."""
    found: dict[str, list[Json]] = {}
    for parameter in chain.from_iterable(lists):
        found.setdefault(parameter["name"], []).append(parameter)
    return {name: same[0] for name, same in found.items() if len(same) > 1 and all(each == same[0] for each in same)}


def _description(operation: Operation) -> str:
    """What a call does, and the codes of the problems that not every call has."""
    told = operation.description or f"{operation.summary}."
    codes = ", ".join(f"`{code}`" for code in PROBLEMS if code in operation.errors)
    return f"{told}\n\nProblems: {codes}." if codes else told


def _content(schema: Json, examples: list[tuple[str, Any]]) -> Json:
    if not examples:
        return {"schema": schema}
    named = {
        f"example-{number}": {"summary": summary, "value": value} for number, (summary, value) in enumerate(examples, 1)
    }
    return {"schema": schema, "examples": named}

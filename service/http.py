"""What every call goes through: from a declared operation to a request that is read and an answer that is written.

A resource is a list of `Operation`s; from them come Flask's routes, the checks in the contract's order, and openapi.yaml.
A view is a plain function: it takes what the guard found (if there is one), the body and the query (if they are declared) as values of
its own types, and the path's parts by name; its return type is the answer.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson
import structlog
from flask import Flask, Response, g, request
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]  # it has no types of its own
from marshmallow import Schema
from werkzeug.exceptions import RequestEntityTooLarge

from engine.errors import Flaw
from service import auth, codec, metrics
from service.errors import Refusal
from service.schemas.fields import Nothing, load
from service.strict_json import BadJson, parse

T = TypeVar("T")

KIBIBYTE = 1024
BODY_LIMIT = 64 * KIBIBYTE
BATCH_LIMIT = 1024 * KIBIBYTE
_log = structlog.get_logger()
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A view's answer where it is more than a value: another status, or headers."""

    value: T
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example for the spec and its test: what is sent, and what is answered."""

    summary: str
    asked: Any
    answer: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation:
    """One call of the contract. `errors` are the codes besides those that every call can give."""

    method: str
    path: str
    view: Callable[..., Any]
    summary: str
    answer: Any
    body: Schema | None = None
    query: Schema | None = None
    status: int = 200
    description: str = ""
    parameters: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # the path's, with their values if they are few
    errors: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    limit: int = BODY_LIMIT
    guard: Callable[..., Any] | None = None
    tag: str = ""
    media_type: str = "application/json"
    asked_headers: tuple[str, ...] = ()  # those of `service.headers` that mean something here
    answer_headers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Unique among all operations; the spec's operationId and the metrics' route."""
        return f"{self.method.lower()}_{re.sub(r'[^a-z0-9]+', '_', self.path.lower()).strip('_')}".rstrip("_")

    @property
    def needs_app(self) -> bool:
        """Whether an app key is asked for: everywhere in /v1, unless the operation's guard finds out who calls."""
        return self.path.startswith("/v1/") and self.guard is None

    @property
    def security(self) -> tuple[dict[str, list[str]], ...]:
        """Whose bearer tokens are taken, as the spec says it."""
        if not self.path.startswith("/v1/"):
            return ()
        return ({"app": []}, {"table": []}) if self.guard else ({"app": []},)


def mount(app: Flask, operations: tuple[Operation, ...]) -> None:
    """Make the app's routes and the steps around them."""
    by_name = {operation.name: operation for operation in operations}
    log_requests = app.config["SETTINGS"].log == "requests"
    app.config["OPERATIONS"] = by_name
    for operation in operations:
        rule = re.sub(r"{(\w+)}", r"<\1>", operation.path)
        app.add_url_rule(rule, operation.name, _handler(operation), methods=[operation.method])

    @app.before_request
    def check_in() -> None:
        """404 and 405, then 413, 415, 401: whatever can be refused before a game is looked up or a body parsed."""
        g.started = time.perf_counter()
        given = request.headers.get("X-Request-Id")
        g.request_id = given if given and _SANE_ID.fullmatch(given) else os.urandom(16).hex()
        if request.routing_exception is not None:
            raise request.routing_exception
        operation = by_name.get(request.endpoint or "")
        if operation is None:
            return
        if request.method == "POST":
            _check_body(operation)
        if operation.needs_app:
            g.caller = auth.require_app(hosted=operation.path.startswith("/v1/games"))

    @app.after_request
    def check_out(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        spent = time.perf_counter() - g.started
        name = request.endpoint or "none"
        metrics.count_request(name, response.status_code, spent)
        if log_requests:
            _log.info(
                "request",
                operation=name,
                method=request.method,
                status=response.status_code,
                milliseconds=round(spent * 1000, 2),
                request_id=g.request_id,
            )
        return response


def _check_body(operation: Operation) -> None:
    request.max_content_length = operation.limit + 1  # a chunked body that is longer is cut off there, without an error
    try:
        g.body = request.get_data(cache=False)
    except ParseException:  # the server reads a chunked body no sooner than we do
        raise BadJson("the body's chunks are malformed") from None
    if len(g.body) > operation.limit:
        raise RequestEntityTooLarge
    if (g.body or operation.body) and not _is_plain_json():
        raise Refusal("unsupported_media_type")


def _is_plain_json() -> bool:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        return False
    if request.content_type == "application/json":
        return True
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    return request.mimetype == "application/json" and charset in ("utf-8", "utf8")


_NOTHING = Nothing()


def _handler(operation: Operation) -> Callable[..., Response]:
    view, guard, status = operation.view, operation.guard, operation.status
    body, query = operation.body or _NOTHING, operation.query or _NOTHING
    takes_body = operation.method == "POST"
    takes_query = operation.query is not None or operation.path.startswith("/v1/")
    write: codec.Writer = codec.writer(operation.answer) or (lambda value: value)

    def handle(**path: str) -> Response:
        arguments: list[Any] = [] if guard is None else [guard(**path)]
        flaws = codec.Flaws()
        if takes_body:
            asked = load(body, parse(g.body) if operation.body or g.body else {}, flaws)
            if operation.body:
                arguments.append(asked)
        if takes_query and (operation.query or request.query_string):
            asked = _load_query(query, flaws)
            if operation.query:
                arguments.append(asked)
        flaws.stop()
        result = view(*arguments, **path)
        if isinstance(result, Response):
            return result
        if not isinstance(result, Reply):
            return Response(orjson.dumps(write(result)), status, content_type="application/json")
        answer = Response(orjson.dumps(write(result.value)), result.status or status, content_type="application/json")
        answer.headers.update(result.headers)
        return answer

    return handle


def _load_query(shape: Schema, flaws: codec.Flaws) -> Any:
    """The query's parameters; a flaw's place is written ``?name``, for no JSON pointer leads there."""
    given = request.args.to_dict(flat=False)
    found = codec.Flaws()
    for name, values in given.items():
        if len(values) > 1:
            found.add(f"/{codec.escape(name)}", "stands twice")
    asked = load(shape, {name: values[0] for name, values in given.items()}, found)
    flaws.extend((code, Flaw("?" + flaw.pointer[1:], flaw.detail)) for code, flaw in found)
    return asked

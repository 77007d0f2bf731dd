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
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson
from flask import Flask, Request, Response, g
from marshmallow import Schema

from engine.errors import Flaw, escape
from service import allowance, auth, noting, protocol
from service.bodies import read_body
from service.context import apps, authorization, current_request
from service.encode import writer
from service.errors import REFUSALS
from service.headers import EVERYWHERE
from service.hints import Flaws, Writer
from service.problems import Outdated, Refusal
from service.schemas.fields import Nothing, load
from service.schemas.own_fields import Names
from service.strict_json import BadJson, parse
from service.waiting import NOTE, WAITS

T = TypeVar("T")

KIBIBYTE = 1024
HEARD = "cardref.heard"  # in the environ, where the server wants to know: what to call once the request is read whole
BODY_LIMIT = 64 * KIBIBYTE
BATCH_LIMIT = 1024 * KIBIBYTE
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
    """One call of the contract. `name`, unique among all, is the spec's operationId and the operation of metrics and log.
    `errors` are the codes besides those that every call can give.

    `guess` finds what `guard` most likely would, for less, or None. The view may succeed on it; where it refuses, the call is
    decided again on what `guard` finds.
    """

    name: str
    method: str
    path: str
    view: Callable[..., Any]
    summary: str
    answer: Any
    body: Schema | None = None
    query: Schema | None = None
    status: int = 200
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)  # the path's: their schemas, as `As` takes them
    errors: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    limit: int = BODY_LIMIT
    guard: Callable[..., Any] | None = None
    guess: Callable[..., Any] | None = None
    hands_in: Callable[[Any], int] | None = None  # how many hands a body asks to be solved
    tag: str = ""
    media_type: str = "application/json"
    asked_headers: tuple[str, ...] = ()  # those of `service.headers` that mean something here
    answer_headers: tuple[str, ...] = ()

    @property
    def needs_caller(self) -> bool:
        """Whether it is asked who calls: everywhere in /v1. The rest runs the service and documents it."""
        return f"{self.path}/".startswith("/v1/")

    @property
    def needs_app(self) -> bool:
        """Whether an app key is asked for, unless the operation's guard finds out who calls."""
        return self.needs_caller and self.guard is None

    @property
    def security(self) -> tuple[dict[str, list[str]], ...]:
        """Whose bearer tokens are taken, as the spec says it."""
        if not self.needs_caller:
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
        """What is no HTTP/1.1, 404 and 405, then 413, 415, 401: whatever can be refused before a game is looked up or a body parsed."""
        g.started = time.perf_counter()
        call = current_request()
        given = call.headers.get("X-Request-Id")
        g.request_id = given if given and _SANE_ID.fullmatch(given) else os.urandom(16).hex()
        protocol.check(call)
        if call.routing_exception is not None:
            raise call.routing_exception
        operation = by_name.get(call.endpoint or "")
        if operation is None:
            return
        if call.method == "POST":
            g.body = read_body(call, operation.limit, wanted=operation.body is not None)
        if (heard := call.environ.get(HEARD)) is not None:
            heard()
        if operation.needs_app:
            _let_in_app(operation)

    @app.after_request
    def check_out(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        for header, value in (*EVERYWHERE.items(), *allowance.headers(response.status_code)):
            response.headers[header] = value
        call = current_request()
        if NOTE in call.environ:  # it has waited, and is asked again
            return response
        note = noting.noter(call, g.started, log=log_requests)
        if WAITS in call.environ:
            call.environ[NOTE] = note
            call.environ["HTTP_X_REQUEST_ID"] = g.request_id
        else:
            note(response.status_code)
        return response


def _let_in_app(operation: Operation) -> None:
    """Note who calls; 401 without a valid key, 429 for an app that calls too often. Stateless calls have nothing to hide, so in open mode everybody may make them."""
    said, keys = authorization(), apps().keys
    if operation.path.startswith("/v1/games"):
        caller = auth.app_at_the_table(said, keys)
    else:
        caller = auth.app_of(auth.bearer_token(said), keys)
    if caller is None:
        raise Refusal("unauthenticated")
    g.caller = caller
    allowance.charge_request(caller.name, told=True)


_NOTHING = Nothing()


def _handler(operation: Operation) -> Callable[..., Response]:
    view, guard, guess, status = operation.view, operation.guard, operation.guess, operation.status
    body, query = operation.body or _NOTHING, operation.query or _NOTHING
    hands_in = operation.hands_in
    takes_body = operation.method == "POST"
    checks_query = operation.query is not None or operation.needs_caller
    missing = Flaws()
    no_query = None if operation.query is None else load(query, {}, missing)  # what most calls say, read once
    assert not missing, f"{operation.name}: a query is never required"
    write: Writer = writer(operation.answer) or (lambda value: value)

    def handle(**path: str) -> Response:
        if guess is not None:
            with suppress(*REFUSALS):
                found = guess(**path)
                if found is not None:
                    return answer([found], path)
        if guard is None:
            return answer([], path)
        with suppress(Outdated):
            return answer([guard(**path)], path)
        return answer([guard(**path)], path)

    def answer(arguments: list[Any], path: Mapping[str, str]) -> Response:
        call = current_request()
        flaws = Flaws()
        if takes_body:
            if isinstance(g.body, BadJson):
                raise g.body
            asked = load(body, parse(g.body) if operation.body or g.body else {}, flaws)
            if operation.body:
                arguments.append(asked)
        wish = _load_query(call, query, flaws) if checks_query and call.query_string else no_query
        if operation.query:
            arguments.append(wish)
        flaws.raise_any()
        if hands_in is not None:
            allowance.charge_solves(g.caller.name, hands_in(asked))
        result = view(*arguments, **path)
        if isinstance(result, Response):
            return result
        if not isinstance(result, Reply):
            return Response(orjson.dumps(write(result)), status, content_type="application/json")
        reply = Response(orjson.dumps(write(result.value)), result.status or status, content_type="application/json")
        reply.headers.update(result.headers)
        return reply

    return handle


def _load_query(call: Request, shape: Schema, flaws: Flaws) -> Any:
    """The query's parameters; a flaw's place is written ``?name``, for no JSON pointer leads there."""
    given = call.args.to_dict(flat=False)
    found = Flaws()
    lists = [name for name, field in shape.fields.items() if isinstance(field, Names)]
    for name, values in given.items():
        if len(values) > 1 and name not in lists:
            found.add(f"/{escape(name)}", "stands twice")
    asked = load(
        shape, {name: ",".join(values) if name in lists else values[0] for name, values in given.items()}, found
    )
    flaws.extend((code, Flaw("?" + flaw.pointer[1:], flaw.detail)) for code, flaw in found)
    return asked

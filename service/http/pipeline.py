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
from typing import Any

import orjson
from flask import Flask, Request, Response, g
from marshmallow import Schema

from engine.errors import Flaw, escape
from service.callers import auth
from service.http import access_log, allowance, protocol
from service.http.bodies import ON_READ, read_body
from service.http.context import apps, authorization, current_request
from service.http.errors import REFUSALS
from service.http.headers import EVERYWHERE
from service.http.long_polls import NOTE, WAITS
from service.http.operation import Operation, Reply
from service.json.encode import writer
from service.json.strict import BadJson, parse
from service.json.type_hints import Flaws, Writer
from service.problems.refusals import Outdated, Refusal
from service.schemas.fields import Nothing, load
from service.schemas.own_fields import Names

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


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
        if (on_read := call.environ.get(ON_READ)) is not None:
            on_read()
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
        note = access_log.noter(call, g.started, log=log_requests)
        if WAITS in call.environ:
            call.environ[NOTE] = note
            call.environ["HTTP_X_REQUEST_ID"] = g.request_id
        else:
            note(response.status_code)
        return response


def _let_in_app(operation: Operation) -> None:
    """Note who calls; 401 without a valid key, 429 for an app that calls too often. Stateless calls have nothing to hide, so in open mode everybody may make them."""
    said, names = authorization(), apps().names
    if operation.path.startswith("/v1/games"):
        caller = auth.app_at_the_table(said, names)
    else:
        caller = auth.app_of(auth.bearer_token(said), names)
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
    unasked = Flaws()  # what an empty query lacks
    no_query = None if operation.query is None else load(query, {}, unasked)  # what most calls say, read once
    in_json = operation.media_type == "application/json"  # else the view writes it
    write: Writer = (in_json and writer(operation.answer)) or (lambda value: value)

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
        parameters = _load_query(call, query, flaws) if checks_query and (call.query_string or unasked) else no_query
        if operation.query:
            arguments.append(parameters)
        flaws.raise_any()
        if hands_in is not None:
            allowance.charge_solves(g.caller.name, hands_in(asked if takes_body else parameters))
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

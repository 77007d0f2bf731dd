"""Exceptions -> answers: the only such mapping. Every error is ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any

import orjson
import structlog
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, InternalServerError

from engine.errors import Flaw, IllegalMove, Invalid, Undecided
from service.json.strict import BadJson
from service.problems.codes import PROBLEMS
from service.problems.refusals import Refusal
from service.process import metrics
from service.solving.admission import Gone
from service.stores import errors as store_errors

PROBLEM_TYPE = "application/problem+json"
DOCS = "/docs/errors"
_log = structlog.get_logger()

_CODES_OF_STATUS = {
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}
_RETRY_SECONDS = 1
_GONE = 499  # for the log and the metrics, by nginx's custom: nobody reads the answer
_RETRY_LATER = 60  # where somebody has to do something first; the store is looked at as often
_LATER = {"store_unsafe", "store_damaged"}
_OF_STORE: Mapping[type[store_errors.StoreError], str] = {
    store_errors.NotFound: "not_found",
    store_errors.Expired: "not_found",
    store_errors.KeyReused: "key_reused",
    store_errors.Lost: "lost",
    store_errors.StoreUnavailable: "store_unavailable",
    store_errors.Refuses: "store_unavailable",
    store_errors.Unsafe: "store_unsafe",
    store_errors.Damaged: "store_damaged",
    store_errors.NotDurable: "not_durable",
}


def problem(
    code: str, detail: str, flaws: tuple[Flaw, ...] = (), kind: str | None = None, **more: Any
) -> dict[str, Any]:
    """The body of a problem. `kind` is the entry of `PROBLEMS` where that is not the code itself (violations)."""
    entry = PROBLEMS[kind or code]
    body: dict[str, Any] = {
        "type": f"{DOCS}#{code}",
        "title": entry.title,
        "status": entry.status,
        "detail": detail,
        "code": code,
        "request_id": g.request_id,
    }
    if flaws:
        body["errors"] = [flaw._asdict() for flaw in flaws]
    return body | more


def of_invalid(wrong: Invalid) -> dict[str, Any]:
    """The problem of an impossible or malformed value."""
    first, more = wrong.flaws[0], len(wrong.flaws) - 1
    also = f"; {more} more {'place is' if more == 1 else 'places are'} wrong: see errors" if more else ""
    return problem(wrong.code, first.detail + also, wrong.flaws)


def of_undecided() -> dict[str, Any]:
    """The problem of a solve that could not be proved."""
    return problem("undecided", PROBLEMS["undecided"].sentence)


def of_illegal_move(wrong: IllegalMove) -> dict[str, Any]:
    """The problem of an illegal move, with its violation and, where a valid grouping exists, that grouping."""
    violation = wrong.violation
    more: dict[str, Any] = {
        "violation": {"code": violation.code, "message": violation.message, "cards": violation.cards}
    }
    if violation.regroup is not None:
        more["regroup"] = violation.regroup
    return problem(violation.code, violation.message, kind="illegal_move", **more)


def answer(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """A problem's body as a response, with `Retry-After` where the caller should try again."""
    status = body["status"]
    response = Response(orjson.dumps(body), status, content_type=PROBLEM_TYPE)
    response.headers["Cache-Control"] = "no-store"  # a 404 may else be kept and given to another caller
    response.headers.update(headers or {})
    if status in (429, 503):
        response.headers.setdefault("Retry-After", str(_RETRY_LATER if body["code"] in _LATER else _RETRY_SECONDS))
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="cardref"'
    return response


def _on_http(wrong: HTTPException) -> Response:
    status = wrong.code or 500
    code = _CODES_OF_STATUS.get(status, "bad_request" if status < 500 else "internal")
    allow = [header for header in wrong.get_headers() if header[0] == "Allow"]
    return answer(problem(code, PROBLEMS[code].sentence), dict(allow))


def _on_store(fault: store_errors.StoreError) -> Response:
    code = _OF_STORE[type(fault)]
    if PROBLEMS[code].status == 503 or code == "lost":
        metrics.count_store_error(code)
        _log.error("store", request_id=g.request_id, error=code, reason=str(fault.__cause__ or fault))
    return answer(problem(code, PROBLEMS[code].sentence))


def _on_bug(wrong: InternalServerError) -> Response:
    """A bug: the caller learns the request id and nothing else; the log learns where, never with what values."""
    fault = wrong.original_exception or wrong
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__)]
    _log.error("bug", request_id=g.request_id, error=type(fault).__qualname__, frames=frames)
    return answer(problem("internal", PROBLEMS["internal"].sentence))


# What a caller may be told about a game it cannot change as it wished: true of the game as it is, and only of that.
REFUSALS = (
    Invalid, IllegalMove, Undecided, BadJson, Refusal,
    store_errors.NotFound, store_errors.Expired, store_errors.KeyReused, store_errors.Stale,
)  # fmt: skip


def install(app: Flask) -> None:
    """Register the mapping with the app."""
    app.register_error_handler(Invalid, lambda wrong: answer(of_invalid(wrong)))
    app.register_error_handler(IllegalMove, lambda wrong: answer(of_illegal_move(wrong)))
    app.register_error_handler(Undecided, lambda _: answer(of_undecided()))
    app.register_error_handler(Gone, lambda _: Response(status=_GONE))
    app.register_error_handler(BadJson, lambda wrong: answer(problem("bad_json", str(wrong))))
    app.register_error_handler(
        Refusal,
        lambda wrong: answer(problem(wrong.problem.code, wrong.detail, **wrong.more), wrong.headers),
    )
    app.register_error_handler(store_errors.StoreError, _on_store)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(InternalServerError, _on_bug)

"""Exceptions -> answers: the only such mapping. Every error is ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
import structlog
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, InternalServerError

from engine.errors import Flaw, IllegalMove, Invalid, Undecided
from service import metrics
from service.stores import errors as store_errors
from service.strict_json import BadJson

PROBLEM_TYPE = "application/problem+json"
DOCS = "/docs/errors"
_log = structlog.get_logger()


class Problem(NamedTuple):
    """One kind of error: its stable code, its status, its title, and when it is given."""

    code: str
    status: int
    title: str
    sentence: str


# The one list: the code, openapi.yaml and the docs page are made from it.
PROBLEMS: Mapping[str, Problem] = {
    code: Problem(code, status, title, sentence)
    for code, status, title, sentence in (
        ("not_found", 404, "Not found", "There is nothing at this address, or nothing that the caller may know of."),
        ("method_not_allowed", 405, "Method not allowed", "The address exists, but not for this method; `Allow` lists those it takes."),
        ("too_large", 413, "Body too large", "The body is larger than 64 KiB, or 1 MiB for a batch."),
        ("unsupported_media_type", 415, "Unsupported media type", "Bodies are JSON in UTF-8, not compressed: send `Content-Type: application/json`."),
        ("unauthenticated", 401, "Not authenticated", "The call needs `Authorization: Bearer` with a valid key or token."),
        ("expired", 410, "Expired", "The game has expired."),
        ("forbidden", 403, "Forbidden", "The token is valid, but not for this seat or call."),
        ("bad_request", 400, "Bad request", "The request is not HTTP as it is taken here: its first line, a header or a chunk is malformed or too long."),
        ("bad_json", 400, "Bad JSON", "The body is not strict JSON: malformed, a name twice in one object, nested deeper than 32, a whole number beyond 64 bit, NaN, or a lone surrogate."),
        ("invalid_request", 422, "Invalid request", "A field is missing, unknown, of the wrong type, or contradicts another; `errors` names each place."),
        ("corrupt_state", 422, "Corrupt state", "The state is one that no game can reach; `errors` names the places."),
        ("unknown_rules", 422, "Unknown rules", "There is no preset of this name."),
        ("unknown_card", 422, "Unknown card", "A text is no card; `errors` names each place."),
        ("impossible_hand", 422, "Impossible hand", "The number of cards is wrong, or there are more copies of a card than the decks in play hold."),
        ("too_few_cards", 422, "Too few cards", "The decks are too small for so many seats."),
        ("key_reused", 422, "Idempotency key reused", "The Idempotency-Key was used before with another body."),
        ("version_required", 428, "Version required", 'The call needs the version that it was decided on, written so: `If-Match: "v1"`.'),
        ("stale_version", 412, "Stale version", "The game has moved on, or `If-Match` is no version of it; the problem names the current one."),
        ("illegal_move", 409, "Illegal move", "The rules forbid the move and nothing has changed; `code` and `violation` say why."),
        ("record_not_open", 409, "Record not open", "The record of a match opens once the match is over."),
        ("not_due", 409, "Not due", "No turn is overdue."),
        ("rate_limited", 429, "Too many requests", "Try again after `Retry-After` seconds."),
        ("store_unavailable", 503, "Store unavailable", "The store cannot be reached; the same call may be sent again after `Retry-After` seconds."),
        ("not_durable", 503, "Not durable", "Too few replicas have confirmed; send the same call with the same key again."),
        ("undecided", 503, "Undecided", "The best grouping could not be proved within the work limit; nothing has changed."),
        ("internal", 500, "Internal error", "A fault of the service; the request id finds it in the log."),
    )
}  # fmt: skip

_CODES_OF_STATUS = {
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}
_RETRY_SECONDS = 1
_OF_STORE: Mapping[type[store_errors.StoreError], str] = {
    store_errors.NotFound: "not_found",
    store_errors.Expired: "not_found",
    store_errors.KeyReused: "key_reused",
    store_errors.StoreUnavailable: "store_unavailable",
    store_errors.NotDurable: "not_durable",
}


class Refusal(Exception):
    """An error that the service itself gives: a code of `PROBLEMS`, a detail, and what else the answer carries."""

    def __init__(self, code: str, detail: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(code)
        self.problem = PROBLEMS[code]
        self.detail = detail or self.problem.sentence
        self.headers = dict(headers or {})
        self.more = more


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
        response.headers.setdefault("Retry-After", str(_RETRY_SECONDS))
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
    if PROBLEMS[code].status == 503:
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
    app.register_error_handler(BadJson, lambda wrong: answer(problem("bad_json", str(wrong))))
    app.register_error_handler(
        Refusal,
        lambda wrong: answer(problem(wrong.problem.code, wrong.detail, **wrong.more), wrong.headers),
    )
    app.register_error_handler(store_errors.StoreError, _on_store)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(InternalServerError, _on_bug)

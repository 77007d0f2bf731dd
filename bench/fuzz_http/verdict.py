"""What must hold of every answer, whatever was asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import orjson

from bench.fuzz_http.calls import Answer, Call
from bench.fuzz_http.values import written
from engine.games import GAMES
from service.problems.codes import PROBLEMS
from service.routes import OPERATIONS

SLOWEST = 0.5  # seconds
_CODES = {*PROBLEMS, *(code for game in GAMES.values() for code in game.violations)}
_OTHER_TYPES = {
    operation.path: operation.media_type for operation in OPERATIONS if operation.media_type != "application/json"
}
_ASKED_BY = {401: "www-authenticate", 405: "allow", 429: "retry-after", 503: "retry-after"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A call that was answered as none may be: what is wrong, the smallest call found that shows it, and where it came up."""

    kind: str
    call: Call
    block: str

    def __str__(self) -> str:
        call = self.call
        lines = [f"{self.kind} ({self.block})", f"    {call.method} {call.target[:300]!r}"]
        lines += [f"    {name}: {value[:200]!r}" for name, value in call.headers]
        body = written(call.body)
        return "\n".join(
            [*lines, *([f"    {body[:1000]!r}{f' … {len(body)} bytes' * (len(body) > 1000)}"] if body else [])]
        )


def wrong(call: Call, answer: Answer) -> str:
    """What is wrong with an answer; empty if nothing is. Alike for alike faults."""
    return answer.fault or wrong_status(answer) or _wrong_body(call, answer) or wrong_time(answer)


def wrong_status(answer: Answer, documented: Collection[int] = (503,)) -> str:
    """A status that no caller may be given, or one without the header that belongs to it. `documented`: the 5xx that are."""
    status = answer.status
    if status >= 500 and not (status in documented and _code(answer) in _CODES):
        return f"status {status}"
    if status < 200 or (300 <= status < 400 and status != 304):
        return f"status {status}"
    needed = _ASKED_BY.get(status, "x-request-id")
    return "" if needed in answer.headers else f"{status} without {needed}"


def _wrong_body(call: Call, answer: Answer) -> str:
    status, kind = answer.status, answer.headers.get("content-type", "")
    if call.method == "HEAD" and status == 400 and answer.headers.get("connection") == "close":
        return ""  # what cannot be read as HTTP is told so, and nothing can follow
    if call.method == "HEAD" or status in (204, 304):
        return "a body where there is none" if answer.body else ""
    if call.method == "OPTIONS" and not answer.body:
        return ""
    if status < 400 and kind.startswith(_OTHER_TYPES.get(call.path, "none")):
        return ""
    if call.path == "/" and status == 200 and kind.startswith("text/html"):  # to those who like that better
        return ""
    if kind != ("application/problem+json" if status >= 400 else "application/json"):
        return f"{status} of the type {kind!r}"
    try:
        told = answer.json
    except orjson.JSONDecodeError:
        return f"{status} that is no JSON"
    if status >= 400 and (told.get("status") != status or told.get("code") not in _CODES):
        return f"{status} whose problem says {told.get('status')} {told.get('code')}"
    return ""


def wrong_time(answer: Answer) -> str:
    """The kind of a finding that is about time alone."""
    return f"slower than {SLOWEST} s" if answer.seconds > SLOWEST else ""


def _code(answer: Answer) -> str:
    try:
        return str(answer.json["code"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return ""

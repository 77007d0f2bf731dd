"""The headers of requests and answers beside the body, as openapi.yaml describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

Json = dict[str, Any]

ASKED: Mapping[str, str] = {
    "If-Match": 'The version that the call was decided on, such as `"v17"`. Without it: 428; with another: 412.',
    "Idempotency-Key": "1 to 255 printable ASCII characters: with it, the call may be sent again, and is carried out once.",
    "If-None-Match": 'A version that the caller has, such as `"v17"`: if it is the current one, the answer is 304.',
    "X-Request-Id": "Comes back with the answer and stands in the log; up to 128 of `A-Za-z0-9._-`",
}
FORMS: Mapping[str, str] = {
    "If-Match": '"v17"',
    "Idempotency-Key": "any text",
    "If-None-Match": '"v17"',
    "X-Request-Id": "any-id.1",
}
ANSWERED: Mapping[str, str] = {
    "ETag": "The version of the game.",
    "Location": "Where the new game is.",
    "Idempotent-Replayed": "true: the answer was given before, to the same request.",
    "X-Request-Id": "The caller's own, if it sent a sane one.",
    "RateLimit-Policy": "The app's limits that the call counts for: how many (`q`) may come in so many seconds (`w`).",
    "RateLimit": "How many are left of each (`r`), and in how many seconds all are back (`t`).",
}
LIMITS = ("RateLimit-Policy", "RateLimit")  # where an app has limits
EVERYWHERE: Mapping[str, str] = {"X-Content-Type-Options": "nosniff"}  # on every answer, and nobody's business


def parameters() -> Json:
    """The headers of requests, as components."""
    return {
        name: {"name": name, "in": "header", "description": text, "schema": {"type": "string"}, "example": FORMS[name]}
        for name, text in ASKED.items()
    }


def answer_headers() -> Json:
    """The headers of answers, as components."""
    return {name: {"description": text, "schema": {"type": "string"}} for name, text in ANSWERED.items()}


def refer(kind: str, name: str) -> Json:
    """A reference to one of `parameters` or `headers`."""
    return {"$ref": f"#/components/{kind}/{name}"}


def unless_kept(response: Response, etag: str) -> Response:
    """The answer, or 304 for a caller who has it already. `If-Match` says nothing here: it is for what has versions, and would be
    refused in HTML."""
    response.set_etag(etag)
    if "If-Match" not in request.headers:
        response.make_conditional(request)
    return response


def nothing(headers: Mapping[str, str]) -> Response:
    """204: no body, and so no type of one, which Flask would call HTML."""
    response = Response(status=204, headers=headers)
    del response.headers["Content-Type"]
    return response

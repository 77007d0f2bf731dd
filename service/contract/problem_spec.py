"""Problems as openapi.yaml has them: one shared response for each status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from service.http import headers
from service.http.errors import PROBLEM_TYPE
from service.problems.codes import PROBLEMS
from service.schemas.problem import PROBLEM

Json = dict[str, Any]


def name_of(status: int) -> str:
    """The name of a status's shared response, such as ``NotFound``."""
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")


def responses(codes: Iterable[str]) -> Mapping[str, Json]:
    """The shared responses, by name, for all codes that any call can answer."""
    by_status: dict[int, list[str]] = {}
    told = set(codes)
    for code in PROBLEMS:
        if code in told:
            by_status.setdefault(PROBLEMS[code].status, []).append(code)
    return {name_of(status): _response(status, by_status[status]) for status in sorted(by_status)}


def _response(status: int, codes: list[str]) -> Json:
    given: Json = {"X-Request-Id": headers.refer("headers", "X-Request-Id")}
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        given["Allow"] = {"description": "The methods that the address takes.", "schema": {"type": "string"}}
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        given |= {name: headers.refer("headers", name) for name in headers.LIMITS}
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        given["Retry-After"] = {"description": "Seconds.", "schema": {"type": "integer"}}
    return {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].sentence}" for code in codes),
        "headers": given,
        "content": {PROBLEM_TYPE: {"schema": {"$ref": f"#/components/schemas/{PROBLEM.name}"}}},
    }

"""The calls of openapi.yaml, as the generated halves of both clients need them: one method each, its parameters and its types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

VERSION, KEY, REQUEST_ID = "If-Match", "Idempotency-Key", "X-Request-Id"
_HEADERS = (VERSION, KEY, REQUEST_ID)  # no If-None-Match: a client that waits for news needs none
_READS = {"str": "text", "bytes": "bytes"}
_NO_CALLS = {"readDocs"}  # a page for browsers


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    schema: dict[str, Any]
    required: bool
    said: str


@dataclass(frozen=True, slots=True)
class Method:
    """A call: how it is asked for, and the name of its body's and its answer's schema (`str`: text, `bytes`: a file, empty: none)."""

    name: str
    verb: str
    path: str
    summary: str
    description: str
    in_path: tuple[Parameter, ...]
    in_query: tuple[Parameter, ...]
    headers: tuple[str, ...]
    body: str
    answer: str

    @property
    def reads(self) -> str:
        """As what the clients read an answer that is no JSON; empty: it is, or there is none."""
        return _READS.get(self.answer, "")


def methods(spec: dict[str, Any]) -> Iterator[Method]:
    """Every call of the description, in its order."""
    resolved = partial(_resolved, spec)
    for path, verbs in spec["paths"].items():
        for verb, said in verbs.items():
            if said["operationId"] in _NO_CALLS:
                continue
            given = [resolved(each) for each in said.get("parameters", ())]
            named = {
                place: tuple(_parameter(each) for each in given if each["in"] == place) for place in ("path", "query")
            }
            yield Method(
                name=said["operationId"],
                verb=verb.upper(),
                path=path,
                summary=said["summary"],
                description=said.get("description", ""),
                in_path=named["path"],
                in_query=named["query"],
                headers=tuple(name for name in _HEADERS if any(each["name"] == name for each in given)),
                body=_schema(said.get("requestBody", {})),
                answer=_schema(next(answer for status, answer in said["responses"].items() if status[0] == "2")),
            )


def _resolved(spec: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What a reference points at."""
    found: Any = spec
    for name in given.get("$ref", "#")[2:].split("/") if "$ref" in given else ():
        found = found[name]
    return given if found is spec else found


def _parameter(given: dict[str, Any]) -> Parameter:
    return Parameter(given["name"], given["schema"], given.get("required", False), given.get("description", ""))


def _schema(holder: dict[str, Any]) -> str:
    """The name of a body's schema. Raises KeyError for JSON that has none: every body is to be named."""
    for media_type, content in holder.get("content", {}).items():
        if media_type == "application/json":
            return content["schema"]["$ref"].rpartition("/")[2]
        return "bytes" if content["schema"].get("format") == "binary" else "str"
    return ""


def snake(name: str) -> str:
    """`makeMove` as `make_move`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()

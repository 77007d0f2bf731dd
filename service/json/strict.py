"""Strict JSON: what a parser lets pass and this contract does not is refused here, before anything looks at it."""

from __future__ import annotations

import json
from typing import Any

import orjson

MAX_DEPTH = 32
_LEAST, _MOST = -(2**63), 2**64 - 1
_MOST_DIGITS = 20


class BadJson(ValueError):
    """A body that is no JSON, or JSON that no two parsers need read alike."""


def parse(body: bytes) -> Any:
    """JSON text as a Python value. Raises `BadJson`.

    orjson is the gate: UTF-8 without a byte order mark, no NaN, no lone surrogates, no text after the value. What it
    lets pass is refused by us: depth above 32, whole numbers beyond 64 bit (it makes them floats), and names
    that stand twice in one object (it keeps the last), for which the standard parser has a hook.
    """
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        raise BadJson(str(wrong)) from None
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH and _is_deep(value):
        raise BadJson(f"nested deeper than {MAX_DEPTH}")
    return _STANDARD.decode(body.decode())


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for each in level
            if isinstance(each, list | dict)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return any(isinstance(each, list | dict) for each in level)


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > _MOST_DIGITS or not _LEAST <= int(digits) <= _MOST:
        raise BadJson("a whole number beyond 64 bit")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadJson(f"a name stands twice in one object: {twice[:40]!a}")
    return found


_STANDARD = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole)

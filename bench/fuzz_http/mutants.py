"""Mutants of a call: one or a few things about it are changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bench.fuzz_http.calls import Call, World, bearer
from bench.fuzz_http.values import NAMES, STRANGE, changed, odd, written

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW", "get", "POST")
QUERY_NAMES = ("seat", "after", "wait", "limit", "status", "include", "all", "nope", "", "%00", "seat%20", "é", "a[]")
QUERY_VALUES = (
    "0",
    "1",
    "-1",
    "9",
    "referee",
    "views",
    "live",
    "over",
    "true",
    "99999999999999999999",
    "%00",
    "%ff",
    "",
    "0x1",
    "١",
)
MEDIA_TYPES = (
    "", "text/plain", "application/json; charset=utf-8", "application/json; charset=latin1", "application/JSON", "application/problem+json",
    "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/json; charset=\x7f", ";", "a" * 3000,
)  # fmt: skip
VERSIONS = (
    '"v1"', '"v2"', '"v0"', '"v-1"', '"v99999999999999999999"', 'W/"v1"', "*", "v1", '"v1", "v2"', "", '"', '"v１"', "é", "x" * 4000,
)  # fmt: skip
OTHER_HEADERS = (
    ("X-Request-Id", "a b"), ("X-Request-Id", "same"), ("Content-Encoding", "gzip"), ("Accept", "text/html"), ("Expect", "100-continue"),
    ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "https"), ("Range", "bytes=0-1"), ("Cookie", "session=%00"), ("If-Modified-Since", "x"),
    ("X-HTTP-Method-Override", "DELETE"), ("Host", ""), ("Host", "a/b:c"), ("Script-Name", "/x"), ("Accept-Encoding", "br"), ("Origin", "null"),
)  # fmt: skip

_WAIT = re.compile(r"wait=\d+")
Mutation = Callable[[Call, random.Random, World], Call]


def mutant(call: Call, rng: random.Random, world: World) -> Call:
    """The call with one to four things changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        call = rng.choice(_OF_BODY if call.body is not None and rng.random() < 0.7 else _OF_THE_REST)(call, rng, world)
    # an event that nobody makes need not be waited for
    return replace(call, query=_WAIT.sub("wait=0", call.query))


def _body(call: Call, rng: random.Random, world: World) -> Call:
    return call if isinstance(call.body, bytes) else replace(call, body=changed(call.body, rng))


def _text(call: Call, rng: random.Random, world: World) -> Call:
    """The bytes of the body are changed, mostly so that they are no JSON any more."""
    text = written(call.body)
    at = rng.randrange(len(text) + 1)
    name = f'"{rng.choice(NAMES)}"'.encode()
    changes: tuple[bytes, ...] = (
        text[:at],
        text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :],
        text[:at]
        + rng.choice((b"\x00", b"\xff", b",", b"}", b"]", b'"', b"\\", b"\\ud800", b"NaN", b"//", b"\xc3\xa9"))
        + text[at:],
        text.replace(b"{", b"{" + name + b": 1, ", 1),
        text.replace(b"{", b"{" + name + b": 1, " + name + b": 1, ", 1),
        text.replace(b'"', b"'"),
        b"\xef\xbb\xbf" + text,
        text.decode("latin1").encode("utf-16"),
        text + rng.choice((b"x", b" ", b"{}", b"\x00")),
        b"[" * rng.choice((33, 1000, 60_000)),
        b" " * rng.choice((1, 66_000)) + text,
        rng.choice((b"", b"null", b"0", b"[]", b"{}", b'""', b"1" * 5000, b"-", b'{"a":' * 400)),
    )
    return replace(call, body=rng.choice(changes))


def _header(name: str, values: Sequence[str]) -> Mutation:
    def mutate(call: Call, rng: random.Random, world: World) -> Call:
        times = rng.choice((0, 1, 1, 1, 2))
        return call.with_header(name, *(rng.choice(values) for _ in range(times)))

    return mutate


def _caller(call: Call, rng: random.Random, world: World) -> Call:
    token = rng.choice(world.tokens)
    said = (
        bearer(token)[1], bearer(token)[1], bearer(token)[1], f"bearer  {token} ", f"Basic {token}", "Bearer", "Bearer ", token,
        f"Bearer {token[:-1]}", f"Bearer {token}x", "Bearer é", f"Bearer {'x' * 600}", "Bearer s99." + "a" * 43 + "." + "b" * 11, "",
    )  # fmt: skip
    return _header("Authorization", said)(call, rng, world)


def _another(call: Call, rng: random.Random, world: World) -> Call:
    name, value = rng.choice(OTHER_HEADERS)
    return call.with_header(name, value)


def _query(call: Call, rng: random.Random, world: World) -> Call:
    pair = f"{rng.choice(QUERY_NAMES)}={rng.choice(QUERY_VALUES)}"
    changes = (
        pair,
        pair,
        pair,
        f"{call.query}&{pair}",
        f"{call.query}&{call.query}",
        "",
        "=",
        "&&",
        "%",
        "a" * 3000,
        "a;b",
        call.query[:-1],
    )
    return replace(call, query=rng.choice(changes))


def _path(call: Call, rng: random.Random, world: World) -> Call:
    parts = call.path.split("/")
    at = rng.randrange(1, len(parts))
    wrong = (
        rng.choice(world.ids), rng.choice(world.ids), "0", "1", "-1", "00", "99", "%00", "%2e%2e", "..", "é", "%ff", "x" * 2000, "", " ", "%2F",
        "rummy", "swoop", "chess", parts[at].upper(), parts[at] + "%00", parts[at][:-1], parts[at] + "/", "{id}", "١", "f" * 32,
    )  # fmt: skip
    parts[at] = rng.choice(wrong)
    return replace(call, path="/".join(parts))


def _method(call: Call, rng: random.Random, world: World) -> Call:
    return replace(call, method=rng.choice(METHODS))


def _give_body(call: Call, rng: random.Random, world: World) -> Call:
    """A body where there was none, or another; or none where there was one."""
    body: Any = rng.choice((odd(rng), {}, [], None))
    typed = call.with_header("Content-Type", "application/json")
    return replace(typed, body=body)


_OF_BODY: tuple[Mutation, ...] = (_body, _body, _body, _body, _body, _body, _text)
_OF_THE_REST: tuple[Mutation, ...] = (
    _header("If-Match", VERSIONS),
    _header("If-None-Match", VERSIONS),
    _header("Idempotency-Key", ("k", "k", "", "x" * 255, "x" * 256, "é", "\x7f", "a b", *STRANGE[:4])),
    _header("Content-Type", MEDIA_TYPES),
    _caller, _caller, _another, _query, _query, _query, _path, _path, _path, _method, _give_body,
)  # fmt: skip

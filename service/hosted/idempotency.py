"""Repeats: by what a change is known again, and what is kept of its answer for the next time."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection
from dataclasses import dataclass

from engine.errors import Flaw, Invalid
from service.stores.contract import Answer, Request

_KEY = re.compile(r"[\x20-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a POST said besides its fields. `canonical`: its body and query, written so that equal ones are equal bytes."""

    request_id: str
    bearer: str
    key: str | None
    if_match: str | None
    canonical: bytes

    def request(self, scope: Collection[str]) -> Request:
        """What the store tells this request from others by. `scope`: the route and who calls. Raises `Invalid`."""
        if self.key is None:
            return Request.fresh()
        if not _KEY.fullmatch(self.key):
            raise Invalid(Flaw("", "Idempotency-Key must be 1 to 255 printable ASCII characters"))
        return Request.keyed(self.key, scope, self.canonical)


def lookup(key: str | None, scope: Collection[str]) -> tuple[str, ...]:
    """What to look the answer to an earlier request up by, before the body is read. Nothing for a key that cannot be one."""
    return (Request.keyed(key, scope, b"").key,) if key is not None and _KEY.fullmatch(key) else ()


@dataclass(frozen=True, slots=True)
class Success:
    """A success: the body, the version its ETag names, and whether it was given before."""

    body: bytes
    version: int
    replayed: bool = False
    game: str = ""


def kept(body: bytes, request: Request) -> bytes:
    """What is stored of an answer: nothing where only the store's own transport may repeat the request."""
    return b"" if request.once else zlib.compress(body, 1)


def replay(answer: Answer) -> Success:
    """The answer of the first time."""
    return Success(zlib.decompress(answer.data), answer.version, replayed=True)

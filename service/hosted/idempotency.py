"""How a change was asked for, and what it is answered: conditions, repeats, and the bytes that are kept of an answer."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection
from dataclasses import dataclass

from engine.errors import Flaw, Invalid
from service.problems.refusals import Refusal
from service.stores.contract import Answer, Request

_VERSION = re.compile(r'"v[1-9][0-9]*"')
_KEY = re.compile(r"[\x20-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Asked:
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

    def check_version(self, version: int) -> None:
        """Raise the refusal of a call that does not name the version it was decided on."""
        if self.if_match is None or self.if_match.strip() == "*":
            raise Refusal("version_required")
        if not _VERSION.fullmatch(self.if_match.strip()):
            raise stale(version, f"If-Match must be one version, in quotes and not weak: If-Match: {etag(version)}")
        if self.if_match.strip() != etag(version):
            raise stale(version)


def lookup(key: str | None, scope: Collection[str]) -> tuple[str, ...]:
    """What to look the answer to an earlier request up by, before the body is read. Nothing for a key that cannot be one."""
    return (Request.keyed(key, scope, b"").key,) if key is not None and _KEY.fullmatch(key) else ()


def stale(version: int, why: str = "") -> Refusal:
    """The refusal that tells the current version."""
    detail = why or f"the game has moved on; what is decided on it as it is now goes with If-Match: {etag(version)}"
    return Refusal("stale_version", f"{detail} (it is at version {version})", {"ETag": etag(version)}, version=version)


def etag(version: int) -> str:
    return f'"v{version}"'


@dataclass(frozen=True, slots=True)
class Answered:
    """A success: the body, the version its ETag names, and whether it was given before."""

    body: bytes
    version: int
    replayed: bool = False
    game: str = ""


def kept(body: bytes, request: Request) -> bytes:
    """What is stored of an answer: nothing where only the store's own transport may repeat the request."""
    return b"" if request.once else zlib.compress(body, 1)


def replay(answer: Answer) -> Answered:
    """The answer of the first time."""
    return Answered(zlib.decompress(answer.data), answer.version, replayed=True)

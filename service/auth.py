"""Token -> who is calling."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from flask import current_app, request

from service.errors import Refusal

_SCHEME = "bearer "
_LONGEST = 512


@dataclass(frozen=True, slots=True)
class App:
    """An app with a valid key, or anyone in open mode (whose name is empty)."""

    name: str


def bearer_token() -> str | None:
    """The token of the `Authorization` header, if it has one."""
    header = request.headers.get("Authorization", "")
    if header[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = header[len(_SCHEME) :].strip()
    return token if 0 < len(token) <= _LONGEST else None


def digest(token: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def app_of(token: str | None, keys: tuple[tuple[str, bytes], ...]) -> App | None:
    """The app that a key belongs to; every key is compared, in constant time."""
    if not keys:
        return App("")
    given = digest(token or "")
    found = [name for name, kept in keys if hmac.compare_digest(kept, given)]
    return App(found[0]) if token and found else None


def has_credentials() -> bool:
    """Whether the call says who it is, however badly."""
    return "Authorization" in request.headers


def require_app(*, hosted: bool) -> App:
    """The calling app; 401 without a valid key.

    Open mode has no keys, and its apps say nothing. Where games are kept (`hosted`) whoever does say something is a player
    or mistaken, and never the app, which sees everything; stateless calls have nothing to hide.
    """
    keys = current_app.config["SETTINGS"].api_keys
    caller = app_of(bearer_token(), keys)
    if caller is None or (hosted and not keys and has_credentials()):
        raise Refusal("unauthenticated")
    return caller

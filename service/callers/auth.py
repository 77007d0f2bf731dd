"""The `Authorization` header -> who is calling."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

_SCHEME = "bearer "
_LONGEST = 512

Keys = tuple[tuple[str, bytes], ...]  # the name of an app and the digest of a key


@dataclass(frozen=True, slots=True)
class App:
    """An app with a valid key, or anyone in open mode (whose name is empty)."""

    name: str


def bearer_token(authorization: str | None) -> str | None:
    """The token of the header, if it has one."""
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = authorization[len(_SCHEME) :].strip()
    return token if 0 < len(token) <= _LONGEST else None


def digest(token: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def app_of(token: str | None, keys: Keys) -> App | None:
    """The app that a key belongs to; every key is compared, in constant time."""
    if not keys:
        return App("")
    given = digest(token or "")
    found = [name for name, kept in keys if hmac.compare_digest(kept, given)]
    return App(found[0]) if token and found else None


def app_at_the_table(authorization: str | None, keys: Keys) -> App | None:
    """The app where games are kept, who sees everything there.

    Open mode has no keys, and its apps say nothing: whoever does say something, however badly, is a player or mistaken. A
    spoilt token must not make a player the app.
    """
    if not keys and authorization is not None:
        return None
    return app_of(bearer_token(authorization), keys)

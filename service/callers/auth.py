"""The `Authorization` header -> who is calling."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
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


def by_digest(keys: Keys) -> Mapping[bytes, str]:
    """The names of apps by the digest of each key, to look callers up in."""
    return {kept: name for name, kept in reversed(keys)}


def app_of(token: str | None, names: Mapping[bytes, str]) -> App | None:
    """The app that a key belongs to, in the same time however many there are. How long it takes to find a digest may tell something
    of digests alike, and nothing of keys: nobody can send a key whose digest begins as he likes."""
    if not names:
        return App("")
    name = names.get(digest(token or ""))
    return App(name) if token and name is not None else None


def app_at_the_table(authorization: str | None, names: Mapping[bytes, str]) -> App | None:
    """The app where games are kept, who sees everything there.

    Open mode has no keys, and its apps say nothing: whoever does say something, however badly, is a player or mistaken. A
    spoilt token must not make a player the app.
    """
    if not names and authorization is not None:
        return None
    return app_of(bearer_token(authorization), names)

"""The tokens of a table: one for each seat, one for those who watch.

A token reads ``s0.<secret>.<tag>`` or ``spectator.<secret>.<tag>``. The store keeps its hash alone. The tag tells a token
that was issued for this game and has been replaced (a bad credential) from one of another game (which is not to
learn that this one exists); it is the start of an HMAC under the game's own `mark`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

SPECTATOR = "spectator"
_FORM = re.compile(r"(s(?:0|[1-9][0-9]?)|spectator)\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{11}")
_TAG_BYTES = 8

Standing = Literal["valid", "replaced", "foreign"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A bearer token that has the form of a table's; whether it is one of this game shows when the game is loaded."""

    name: str
    token: str

    @property
    def seat(self) -> int | None:
        """The seat it says it is for; None for a spectator."""
        return None if self.name == SPECTATOR else int(self.name[1:])


def claim_of(token: str) -> Claim | None:
    """What a bearer token says it is; None if it has not the form of a table's token."""
    found = _FORM.fullmatch(token)
    return Claim(found[1], token) if found else None


def seat_name(seat: int) -> str:
    """The name of a seat's token, as the store knows it."""
    return f"s{seat}"


def new_mark() -> str:
    """The secret of a new game that its tags are made with."""
    return secrets.token_hex(16)


def root(bearer: str, key: str | None, salt: bytes) -> bytes:
    """What the tokens of one request are made from.

    A request that may be repeated (`key`) must find its tokens again, though only their hashes are stored: they follow
    from what its caller alone has, the app key it came with, and from the stored `salt`. Without a key: chance.
    """
    if key is None:
        return secrets.token_bytes(32)
    return hmac.digest(bearer.encode("utf-8", "surrogateescape"), salt + key.encode(), "sha256")


def mint(name: str, origin: bytes, mark: str) -> str:
    """The token of this name from the root of a request."""
    body = f"{name}.{_text(hmac.digest(origin, name.encode(), 'sha256'))}"
    return f"{body}.{_tag(body, mark)}"


def fingerprint(token: str) -> str:
    """What the store keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def standing(claim: Claim, kept: Mapping[str, str], mark: str) -> Standing:
    """What a claim is worth in the game with these fingerprints and this mark; every comparison takes constant time."""
    body, _, tag = claim.token.rpartition(".")
    is_ours = hmac.compare_digest(tag, _tag(body, mark))
    is_current = hmac.compare_digest(kept.get(claim.name, ""), fingerprint(claim.token))
    if is_ours and is_current:
        return "valid"
    return "replaced" if is_ours else "foreign"


def _tag(body: str, mark: str) -> str:
    return _text(hmac.digest(mark.encode(), body.encode(), "sha256")[:_TAG_BYTES])


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()

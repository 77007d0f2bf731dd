"""Where the next page of a list begins, as callers are told it: what they hand back, not what they make up or count with."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

PATTERN = "^[A-Za-z0-9_-]{16}$"  # 8 bytes of the place, and 4 that show a cursor of ours


def cursor(place: int) -> str:
    """The cursor to a store's place in a list."""
    number = place.to_bytes(8, "big")
    return urlsafe_b64encode(number + hashlib.sha256(number).digest()[:4]).decode()


def place(text: str) -> int | None:
    """The place that a cursor leads to; None for a text that is none."""
    try:
        found = int.from_bytes(urlsafe_b64decode(text)[:8], "big")
    except ValueError:
        return None
    return found if cursor(found) == text else None

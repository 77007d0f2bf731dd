"""The seed of a match, which every shuffle follows from."""

from __future__ import annotations

import secrets

from engine.shuffling import SEED_BYTES


def chosen(seed: str | None) -> str:
    """The caller's seed; without one, a seed from the system's entropy."""
    return secrets.token_hex(SEED_BYTES) if seed is None else seed

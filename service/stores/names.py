"""Names made from other names: request keys and the ids of games."""

from __future__ import annotations

import hashlib
import re


def digest(*parts: str) -> str:
    """128 bits of SHA-256 over all the parts, in 32 hex digits; their lengths keep them apart."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def game_id(owner: str, key: str, generation: int) -> str:
    """The id of the game that an owner's create makes, from its request's key: a retry finds the same game.

    A key may be used again once its answer is forgotten, while the game it made then is still there: the next
    generation is another game. Ids of requests without a client's key are random, for their keys are.
    """
    return digest(owner, key, str(generation))


def can_be_id(text: str) -> bool:
    """Whether a game may have this id: anything else never reaches a store."""
    return re.fullmatch("[0-9a-f]{32}", text) is not None

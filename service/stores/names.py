"""Names made from other names: request keys and the ids of games."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets


def digest(*parts: str) -> str:
    """128 bits of SHA-256 over all the parts, in 32 hex digits; their lengths keep them apart."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def new_secret() -> bytes:
    """What a store makes ids with, made once and kept in it."""
    return secrets.token_bytes(32)


def game_id(secret: bytes, owner: str, key: str, generation: int) -> str:
    """The id of the game that an owner's create makes, from its request's key: a retry finds the same game.

    Names of apps and the keys they choose can be guessed: nobody without the store's secret can tell from them which id a
    game has. A key may be used again once its answer is forgotten, while the game it made then is still there: the next
    generation is another game. Ids of requests without a client's key are random, for their keys are.
    """
    return hmac.digest(secret, digest(owner, key, str(generation)).encode(), "sha256").hex()[:32]


def can_be_id(text: str) -> bool:
    """Whether a game may have this id: anything else never reaches a store."""
    return re.fullmatch("[0-9a-f]{32}", text) is not None

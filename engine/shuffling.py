"""The only randomness: a pure function of a secret seed and a label, so that a match can be checked afterwards.

A seed is 32 bytes. Before the first card is seen its SHA-256 is published (`commitment`); once the match is over
the seed is opened and anyone can redo every shuffle. The numbers behind a shuffle are the HMAC-SHA-256 blocks of
label and block counter under the seed (RFC 2104); the shuffle is Fisher and Yates's with unbiased numbers
(rejection sampling; Knuth, TAOCP vol. 2, 3.4.2, algorithm P).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from engine.cards import Card

SEED_BYTES = 32
_WORD_BYTES = 4
_WORDS = 1 << (8 * _WORD_BYTES)


def commitment(seed: str) -> str:
    """The SHA-256 of a seed (both in lower-case hex, 64 digits)."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def shuffle(seed: str, label: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """`cards` in an order that follows from seed (64 hex digits) and label alone.

    From the last place down to the second, each is exchanged with a place drawn from itself and those before it.
    """
    order = list(cards)
    words = _words(seed, label)
    for last in range(len(order) - 1, 0, -1):
        drawn = _below(last + 1, words)
        order[last], order[drawn] = order[drawn], order[last]
    return tuple(order)


def pick(seed: str, label: str, count: int) -> int:
    """A number in 0 … count-1 that follows from seed and label alone."""
    return _below(count, _words(seed, label))


def _words(seed: str, label: str) -> Iterator[int]:
    """Endless 32-bit numbers: block n is HMAC-SHA-256(seed, "label/n"), read as eight big-endian words."""
    key = bytes.fromhex(seed)
    block = 0
    while True:
        digest = hmac.digest(key, f"{label}/{block}".encode(), "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1


def _below(count: int, words: Iterator[int]) -> int:
    """The next number in 0 … count-1: words from the highest whole multiple of `count` on are passed over, so none is likelier."""
    limit = _WORDS - _WORDS % count
    return next(word for word in words if word < limit) % count

"""Answers with tokens in them, which may have to be given again though no token is stored.

Kept are the answer without its tokens, their fingerprints and a salt. A caller that repeats its request brings what the
tokens are made from (`tokens.root`); the fingerprints show whether it is what it brought the first time.
"""

from __future__ import annotations

import hmac
import secrets
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import orjson

from service.hosted import tokens
from service.hosted.answers import Json
from service.hosted.idempotency import Conditions
from service.problems.refusals import Refusal
from service.stores.contract import Answer


@dataclass(frozen=True, slots=True)
class Issue:
    """The tokens of one request, by name."""

    tokens: Mapping[str, str]
    mark: str
    salt: bytes

    @property
    def fingerprints(self) -> dict[str, str]:
        """What the store keeps of the tokens."""
        return {name: tokens.fingerprint(token) for name, token in self.tokens.items()}

    def kept(self, body: Json) -> bytes:
        """What is stored of the answer `body`, whose tokens are not filled in."""
        told = {"body": body, "mark": self.mark, "salt": self.salt.hex(), "fingerprints": self.fingerprints}
        return zlib.compress(orjson.dumps(told), 1)


def issue(conditions: Conditions, names: Iterable[str], mark: str, salt: bytes | None = None) -> Issue:
    """New tokens for a request; with the `salt` of an earlier one by the same caller, its tokens again."""
    salt = secrets.token_bytes(16) if salt is None else salt
    origin = tokens.root(conditions.bearer, conditions.key, salt)
    return Issue({name: tokens.mint(name, origin, mark) for name in names}, mark, salt)


def replay(answer: Answer, conditions: Conditions) -> tuple[Json, Issue]:
    """The answer of the first time, tokens not filled in, and the tokens.

    Raises the refusal ``key_reused`` for a caller that comes with another app key than the first time: it cannot be told its
    tokens, and other tokens would be wrong.
    """
    told = orjson.loads(zlib.decompress(answer.data))
    known: dict[str, str] = told["fingerprints"]
    issued = issue(conditions, known, told["mark"], bytes.fromhex(told["salt"]))
    if not all(hmac.compare_digest(known[name], issued.fingerprints[name]) for name in known):
        raise Refusal(
            "key_reused",
            "The Idempotency-Key was used with another app key: the tokens it was answered with cannot be told again. "
            "Replace them, or create another game",
        )
    return told["body"], issued

"""What a call may raise. All of it is a `CardrefError`."""

from __future__ import annotations

import json
from typing import cast

from cardref_client import types as t


class CardrefError(Exception):
    """A call has no answer of the kind that it asks for."""


class Unanswered(CardrefError):
    """No answer came, however often the call was sent: what it asks for was done or was not. The same call with the same
    `idempotency_key` settles it, for 24 hours."""

    def __init__(self, said: str, idempotency_key: str | None) -> None:
        super().__init__(said)
        self.idempotency_key = idempotency_key


class Refused(CardrefError):
    """The service refused: `status` and, where the answer was a problem as the contract has it, `code` and `problem`."""

    def __init__(self, status: int, problem: t.Problem | None, idempotency_key: str | None = None) -> None:
        super().__init__(f"{status} {problem['code']}: {problem['detail']}" if problem else f"{status}, and no problem")
        self.status = status
        self.problem = problem
        self.code: str = problem["code"] if problem else ""
        self.idempotency_key = idempotency_key


class StaleVersion(Refused):
    """412: the game has moved on, and nothing was done. Look at it (`version` is the one there is) and decide anew."""

    @property
    def version(self) -> int | None:
        return self.problem.get("version") if self.problem else None


class Illegal(Refused):
    """409: the rules forbid it, and nothing was done; for a move `violation` says why."""

    @property
    def violation(self) -> t.Violation | None:
        return self.problem.get("violation") if self.problem else None


def refusal(status: int, content: bytes, idempotency_key: str | None) -> Refused:
    """The error for an answer that is no success."""
    try:
        body = json.loads(content)
    except ValueError:  # a gateway's
        body = None
    is_problem = isinstance(body, dict) and {"code", "detail"} <= body.keys()
    problem = cast(t.Problem, body) if is_problem else None
    kind = {409: Illegal, 412: StaleVersion}.get(status, Refused)
    return kind(status, problem, idempotency_key)

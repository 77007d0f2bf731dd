"""The refusals that the service itself gives, as exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.problems.codes import PROBLEMS


class Refusal(Exception):
    """An error that the service itself gives: a code of `PROBLEMS`, a detail, and what else the answer carries."""

    def __init__(self, code: str, detail: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(code)
        self.problem = PROBLEMS[code]
        self.detail = detail or self.problem.sentence
        self.headers = dict(headers or {})
        self.more = more


class Outdated(Refusal):
    """What a call was decided on was another's by the time it was to be carried out: it is decided anew, once."""

    def __init__(self) -> None:
        super().__init__("stale_version", "The game changed while the call was decided; look at it again.")

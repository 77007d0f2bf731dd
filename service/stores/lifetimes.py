"""How long things are kept, and the units that times are told in: milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["live", "over"]

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long things are kept, in milliseconds (operations.md, How long things live)."""

    live: int = 24 * HOUR  # after the last change, while the match goes on
    over: int = 7 * DAY  # after the last change, once it is over
    tombstone: int = 7 * DAY  # after that: `Expired`; later `NotFound`
    answers: int = 24 * HOUR

    def of(self, status: Status) -> int:
        """How long a game lives after a change that left it with this status."""
        return self.live if status == "live" else self.over

    @property
    def kept(self) -> int:
        """How long values are kept under their hashes: longer than any game."""
        return max(self.live, self.over) + self.tombstone

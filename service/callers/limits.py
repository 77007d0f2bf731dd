"""How much each app may ask for: the limits there are, what they are by default, and how they are written."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from typing import Any

BURST_SECONDS = 10  # an app that was quiet may use so many seconds' worth of a rate at once
NONE = "none"


def limit(default: int, sentence: str) -> Any:
    """A field of `Limits`; the table of docs/operations.md is made from these."""
    return dataclasses.field(default=default, metadata={"sentence": sentence})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one app may have; None: as much as there is. The defaults are beyond what a normal app needs of one instance."""

    requests: int | None = limit(
        500, "Calls under `/v1` a second, those of the app's players and spectators among them."
    )
    solves: int | None = limit(
        500, "Hands a second that are sent to be grouped, declared or scored, in batches or not."
    )
    games: int | None = limit(100_000, "Hosted games that are live at the same time.")
    bytes: int | None = limit(
        10_000_000_000, "What its hosted games take in the store, of all that are kept there; refuses new ones alone."
    )
    waiters: int | None = limit(10_000, "Long polls that wait at the same time.")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second, on the average, as a token bucket."""

    a_second: int

    @property
    def most(self) -> int:
        """How many may come at once."""
        return self.a_second * BURST_SECONDS

    def after(self, tokens: float, seconds: float) -> float:
        """What a bucket with so many tokens holds so many seconds later."""
        return min(float(self.most), tokens + max(0.0, seconds) * self.a_second)

    def wait(self, tokens: float, wanted: float) -> int:
        """Whole seconds, at least one, until a bucket with so many tokens holds as many as are wanted."""
        return max(1, math.ceil((wanted - tokens) / self.a_second))


NAMES = tuple(field.name for field in dataclasses.fields(Limits))


def read(text: str, base: Limits) -> Limits:
    """`base` with what the text says instead: ``requests=200 waiters=none``, parted by blanks or commas. Raises ValueError, whose
    text repeats nothing that is not the name of a limit."""
    found: dict[str, int | None] = {}
    for word in re.split(r"[,\s]+", text.strip()) if text.strip() else ():
        name, equals, value = word.partition("=")
        if not equals or name not in NAMES:
            raise ValueError(f"must be {', '.join(f'{each}=…' for each in NAMES)}, a whole number each or {NONE}")
        if name in found:
            raise ValueError(f"names {name} twice")
        if value != NONE and not re.fullmatch(r"[1-9][0-9]{0,11}", value):
            raise ValueError(f"needs a whole number from 1, or {NONE}, for {name}")
        found[name] = None if value == NONE else int(value)
    return dataclasses.replace(base, **found)

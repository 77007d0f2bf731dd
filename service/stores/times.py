"""What a clock may do that is set while games go on, forward or back (docs/reliability.md, Clocks)."""

from __future__ import annotations

import time
from dataclasses import dataclass

from service.stores.lifetimes import MINUTE, SECOND

SLACK = SECOND  # a clock that is back by less has been slewed, or is another machine's
LAG = MINUTE  # how old a mark may be that others have left: what is forgotten may be ahead of it by so much
PACE = 2  # how much faster than time itself the settled clock may go: so it catches up after a stop


@dataclass(frozen=True, slots=True)
class Settled:
    """A clock to forget by: never ahead of the store's, nor faster than `PACE`. One that was set forward by days moves it on by
    no more than has passed, and nothing is forgotten that would be missed once the clock is put right.

    `mark`: what it said when the machine's steady clock said `ticks`; both in milliseconds.
    """

    mark: int
    ticks: int

    def at(self, now: int, ticks: int) -> int:
        """What it says when the store's clock says `now`."""
        return min(now, self.ceiling(ticks) + LAG)

    def ceiling(self, ticks: int) -> int:
        """How far the mark may be moved on. After a restart of the machine `ticks` begin anew."""
        passed = ticks - self.ticks if ticks >= self.ticks else ticks
        return self.mark + PACE * passed


def ticks() -> int:
    """The machine's steady clock, the same for all processes: milliseconds since it was started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000

"""Who may keep the solver busy, and whose turn it is.

What is long takes a *place* for as long as it lasts, and within it one *turn* after the other, each for a part of its work. A
flow is one caller's work of one kind. There are only so many places: a flow gets another as long as it has fewer than are
free (dynamic thresholds, Choudhury and Hahne 1998), so that one alone gets half of them, and whoever comes next still finds
room. Turns go to the flow that has had the least work so far (start-time fair queueing, Goyal, Vin and Cheng 1996).
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from engine.errors import Undecided
from service.problems.refusals import Refusal

LOOK_SECONDS = 0.2  # how often who waits looks whether anybody waits for the answer
FINISH_SECONDS = 5.0  # what is under way when the process is told to end may take so long


class Asker(NamedTuple):
    """Whose work it is, and whether the caller has gone."""

    flow: Hashable
    gone: Callable[[], bool]


class Gone(Exception):
    """Nobody waits for the answer any more."""


class _Ticket:
    __slots__ = ("called", "left")

    def __init__(self) -> None:
        self.called = threading.Event()
        self.left = False


class Admission:
    """So many `places`, and so many turns `at_once`. `ending`: set once the process has been told to end. Safe to share between
    threads."""

    def __init__(self, at_once: int, places: int, ending: threading.Event | None = None) -> None:
        self._free, self._turns = places, at_once
        self._held: Counter[Hashable] = Counter()
        self._started: dict[Hashable, float] = {}  # of each flow with a place: the work up to which it has been served
        self._served = 0.0  # the same of the turn that began last
        self._line: list[tuple[float, int, _Ticket]] = []
        self._number = 0
        self._lock = threading.Lock()
        self._ending = ending or threading.Event()
        self._last = 0.0  # the time by which all has to end, once that is known

    @contextmanager
    def place(self, flow: Hashable) -> Iterator[None]:
        """Room for one piece of long work. Raises the refusal ``rate_limited`` where the flow may have no more."""
        with self._lock:
            if self._held[flow] >= self._free:
                if not self._held[flow]:
                    del self._held[flow]
                raise Refusal("rate_limited", "As much as may is being solved; try again after `Retry-After` seconds.")
            self._held[flow] += 1
            self._free -= 1
        try:
            yield
        finally:
            with self._lock:
                self._free += 1
                self._held[flow] -= 1
                if not self._held[flow]:
                    del self._held[flow]
                    self._started.pop(flow, None)

    def wait(self, asker: Asker, weight: int) -> None:
        """Wait for a turn, for work of a weight; `done` is to be called after it. Raises `Gone`, and `Undecided` where the process
        ends."""
        ticket = _Ticket()
        with self._lock:
            start = max(self._served, self._started.get(asker.flow, 0.0))
            self._started[asker.flow] = start + weight
            self._number += 1
            heapq.heappush(self._line, (start, self._number, ticket))
            self._call()
        try:
            self.look(asker)
            while not ticket.called.wait(LOOK_SECONDS):
                self.look(asker)
        except BaseException:
            with self._lock:
                ticket.left = True
                if ticket.called.is_set():
                    self._turns += 1
                    self._call()
            raise

    def done(self) -> None:
        """A turn is over."""
        with self._lock:
            self._turns += 1
            self._call()

    def look(self, asker: Asker) -> None:
        """Raise `Gone` if the caller has gone, `Undecided` if the process cannot wait for the work any longer."""
        if self._ending.is_set():
            self._last = self._last or time.monotonic() + FINISH_SECONDS
            if time.monotonic() > self._last:
                raise Undecided("the service is about to end")
        if asker.gone():
            raise Gone

    def _call(self) -> None:
        while self._turns and self._line:
            start, _, ticket = heapq.heappop(self._line)
            if not ticket.left:
                self._served = start
                self._turns -= 1
                ticket.called.set()

"""Long polls: a bounded number of callers that wait for a game's next version."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from service.stores.contract import Page

SLICE = 0.5  # seconds: the longest single nap, so that a game's end or the service's own is noticed soon


class Waiters:
    """At most `limit` callers wait at the same time; one more is answered at once. `wake` ends all waiting."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._places = threading.BoundedSemaphore(limit)
        self._closed = threading.Event()

    def poll(self, read: Callable[[], Page], nap: Callable[[float], None], seconds: float) -> Page:
        """What `read` gives as soon as it has entries, or after `seconds`; between two reads `nap` waits for news."""
        until = time.monotonic() + seconds
        page = read()
        if page.entries or seconds <= 0 or not self._places.acquire(blocking=False):
            return page
        try:
            while not page.entries and not self._closed.is_set() and (left := until - time.monotonic()) > 0:
                nap(min(left, SLICE))
                page = read()
        finally:
            self._places.release()
        return page

    def wake(self) -> None:
        """Let all who wait return with what there is; nobody waits any more. May be called by a signal's handler."""
        self._closed.set()

    def close(self) -> None:
        """Wake all, and see them go."""
        self.wake()
        until = time.monotonic() + 2 * SLICE
        for _ in range(self._limit):
            self._places.acquire(timeout=max(0.0, until - time.monotonic()))

"""How many requests and solves each app has left: token buckets, counted in this process and set right by what all count together.

No call waits for another process: what was spent here goes to the shared count a few times a second, and what is left of all
comes back. In between each process lets through what it believes to be left, so that more may pass at once than the bucket
holds, as much as comes to the others meanwhile; but that is taken off, and the average is exact.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import structlog

from service.callers.limits import Rate
from service.stores.errors import StoreError

SHARE_SECONDS = 0.1
_log = structlog.get_logger()


class Level(NamedTuple):
    """How a bucket stands after it was asked: whether it gave, what is left, and in how many seconds the rest is back (or,
    where it did not give, as much as was asked for)."""

    gave: bool
    left: int
    seconds: int


class Room(NamedTuple):
    """What of an app's limits of what is kept, as they were, this process may use until the store is asked again."""

    most: tuple[int | None, int | None]  # games, bytes
    games: int
    until: float


class Shared(Protocol):
    """Where several processes count together."""

    def settle(self, name: str, kind: str, rate: Rate, spent: float) -> float:
        """Take off what was spent, and say what is left of all. Raises StoreError."""


class _Bucket:
    """What this process believes to be left, and what it has spent of it since it last said so."""

    __slots__ = ("at", "rate", "spent", "tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate = rate
        self.tokens = float(rate.most)
        self.spent = 0.0
        self.at = now

    def take(self, cost: int, now: float) -> Level:
        rate = self.rate
        self.tokens = tokens = rate.after(self.tokens, now - self.at)
        self.at = now
        wanted = min(cost, rate.most)  # what is larger than the bucket passes once it is full, and leaves a debt
        if tokens < wanted:
            return Level(False, max(0, int(tokens)), rate.wait(tokens, wanted))
        self.tokens -= cost
        self.spent += cost
        return Level(True, max(0, int(self.tokens)), rate.wait(self.tokens, rate.most))


class Rates:
    """The buckets of all apps in this process. Safe to share between threads, and to inherit through a fork while unused."""

    def __init__(
        self,
        shared: Shared | None,
        clock: Callable[[], float] = time.monotonic,
        pause: float | None = SHARE_SECONDS,
    ) -> None:
        """Shared every `pause` seconds while something is spent; None: when `share` is called."""
        self._shared = shared
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: dict[tuple[str, str], _Bucket] = {}  # as many as there have been names of keys
        self._news = threading.Event()
        self._pause = None if shared is None else pause
        self._sharer: threading.Thread | None = None
        self._away = False
        self.room: dict[str, Room] = {}  # by app

    def take(self, name: str, kind: str, a_second: int, cost: int = 1) -> Level:
        """Take so much from the app's bucket of this kind, if it is there."""
        with self._lock:
            bucket = self._buckets.get((name, kind))
            if bucket is None or bucket.rate.a_second != a_second:
                bucket = self._buckets[name, kind] = _Bucket(Rate(a_second), self._clock())
            level = bucket.take(cost, self._clock())
            if self._pause is not None and self._sharer is None:
                self._sharer = threading.Thread(target=self._keep_sharing, args=[self._pause], daemon=True)
                self._sharer.start()
        if self._pause is not None and not self._news.is_set():
            self._news.set()
        return level

    def share(self) -> None:
        """Say what was spent, and learn what is left; where that cannot be, this process goes on with its own count."""
        assert self._shared is not None, "there is somewhere to count together"
        for (name, kind), bucket in list(self._buckets.items()):
            if not bucket.spent:
                continue
            with self._lock:
                spent, bucket.spent = bucket.spent, 0.0
            try:
                left = self._shared.settle(name, kind, bucket.rate, spent)
            except StoreError as fault:  # what was spent meanwhile is not told later: the debt would be nobody's
                if not self._away:
                    _log.error("limits_unshared", reason=str(fault))
                self._away = True
                return
            self._away = False
            with self._lock:
                bucket.tokens, bucket.at = left - bucket.spent, self._clock()

    def _keep_sharing(self, pause: float) -> None:
        while self._news.wait():
            self._news.clear()
            self.share()
            time.sleep(pause)

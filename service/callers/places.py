"""How many long polls of each app wait: counted in this process, and set right by what the others say.

No call waits for another process: each tells of a change ten times a second at the most, and of all that it has every two
seconds, and is told how many wait elsewhere. What a process that was killed has told is forgotten after ten.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from typing import Protocol

import structlog

from service.callers.rates import SHARE_SECONDS
from service.stores.errors import StoreUnavailable

RENEW_SECONDS = 2.0
_log = structlog.get_logger()


class Elsewhere(Protocol):
    """Where several processes count together."""

    def waiting(self, name: str, process: str, count: int) -> int:
        """So many of the app's long polls wait in this process; how many do in all others. Raises StoreUnavailable."""


class Places:
    """The long polls of all apps. Safe to share between threads, and to inherit through a fork while unused."""

    def __init__(self, elsewhere: Elsewhere | None, pause: float | None = SHARE_SECONDS) -> None:
        """Shared every `pause` seconds while something changes; None: when `share` is called."""
        self._shared = elsewhere
        self._pause = None if elsewhere is None else pause
        self._lock = threading.Lock()
        self._own: Counter[str] = Counter()
        self._elsewhere: dict[str, int] = {}  # for names that wait here
        self._changed: set[str] = set()
        self._news = threading.Event()
        self._process: str | None = None  # once it has told something
        self._sharer: threading.Thread | None = None
        self._away = False

    def take(self, name: str, most: int | None) -> bool:
        """Whether one more of the app may wait, where so many may; if so, `give` is to follow."""
        with self._lock:
            if most is not None and self._own[name] + self._elsewhere.get(name, 0) >= most:
                return False
            self._own[name] += 1
            if self._shared is None:
                return True
            self._changed.add(name)
            if self._pause is not None and self._sharer is None:
                self._sharer = threading.Thread(target=self._keep_sharing, args=[self._pause], daemon=True)
                self._sharer.start()
        self._news.set()
        return True

    def give(self, name: str) -> None:
        """One of the app waits no longer."""
        with self._lock:
            self._own[name] -= 1
            if self._shared is None:
                self._own += Counter()  # without what is 0
                return
            self._changed.add(name)
        self._news.set()

    def share(self, *, all: bool = False) -> None:
        """Tell how many wait here, of those names for which that has changed, and learn how many do elsewhere; where that cannot be,
        this process goes on with its own."""
        assert self._shared is not None, "there is somewhere to count together"
        self._process = self._process or secrets.token_hex(8)
        with self._lock:
            names, self._changed = self._changed | (set(self._own) if all else set()), set()
        for name in names:
            count = self._own[name]
            try:
                others = self._shared.waiting(name, self._process, count)
            except StoreUnavailable as fault:  # all are told again later
                if not self._away:
                    _log.error("limits_unshared", reason=str(fault))
                self._away = True
                self._elsewhere.clear()
                return
            self._away = False
            with self._lock:
                self._elsewhere[name] = others
                if not count and not self._own[name]:
                    del self._own[name], self._elsewhere[name]

    def _keep_sharing(self, pause: float) -> None:
        renewed = time.monotonic()
        while True:
            self._news.wait(RENEW_SECONDS if self._own else None)
            self._news.clear()
            now = time.monotonic()
            if renew := now - renewed >= RENEW_SECONDS:
                renewed = now
            self.share(all=renew)
            time.sleep(pause)

"""Callers who wait for a game's next version: long polls.

They wait outside of the app, and hold no thread and nothing of the store: one listener a process is told which games have
changed. Whoever waited for one of these is asked again, as if the call came now; of equal calls only one (`service.http.fan_out`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.http.bodies import ON_READ
from service.http.fan_out import Alike, Answer, Call, Environ
from service.process import metrics, native
from service.stores.contract import GameStore

WAITS = "cardref.waits"  # in the environ of a call that may wait: how
NOTE = "cardref.note"  # … that has waited: by what its answer is counted and logged
_MAY = "cardref.may-wait"  # … that may wait, and has not waited for as long as it asked for
_WHERE = "/events"  # where paths end that have news to wait for

AT_ONCE = 32  # calls that are asked for news: where thousands come, the others do not stand behind them all
_EQUAL = (
    "REQUEST_METHOD",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_AUTHORIZATION",
)  # calls that agree in these are answered alike
_asking = threading.Semaphore(AT_ONCE)

App = Callable[..., Iterable[bytes]]


class Watch:
    """A game that is waited for, until it changes. `after`: the lowest of the versions that those who wait have seen."""

    __slots__ = ("_alike", "_lock", "after", "callers", "changed")

    def __init__(self, after: int) -> None:
        self.after = after
        self.callers = 0
        self.changed = False
        self._alike: dict[tuple[Any, ...], Alike] = {}
        self._lock = threading.Lock()

    def join(self, call: Call, ask: Callable[[Environ], tuple[Answer, bool]]) -> Alike:
        """Let the call wait with those that are equal; where the game has changed already, it need not."""
        key = tuple(call.environ.get(name) for name in _EQUAL)
        with self._lock:
            if self.changed:
                late = Alike(ask)
                late.done.set()
                return late
            if (alike := self._alike.get(key)) is None:
                alike = self._alike[key] = Alike(ask)
            alike.add(call)
        return alike

    def change(self) -> None:
        """Tell all who wait."""
        with self._lock:
            self.changed = True
        for alike in self._alike.values():
            alike.begin()


@dataclass(slots=True)
class Wait:
    """A call that found no news, and may wait for some."""

    watch: Watch
    seconds: float
    leave: Callable[[], None]  # to be called once


class Waiters:
    """Those who wait in this process, `limit` of them at the most."""

    def __init__(self, store: GameStore, limit: int) -> None:
        self._store = store
        self._limit = limit
        self._count = 0
        self._watches: dict[str, Watch] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._listens: int | None = None  # the process that does

    def enter(self, id: str, after: int) -> Watch | None:
        """A place to wait for a version later than `after`, to be taken before the log is read; None if all are taken."""
        with self._lock:
            if self._closed or self._count >= self._limit:
                return None
            self._count += 1
            watch = self._watches.setdefault(id, Watch(after))
            watch.after = min(watch.after, after)
            watch.callers += 1
            if self._listens != os.getpid():
                self._listens = os.getpid()
                threading.Thread(target=self._store.listen, args=(self.watched, self.tell), daemon=True).start()
        return watch

    def leave(self, id: str, watch: Watch) -> None:
        """Give the place back."""
        with self._lock:
            self._count -= 1
            watch.callers -= 1
            if not watch.callers and self._watches.get(id) is watch:
                del self._watches[id]

    def watched(self) -> Mapping[str, int]:
        """The games that are waited for, and the version that each has at least."""
        with self._lock:
            return {id: watch.after for id, watch in self._watches.items()}

    def tell(self, news: Mapping[str, int] | None) -> None:
        """These games have these versions now; None: any game may have changed."""
        with self._lock:
            if news is None:
                found, self._watches = list(self._watches.values()), {}
            else:
                late = [id for id, version in news.items() if id in self._watches and version > self._watches[id].after]
                found = [self._watches.pop(id) for id in late]
        for watch in found:
            watch.change()

    def close(self) -> None:
        """Let all who wait be answered; nobody waits any more."""
        self._closed = True
        self.tell(None)


def answered(app: App, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """What the app answers; for a caller who waits, once there is news or its time is over."""
    if not environ["QUERY_STRING"] or not environ["PATH_INFO"].endswith(_WHERE):
        return app(environ, start_response)
    if (on_read := environ.pop(ON_READ, None)) is not None:
        on_read()  # now: where many ask for news the app's turn comes late, and the server would take the caller for a slow one
    environ[_MAY] = True
    until: float | None = None
    status, headers, body = _ask(app, environ)
    counted = [header for header in headers if header[0].startswith("RateLimit")] if WAITS in environ else []
    while (wait := environ.pop(WAITS, None)) is not None:
        until = until or time.monotonic() + wait.seconds
        status, headers, body = "", [], []  # not to be kept meanwhile
        call = Call(environ, counted)
        alike = wait.watch.join(call, partial(_ask_for_all, app))
        try:
            with metrics.waiting():
                changed = alike.done.wait(until - time.monotonic())
        finally:
            alike.remove(call)
            wait.leave()
        if call.told:
            return _Noted([], partial(environ[NOTE], int(call.told[:3])))
        if not changed:
            del environ[_MAY]
        status, headers, body = _ask(app, environ)
    start_response(status, headers + counted)
    note = environ.get(NOTE)
    return body if note is None else _Noted(body, partial(note, int(status[:3])))


class _Noted(list[bytes]):
    """A body, counted and logged once it has been sent: those who wait for the same go first."""

    def __init__(self, body: list[bytes], note: Callable[[], None]) -> None:
        super().__init__(body)
        self._note = note

    def close(self) -> None:
        """Called by the server."""
        self._note()


def _ask_for_all(app: App, environ: Environ) -> tuple[Answer, bool]:
    """What one of several equal calls is answered, and whether the others are to be. Only successes are alike for all."""
    answer = _ask(app, environ)
    if (wait := environ.pop(WAITS, None)) is not None:  # no news for them: each waits again by itself
        wait.leave()
        return answer, False
    return answer, answer[0].startswith("200")


def _ask(app: App, environ: Environ) -> Answer:
    with _asking:
        return native.aside(_asked, app, environ)


def _asked(app: App, environ: Environ) -> Answer:
    told: list[Any] = []
    body = app(environ, lambda status, headers, _=None: told.extend((status, headers)))
    try:
        return told[0], told[1], list(body)
    finally:
        if (close := getattr(body, "close", None)) is not None:
            close()


def may_wait(environ: Environ) -> bool:
    """Whether a call may wait: not if it has waited for as long as it asked for, nor where nobody would wait with it."""
    return _MAY in environ

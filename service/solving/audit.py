"""A share of the solver's answers, proved again by CP-SAT in the background, so that a fault of the fast way shows.

One thread in each worker, started when the first answer is to be proved again, which is after gunicorn has forked. It is in
nobody's way: it is handed what fits into a short queue, the rest is dropped and counted; it takes at most a part `BUSY` of
one core; and it is a daemon that is told when the process ends. In service the thread is a greenlet, which hands each proof
to a thread of the system (`service.process.native`). That is not given a lower priority by the system: it would keep the
interpreter's lock while it is set aside, and all others would wait for it.
"""

from __future__ import annotations

import atexit
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Full, Queue
from typing import Any

import structlog

from engine.errors import Undecided
from engine.options import rules_hash
from service.process import metrics, native
from service.solving.solver import Check, Facts

BUSY = 0.05
ROOM = 64  # answers that wait
_END_SECONDS = 2.0  # for a proof that has been begun; most take milliseconds
_log = structlog.get_logger()


class Audit:
    """Proves a share of answers again. `draw` decides which: a number from 0 to 1, those below the share."""

    def __init__(self, share: float, *, draw: Callable[[], float] = random.random, busy: float = BUSY) -> None:
        self._share, self._draw, self._rest = share, draw, 1 / busy - 1
        self._checks: Queue[Check | None] = Queue(ROOM)
        self._ending = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def wants(self) -> bool:
        """Whether the next answer is one of the share."""
        return self._draw() < self._share

    def add(self, check: Check) -> None:
        """Prove an answer again, later; where as many wait as may, it is dropped."""
        try:
            self._checks.put_nowait(check)
        except Full:
            metrics.count_audit("dropped")
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
                self._thread.start()
                atexit.register(self.end)

    def wait(self) -> None:
        """Until all that was added has been proved, or not."""
        self._checks.join()

    def end(self) -> None:
        """Begin no other proof, and give the one that has been begun a moment: a thread must not be within OR-Tools while
        the interpreter is taken down."""
        self._ending.set()
        with suppress(Full):  # then it is not waiting for one
            self._checks.put_nowait(None)
        if self._thread is not None:
            self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while not self._ending.is_set():
            check = self._checks.get()
            started = time.perf_counter()
            if check is not None:
                metrics.count_audit(_result(check))
            self._checks.task_done()
            self._ending.wait((time.perf_counter() - started) * self._rest)


def _result(check: Check) -> str:
    try:
        found = native.call(check.prove)
    except Undecided:
        return "undecided"
    except Exception as fault:  # noqa: BLE001  # whatever it is, nobody else would hear of it
        _tell(check, error=type(fault).__qualname__)  # not its text, which may quote a hand
        return "disagreed"
    if found == check.said:
        return "agreed"
    _tell(check, proved=_told(found))
    return "disagreed"


def _tell(check: Check, **more: Any) -> None:
    _log.error(
        "audit_disagreed",
        request_id=check.request_id,
        question=check.question,
        rules_hash=rules_hash(check.rules),
        said=_told(check.said),
        **more,
    )


def _told(facts: Facts) -> dict[str, Any]:
    """Facts for the log, which never holds a card: of several cards, how many."""
    return {name: len(value) if isinstance(value, frozenset) else value for name, value in facts.items()}

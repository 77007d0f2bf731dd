"""Many hands at once, on every core.

The solver's reduction is Python and holds the interpreter's lock, so threads do not help: long lists are solved in
processes of their own, started when they are first needed and kept. They are started by a fork server, because a process
that already runs threads cannot fork safely, and they end when the process that asked ends, however it does.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from multiprocessing.connection import wait
from typing import Any, TypeVar

import structlog

from engine.cards import Card
from service.problems import Refusal

_LEAST = 20  # hands a process is handed at once: some milliseconds of work
_WORTH_IT = 60  # shorter lists are done before they are handed over
_log = structlog.get_logger()

R = TypeVar("R")
Hand = tuple[Card, ...]
Solve = Callable[..., list[R]]  # of hands, and of what else they are solved by


class Solvers:
    """Solves lists of hands in up to so many processes; with one, in the caller's own. Safe to share between threads.

    Who asks for a long list waits for it, for a minute if the hands are hard and the cores busy. Only so many at a time
    (`places`) may, so that threads are left for calls that take milliseconds.
    """

    def __init__(self, processes: int, places: int) -> None:
        self._processes = processes
        self._places = threading.BoundedSemaphore(places)
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def each(self, solve: Solve[R], hands: Sequence[Hand], *how: Any) -> list[R]:
        """What `solve`, a function of a module, makes of the hands, in order. Raises the refusal ``rate_limited`` for a long
        list where as many as may are being solved."""
        if len(hands) < _WORTH_IT:
            return solve(hands, *how)
        if not self._places.acquire(blocking=False):
            raise Refusal("rate_limited", "As many long batches as may are being solved.")
        try:
            return self._in_parts(solve, hands, *how)
        finally:
            self._places.release()

    def _in_parts(self, solve: Solve[R], hands: Sequence[Hand], *how: Any) -> list[R]:
        if self._processes > 1:
            pool = self._started()
            try:
                parts = [pool.submit(solve, part, *how) for part in _parts(hands, self._processes)]
                return list(chain.from_iterable(part.result() for part in parts))
            except BrokenProcessPool:  # one was killed: the next list gets new ones, this one is solved here
                _log.error("solvers_broken")
                self._drop(pool)
        return solve(hands, *how)

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(["service.use_cases.rummy"])
                self._pool = ProcessPoolExecutor(self._processes, context, initializer=_settle)
            return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


def _parts(hands: Sequence[Hand], processes: int) -> Iterator[Sequence[Hand]]:
    """The hands in parts that get smaller, so that few are handed over and all processes end together (guided
    self-scheduling; Polychronopoulos and Kuck 1987)."""
    rest = hands
    while rest:
        size = max(_LEAST, len(rest) // (2 * processes + 1))
        yield rest[:size]
        rest = rest[size:]


def _settle() -> None:
    """In a new process: leave Ctrl-C to the one that asks, and end with it even if it is killed."""
    gc.collect()
    gc.freeze()  # as in `service.server`: what is loaded once need not be searched for garbage again
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)

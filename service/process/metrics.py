"""Metrics for Prometheus. With several workers the files under ``PROMETHEUS_MULTIPROC_DIR`` add them up (`service.__main__` sets it).

Counting is the least of what a call does: where the files fail, the call is answered all the same, and the log says once
in each process that counts are lost.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache, partial

import structlog
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

_requests = Counter("cardref_requests", "Requests answered.", ["operation", "status"])
_seconds = Histogram(
    "cardref_request_seconds", "Time from the first byte parsed to the answer.", ["operation"], buckets=_BUCKETS
)
_moves = Counter(
    "cardref_moves", "Moves, rounds and timeouts asked of hosted games, by what came of them.", ["game", "outcome"]
)
_store_errors = Counter("cardref_store_errors", "Calls that the store of games could not serve.", ["code"])
_limited = Counter("cardref_limited", "Calls that a limit of their app refused or cut short.", ["limit", "app"])
_waiters = Gauge("cardref_waiters", "Callers that wait for a game's next version.", multiprocess_mode="livesum")
_audits = Counter("cardref_audits", "Answers of the solver that were proved again, by what came of it.", ["result"])
_notices = Gauge(
    "cardref_store_notices",
    "1 for what the store of games was last found to be.",
    ["code"],
    multiprocess_mode="livemostrecent",
)
_ALL = (_requests, _seconds, _moves, _store_errors, _limited, _waiters, _notices, _audits)

# What prometheus_client lets through where a file is gone, full or not ours (OSError), cut short (ValueError), or could
# not be opened again, so that it goes on with one that is closed (TypeError, None being no map of a file).
_FAULTS = (OSError, ValueError, TypeError)
_log = structlog.get_logger()
_told = threading.Event()
_noted: set[str] = set()
_noting = threading.Lock()


class Unreadable(Exception):
    """The counts cannot be read."""


def count_request(operation: str, status: int, seconds: float) -> None:
    """A request was answered."""
    _keep(lambda: _requests_of(operation, status).inc())
    _keep(lambda: _seconds_of(operation).observe(seconds))


def count_move(game: str, outcome: str) -> None:
    """A move, a round or a timeout was asked for."""
    _keep(lambda: _moves.labels(game, outcome).inc())


def count_store_error(code: str) -> None:
    """The store could not serve a call."""
    _keep(lambda: _store_errors.labels(code).inc())


def count_audit(result: str) -> None:
    """An answer of the solver was proved again, or was to be."""
    _keep(lambda: _audits.labels(result).inc())


def note_store(codes: Collection[str]) -> None:
    """What the store was found to be; whatever it was found to be before and is not any more counts as 0."""
    with _noting:
        _noted.update(codes)
        for code in _noted:
            _keep(partial(_notices.labels(code).set, int(code in codes)))


def count_limited(limit: str, app: str) -> None:
    """A limit of the app was reached. The names of apps are few: each has a key."""
    _keep(lambda: _limited.labels(limit, app).inc())


@contextmanager
def waiting() -> Iterator[None]:
    """Around a caller that waits."""
    _keep(_waiters.inc)
    try:
        yield
    finally:
        _keep(_waiters.dec)


def exposition() -> tuple[bytes, str]:
    """All metrics as text, and its content type. Raises `Unreadable`."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        for metric in _ALL:
            registry.register(metric)
        return generate_latest(registry), CONTENT_TYPE_LATEST
    try:
        multiprocess.MultiProcessCollector(registry)
        return generate_latest(registry), CONTENT_TYPE_LATEST
    except _FAULTS as fault:
        raise Unreadable(str(fault)) from fault


# Looking up a metric by its labels takes longer than counting.
_requests_of = cache(_requests.labels)
_seconds_of = cache(_seconds.labels)


def _keep(write: Callable[[], None]) -> None:
    try:
        write()
    except _FAULTS as fault:
        if not _told.is_set():
            _told.set()
            _log.error("counts_lost", reason=str(fault))

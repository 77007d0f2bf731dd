"""Metrics for Prometheus. With several workers the files under ``PROMETHEUS_MULTIPROC_DIR`` add them up (`service.__main__` sets it)."""

from __future__ import annotations

import os

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

requests = Counter("cardref_requests", "Requests answered.", ["operation", "status"])
seconds = Histogram(
    "cardref_request_seconds", "Time from the first byte parsed to the answer.", ["operation"], buckets=_BUCKETS
)
moves = Counter(
    "cardref_moves", "Moves, rounds and timeouts asked of hosted games, by what came of them.", ["game", "outcome"]
)
store_errors = Counter("cardref_store_errors", "Calls that the store of games could not serve.", ["code"])
waiters = Gauge("cardref_waiters", "Callers that wait for a game's next version.", multiprocess_mode="livesum")
_ALL = (requests, seconds, moves, store_errors, waiters)


def exposition() -> tuple[bytes, str]:
    """All metrics as text, and its content type."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library has no types here
    else:
        for metric in _ALL:
            registry.register(metric)
    return generate_latest(registry), CONTENT_TYPE_LATEST

"""Metrics for Prometheus. With several workers the files under ``PROMETHEUS_MULTIPROC_DIR`` add them up (`service.__main__` sets it)."""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess

_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

requests = Counter("cardref_requests", "Requests answered.", ["operation", "status"])
seconds = Histogram(
    "cardref_request_seconds", "Time from the first byte parsed to the answer.", ["operation"], buckets=_BUCKETS
)


def exposition() -> tuple[bytes, str]:
    """All metrics as text, and its content type."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library has no types here
    else:
        for metric in (requests, seconds):
            registry.register(metric)
    return generate_latest(registry), CONTENT_TYPE_LATEST

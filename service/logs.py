"""One JSON line a request or fault; never hands, seeds or tokens."""

from __future__ import annotations

import sys

import structlog


def configure() -> None:
    """Write events to standard error, as JSON with a time stamp."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )

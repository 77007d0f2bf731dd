"""One JSON line a request or fault; never hands, seeds or tokens."""

from __future__ import annotations

import sys
from typing import TextIO, cast

import structlog


class _StandardError:
    """Standard error as it is when a line is written: whoever puts another in its place may have closed the one before."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure() -> None:
    """Write events to standard error, as JSON with a time stamp."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )

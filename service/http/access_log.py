"""What is kept of a call that has been answered: a count, and a line in the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import structlog
from flask import Request, g

from service.process import metrics

_log = structlog.get_logger()


def noter(call: Request, started: float, *, log: bool) -> Callable[[int], None]:
    """What is to be called with the status once the call is answered, which may be long after Flask is done with it."""
    name, method, request_id, whose = call.endpoint or "none", call.method, g.request_id, _whose(call)

    def note(status: int) -> None:
        spent = time.perf_counter() - started
        metrics.count_request(name, status, spent)
        if log:
            _log.info(
                "request",
                operation=name,
                method=method,
                status=status,
                milliseconds=round(spent * 1000, 2),
                request_id=request_id,
                **whose,
            )

    return note


def _whose(call: Request) -> Mapping[str, str]:
    """For the log: who was let in (an app's name, ``s0``, ``spectator``), and to which game."""
    caller = getattr(g.get("caller"), "name", "")
    game = (call.view_args or {}).get("id", "")
    return {name: value for name, value in (("caller", caller), ("game", game)) if value}

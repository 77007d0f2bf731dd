"""Which requests are being read, and since when: what the worker must know to cut off those that stand still."""

from __future__ import annotations

import time
from threading import Lock, get_ident
from typing import Any

_lock = Lock()
_begun: dict[int, tuple[float, Any]] = {}  # by thread: when the first byte was waited for, and on which connection


def begin(connection: Any) -> None:
    """This thread begins to read a request."""
    with _lock:
        _begun[get_ident()] = time.monotonic(), connection


def end() -> None:
    """This thread has read its request, or given it up."""
    with _lock:
        _begun.pop(get_ident(), None)


def take_late(seconds: float) -> list[Any]:
    """The connections on which a request has been read for longer than so many seconds, each once."""
    since = time.monotonic() - seconds
    with _lock:
        late = {thread: connection for thread, (begun, connection) in _begun.items() if begun < since}
        for thread in late:
            del _begun[thread]
    return list(late.values())

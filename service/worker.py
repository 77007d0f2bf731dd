"""The worker process: gunicorn's threaded one, made quicker for busy callers and not to be held up by silent ones."""

from __future__ import annotations

import select
import socket
import time
from contextlib import suppress
from threading import Semaphore
from typing import Any

from gunicorn.workers.gthread import _DEFER, ThreadWorker  # type: ignore[import-untyped]  # it has no types of its own

STAY_MILLISECONDS = 3
READ_SECONDS = 10


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads that serve one request after the other.

    Where a connection is kept open, gunicorn hands it back to the main thread, which waits for the next request and wakes
    a thread for it. A caller that is busy sends the next one at once: half of the threads stay with their caller for a
    moment, which saves waking two threads on, mostly, another core.

    gunicorn waits five seconds for the first byte of a connection and without end for the rest of a request, so that a few
    silent callers hold all threads. Here the main thread waits for the first byte; and nothing more is read from a
    connection whose request is not answered in `READ_SECONDS`: what is not there by then counts as cut off. A call that
    only takes long is answered all the same, and its connection closed.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._places = Semaphore(self.cfg.threads // 2)
        self._since: dict[Any, float] = {}  # when each request that is not answered yet began to be read

    def handle(self, conn: Any) -> Any:
        """Serve a request, and those that follow at once; what gunicorn is to do with the connection then."""
        if not conn.initialized and not conn.wait_for_data(STAY_MILLISECONDS / 1000):
            return _DEFER
        then = self._serve(conn)
        while then is True and self.alive and self._follows(conn):
            then = self._serve(conn)
        return then

    def murder_pending(self) -> None:
        """Called by the main thread each time it wakes, at least once a second."""
        super().murder_pending()
        late = time.monotonic() - READ_SECONDS
        for conn, since in list(self._since.items()):
            if since < late and self._since.pop(conn, None) is not None:
                with suppress(OSError):  # it is closed already
                    conn.sock.shutdown(socket.SHUT_RD)

    def _serve(self, conn: Any) -> Any:
        self._since[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            self._since.pop(conn, None)

    def _follows(self, conn: Any) -> bool:
        """Whether the next request comes while the thread stays. It does not if others wait for a thread."""
        if not self.tpool._work_queue.empty() or not self._places.acquire(blocking=False):
            return False
        try:
            waiting = select.poll()
            waiting.register(conn.sock, select.POLLIN)
            return bool(waiting.poll(STAY_MILLISECONDS))
        finally:
            self._places.release()

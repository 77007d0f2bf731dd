"""The worker process: gunicorn's threaded one, made quicker for busy callers, not to be held up by silent ones, and answering
what is no HTTP as everything else is answered."""

from __future__ import annotations

import os
import select
import socket
import time
from contextlib import suppress
from threading import Semaphore
from typing import Any

from flask import g
from gunicorn import util  # type: ignore[import-untyped]  # it has no types of its own, here and below
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    ExpectationFailed,
    InvalidHTTPVersion,
    InvalidRequestLine,
    InvalidRequestMethod,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.workers.gthread import _DEFER, ThreadWorker  # type: ignore[import-untyped]

from service import errors, metrics

STAY_MILLISECONDS = 3
READ_SECONDS = 10

_OURS = (InvalidResponseHeader, InvalidResponseHeaderName)
_MALFORMED = {
    LimitRequestLine: "the address is too long",
    LimitRequestHeaders: "there are too many headers, or one is too long",
    ExpectationFailed: "Expect can only be 100-continue",
    UnsupportedTransferCoding: "Transfer-Encoding can only be chunked",
    (
        InvalidRequestLine,
        InvalidRequestMethod,
        InvalidHTTPVersion,
    ): "the first line is no request in HTTP/1.0 or HTTP/1.1",
}
_OTHERWISE = "a header or a chunk is malformed"


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

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Refuse what cannot be read as HTTP; gunicorn would in HTML, and write the caller's bytes into the log."""
        if not isinstance(exc, ParseException) or isinstance(exc, _OURS):
            super().handle_error(req, client, addr, exc)
            return
        with self.wsgi.app_context():
            g.request_id = os.urandom(16).hex()
            detail = next((said for kind, said in _MALFORMED.items() if isinstance(exc, kind)), _OTHERWISE)
            refusal = errors.answer(errors.problem("bad_request", detail), {"X-Request-Id": g.request_id})
        metrics.count_request("none", refusal.status_code, 0.0)
        refusal.headers["Connection"] = "close"
        head = "".join(f"{name}: {value}\r\n" for name, value in refusal.headers)
        with suppress(OSError):  # the caller has gone
            util.write_nonblock(client, f"HTTP/1.1 {refusal.status}\r\n{head}\r\n".encode() + refusal.get_data())

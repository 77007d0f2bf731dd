"""The worker process: gunicorn's threaded one, made quicker for busy callers, not to be held up by silent ones, and answering
what is no HTTP as everything else is answered."""

from __future__ import annotations

import errno
import select
import selectors
import socket
import struct
import time
from collections import deque
from contextlib import suppress
from threading import Semaphore
from typing import Any

from gunicorn import util
from gunicorn.workers.gthread import _DEFER, ThreadWorker

from service import protocol, reading

STAY_MILLISECONDS = 3
SLOW_SECONDS = 10
TAKE_SECONDS = 5  # in which not a byte of an answer is taken
LEAVE_SECONDS = 2.0


class Worker(ThreadWorker):
    """Threads that serve one request after the other.

    Where a connection is kept open, gunicorn hands it back to the main thread, which waits for the next request and wakes
    a thread for it. A caller that is busy sends the next one at once: half of the threads stay with their caller for a
    moment, which saves waking two threads on, mostly, another core.

    No caller shall hold a thread, or the main thread, by being slow. gunicorn waits five seconds for the first byte of a
    connection, without end for the rest of a request and for its answer to be taken, and up to two in the main thread for
    the caller to close. Here the main thread waits for the first byte, and for the close while it does other things; a
    request that is not read within `SLOW_SECONDS` counts as cut off, and one of whose answer nothing is taken is given up.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._places = Semaphore(self.cfg.threads // 2)
        # Connections answered for the last time, and until when their close is waited for.
        self._leaving: deque[tuple[float, Any]] = deque()

    def handle(self, conn: Any) -> Any:
        """Serve a request, and those that follow at once; what gunicorn is to do with the connection then."""
        if not conn.initialized:
            if not conn.wait_for_data(STAY_MILLISECONDS / 1000):
                return _DEFER
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", TAKE_SECONDS, 0))
        then = self._serve(conn)
        while then is True and self.alive and self._follows(conn):
            then = self._serve(conn)
        return then

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request; a caller that does not take its answer has gone."""
        try:
            return super().handle_request(req, conn)
        except BlockingIOError:
            raise ConnectionResetError(errno.ECONNRESET, "the answer is not taken") from None

    def finish_request(self, conn: Any, fs: Any) -> None:
        """In the main thread: what becomes of a connection that a thread is done with."""
        if fs.cancelled() or fs.exception() or not fs.result():
            self._let_go(conn)
            return
        super().finish_request(conn, fs)
        if fs.result() is _DEFER and conn.timeout:  # not if the worker is about to end
            conn.timeout = time.monotonic() + SLOW_SECONDS

    def murder_pending(self) -> None:
        """Called by the main thread each time it wakes, at least once a second."""
        super().murder_pending()
        for conn in reading.take_late(SLOW_SECONDS):
            with suppress(OSError):  # it is closed already
                conn.sock.shutdown(socket.SHUT_RD)
        full = self.nr_conns >= self.worker_connections  # newcomers before those who are done
        while self._leaving and (self._leaving[0][0] < time.monotonic() or full):
            self._close(self._leaving.popleft()[1])

    def _serve(self, conn: Any) -> Any:
        reading.begin(conn)
        try:
            return super().handle(conn)
        finally:
            reading.end()

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

    def _let_go(self, conn: Any) -> None:
        """Say that nothing more comes, and close once the caller has, or later (RFC 9112 section 9.6): closed at once, with
        something unread, the connection would be reset and the answer lost."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, selectors.EVENT_READ, self._drop_what_comes)
        except (OSError, ValueError):  # the caller was first
            self._close(conn.sock)
            return
        self._leaving.append((time.monotonic() + LEAVE_SECONDS, conn.sock))

    def _drop_what_comes(self, sock: Any) -> None:
        try:
            if sock.recv(65536):
                return
        except BlockingIOError:
            return
        except OSError:  # reset, or silent for too long
            pass
        self._close(sock)

    def _close(self, sock: Any) -> None:
        if sock.fileno() < 0:
            return  # closed already, with its caller
        with suppress(KeyError, ValueError):  # it may not have come so far
            self.poller.unregister(sock)
        sock.close()
        self.nr_conns -= 1

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Refuse what cannot be read as HTTP."""
        answer = protocol.answer(self.wsgi, exc)
        if answer is None:
            super().handle_error(req, client, addr, exc)
            return
        with suppress(OSError):  # the caller has gone
            util.write_nonblock(client, answer)

"""The worker process: gunicorn's on gevent, made fair, not to be held up by anyone, and answering what is no HTTP as everything
else is answered."""

from __future__ import annotations

import socket
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import gevent
from gevent.event import Event
from gevent.pool import Pool
from gevent.server import StreamServer
from gunicorn.http import get_parser, wsgi
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.workers.ggevent import GeventWorker

from service.http import protocol
from service.http.bodies import ON_READ
from service.http.fan_out import LINE
from service.server.line import ServerLine

SLOW_SECONDS = 10
TAKE_SECONDS = 5  # in which not a piece of an answer is taken
LEAVE_SECONDS = 2.0
HALF_SECONDS = 2.0  # for the rest of a request that has begun when the worker ends
PIECE = 65536  # bytes
_ROOM = 16  # connections: with fewer places left, who lingers has to go


class Worker(GeventWorker):
    """A greenlet for each connection: whoever waits, for a caller, the store or news of a game, holds nothing but memory.

    Between two requests of one connection the others get their turn: else a caller who always has the next one ready would
    be served alone. A request that is not read within `SLOW_SECONDS` counts as cut off, and a caller who does not take the
    next `PIECE` of its answer within `TAKE_SECONDS` is given up.
    """

    # What is done when the worker begins to end, and when nobody may wait any longer; set by `service.server.master`.
    on_drain: Callable[[], None]
    on_last: Callable[[], None]
    drain_seconds: Callable[[], float]
    ends_all: Callable[[], bool]  # whether all workers end, and with them the sockets they listen on

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._told = Event()
        self._connections = Pool(self.worker_connections)
        self._idle: set[Any] = set()  # sockets on which a request is waited for
        self._reading: set[Any] = set()  # sockets of which part of a request has been read
        self._leaving: dict[Any, None] = {}  # sockets whose close is waited for, the oldest first

    # Connections ---------------------------------------------------------------------------------------------------

    def handle(self, name: Any, client: Any, addr: Any) -> None:
        """Serve a connection to its end."""
        self._make_room()
        try:
            if self._serve(name, client, addr):
                self._let_go(client)
        except OSError:  # the caller has gone, or takes nothing
            pass
        except Exception as fault:  # noqa: BLE001  # a bug: the log learns where, never with what values
            self.log.error("worker: %s in %s", type(fault).__qualname__, traceback.extract_tb(fault.__traceback__)[-1])

    def _serve(self, name: Any, client: Any, addr: Any) -> bool:
        """Serve its requests; whether there is a caller to take leave of."""
        parser = get_parser(self.cfg, client, addr)
        patience: float = SLOW_SECONDS
        while True:
            if not parser.unreader.buf.tell():
                first = self._first_bytes(client, patience)
                if not first:
                    return False
                parser.unreader.unread(first)
            cut = gevent.get_hub().loop.timer(SLOW_SECONDS)
            cut.start(_end_reading, client)
            self._reading.add(client)
            try:
                if not self._answer(next(parser), name, client, addr, partial(self._is_read, client, cut)):
                    return True
            except (StopIteration, NoMoreData):
                return True
            except ParseException as wrong:
                if (refusal := protocol.answer(self.wsgi, wrong)) is None:
                    raise
                _send(client, refusal)
                return True
            finally:
                cut.close()
                self._reading.discard(client)
            if not parser.finish_body(deadline=time.monotonic() + SLOW_SECONDS):
                return True
            patience = self.cfg.keepalive

    def _is_read(self, client: Any, cut: Any) -> None:
        cut.stop()
        self._reading.discard(client)

    def _first_bytes(self, client: Any, patience: float) -> bytes:
        client.settimeout(patience)
        self._idle.add(client)
        try:
            data: bytes = client.recv(8192)
        except TimeoutError:
            return b""
        finally:
            self._idle.discard(client)
            client.settimeout(None)
        return data

    def _answer(self, req: Any, name: Any, client: Any, addr: Any, on_read: Callable[[], None]) -> bool:
        """Answer a request; whether another may follow."""
        resp, environ = wsgi.create(req, client, addr, name, self.cfg)
        environ["wsgi.multithread"] = True
        environ[ON_READ] = on_read
        environ[LINE] = line = ServerLine(resp, client, self)
        body = self.wsgi(environ, resp.start_response)
        try:
            on_read()
            if not line.written:
                line.answer(body)
            _send(client, line.rest)
            gevent.sleep(0)
        finally:
            if hasattr(body, "close"):
                body.close()
        return not line.closes

    def _let_go(self, client: Any) -> None:
        """Say that nothing more comes, and close once the caller has, or later (RFC 9112 section 9.6): closed at once, with
        something unread, the connection would be reset and the answer lost."""
        client.shutdown(socket.SHUT_WR)
        self._leaving[client] = None
        try:
            gevent.with_timeout(LEAVE_SECONDS, _drop_what_comes, client, timeout_value=None)
        finally:
            self._leaving.pop(client, None)

    def _make_room(self) -> None:
        """Where places are short, newcomers go before those who linger."""
        if self._leaving and self._connections.free_count() < _ROOM:
            oldest = next(iter(self._leaving))
            del self._leaving[oldest]
            _end_reading(oldest)

    # The process ---------------------------------------------------------------------------------------------------

    def handle_exit(self, sig: int, frame: Any) -> None:
        """SIGTERM."""
        super().handle_exit(sig, frame)
        self._told.set()

    def run(self) -> None:
        """Serve until told to end."""
        servers = []
        for listener in self.sockets:
            listener.setblocking(True)
            handle = partial(self.handle, listener.getsockname())
            server = StreamServer(listener, handle=handle, spawn=self._connections)
            server.max_accept = 1  # each: the other workers shall have their share
            server.start()
            servers.append(server)
        while self.alive:
            self.notify()
            self._told.wait(1.0)
        self._end(servers)

    def _end(self, servers: list[Any]) -> None:
        """Serve on for a while, and say to all that it is not for long; then finish what was begun."""
        self.on_drain()
        closing, seconds = self.ends_all(), self.drain_seconds()
        if not closing:  # the sockets stay open in the workers that come after this one
            for server in servers:
                server.close()
        self._stay(seconds, lambda: not closing and not len(self._connections))
        if closing:
            for server in servers:
                _accept_the_last(server)
                server.close()
        self.on_last()
        for client in list(self._idle):
            _end_reading(client)
        self._stay(HALF_SECONDS, lambda: not len(self._connections))
        for client in list(self._reading):
            _end_reading(client)
        self._stay(self.cfg.graceful_timeout - seconds - HALF_SECONDS, lambda: not len(self._connections))

    def _stay(self, seconds: float, done: Callable[[], bool]) -> None:
        until = time.monotonic() + seconds
        while not done() and time.monotonic() < until:
            self.notify()
            self._connections.join(min(0.1, max(0.0, until - time.monotonic())))


def _drop_what_comes(client: Any) -> None:
    while client.recv(PIECE):
        pass


def _end_reading(client: Any) -> None:
    """Let whoever reads find the end after what has come; gevent's own `shutdown` would raise there instead."""
    with suppress(OSError):  # it is closed already
        client._sock.shutdown(socket.SHUT_RD)


def _send(client: Any, data: bytes | bytearray) -> None:
    """Send an answer. Raises TimeoutError where its caller does not take it, and OSError where it has gone."""
    client.settimeout(TAKE_SECONDS)
    for at in range(0, len(data), PIECE):
        client.sendall(data[at : at + PIECE])
    client.settimeout(None)


def _accept_the_last(server: Any) -> None:
    """Take the callers who are in line: closed with the socket, they would be reset."""
    server.stop_accepting()
    while (taken := server.do_read()) is not None:
        server.do_handle(*taken)

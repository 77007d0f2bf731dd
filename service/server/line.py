"""From an answer to the bytes on its caller's connection: gunicorn writes them, and what is written is sent at one stroke."""

from __future__ import annotations

import socket
from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import Any

from gunicorn.http import wsgi

from service.http.fan_out import Headers


class ServerLine:
    """What is between a request and its caller's socket (`service.http.fan_out.Line`)."""

    __slots__ = ("_client", "_resp", "_worker", "closes", "rest", "written")

    def __init__(self, resp: Any, client: Any, worker: Any) -> None:
        self._resp = resp
        self._client = client
        self._worker = worker
        self.closes = False  # whether nothing can follow the answer
        self.written = False
        self.rest: bytes | bytearray = b""  # what is still to be sent, once it is written

    def answer(self, body: Iterable[bytes]) -> None:
        """Write what the app answers, after it has said how that begins."""
        self.rest = _written(self._resp, body, closing=not self._worker.alive)
        self.closes = self._resp.should_close()
        self.written = True

    def form(self) -> Hashable:
        """By these, answers with the same status, headers and body differ."""
        req = self._resp.req
        self.closes = req.should_close() or not self._worker.alive
        return req.version, req.method, self.closes

    def write(self, status: str, headers: Headers, body: Iterable[bytes]) -> bytes:
        """The answer as `answer` would write it."""
        resp = wsgi.Response(self._resp.req, None, self._resp.cfg)
        resp.start_response(status, headers)
        return bytes(_written(resp, body, closing=self.closes))

    def send(self, data: bytes) -> None:
        """Send what fits; where the caller has gone, whoever sends the rest will find that out."""
        sent = 0
        with suppress(OSError):
            sent = self._client._sock.send(data, socket.MSG_DONTWAIT)
        self.rest = data[sent:]
        self.written = True


def _written(resp: Any, body: Iterable[bytes], *, closing: bool) -> bytearray:
    resp.sock = whole = _Gathered()
    if closing:
        resp.force_close()
    for data in body:
        resp.write(data)
    resp.close()
    return whole.data


class _Gathered:
    """Takes the place of a socket: gunicorn would send the head of an answer, and then its body."""

    def __init__(self) -> None:
        self.data = bytearray()

    def sendall(self, data: bytes) -> None:
        self.data += data

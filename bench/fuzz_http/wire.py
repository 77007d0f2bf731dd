"""Calls as bytes on a connection to a running service, whole and spoilt."""

from __future__ import annotations

import random
import re
import socket
import time
from contextlib import suppress

from bench.fuzz_http.calls import Answer, Call
from bench.fuzz_http.values import written

PATIENCE = 30.0  # seconds; more than the service takes to give up a caller who stands still
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


def encoded(call: Call) -> bytes:
    """The call as an HTTP/1.1 request."""
    body = written(call.body)
    headers = list(call.headers)
    if not any(name.lower() == "host" for name, _ in headers):
        headers.append(("Host", "127.0.0.1"))
    if body or call.method == "POST":
        headers.append(("Content-Length", str(len(body))))
    lines = [f"{call.method} {call.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body


def spoilt(request: bytes, rng: random.Random) -> bytes:
    """A request that is no longer one, or another one than it says."""
    head, _, body = request.partition(b"\r\n\r\n")
    at = rng.randrange(len(head) + 1)
    line, _, rest = head.partition(b"\r\n")
    longer = _LENGTH.sub(b"Content-Length: %d" % (len(body) + 100), head)
    shorter = _LENGTH.sub(b"Content-Length: %d" % (len(body) // 2), head)
    chunked = _LENGTH.sub(b"Transfer-Encoding: chunked", head)
    heads = (
        head[:at] + bytes([rng.randrange(256)]) + head[at + 1 :],
        head[:at] + rng.choice((b"\r", b"\n", b"\x00", b" ", b":", b"\r\n\r\n", b"\xff")) + head[at:],
        line.rpartition(b" ")[0] + rng.choice((b"", b" HTTP/1.0", b" HTTP/0.9", b" HTTP/2.0", b" HTTP/1.2", b" http/1.1", b" HTTP/1.1 x")) + b"\r\n" + rest,
        rng.choice((b"\r\n", b"\x16\x03\x01", b"PRI * HTTP/2.0\r\n\r\n", b" ")) + head,
        head + b"\r\n" + rng.choice((b"no colon", b": nothing", b"A B: c", b"A\x00: b", b" folded", b"X: " + b"y" * 9000, b"Content-Length: 5", b"Content-Length: -1",
                                     b"Content-Length: x", b"Transfer-Encoding: gzip", b"Transfer-Encoding: chunked", b"Host: other", b"Connection: upgrade", b"Upgrade: h2c")),
        head + b"".join(b"\r\nX-%d: y" % number for number in range(200)),
        longer, shorter, chunked, head,
    )  # fmt: skip
    sent = rng.choice(heads)
    if sent is chunked:
        chunks = (
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body),
            b"zz\r\n" + body,
            b"ffffffffff\r\n" + body,
            b"%x\r\n%s" % (len(body) + 9, body),
            b"0\r\n\r\n",
            b"",
        )
        body = rng.choice(chunks)
    request = sent + b"\r\n\r\n" + body
    return request[: rng.randrange(len(request) + 1)] if sent is head else request


class Line:
    """A connection that is opened again whenever it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def send(self, call: Call) -> Answer:
        """The answer to a call, and the time it took by the clock. A connection that is closed without one is a fault."""
        for fresh in (self._socket is None, True):  # one that stood open may have been closed by now
            request, started = encoded(call), time.perf_counter()
            try:
                answer = self._exchange(request, call.method == "HEAD")
            except OSError as fault:
                self.close()
                if fresh:
                    return Answer(0, {}, b"", fault=f"no answer: {fault}")
                continue
            if answer is not None:
                return Answer(answer.status, answer.headers, answer.body, time.perf_counter() - started)
            self.close()
            if fresh:
                break
        return Answer(0, {}, b"", fault="no answer: the connection was closed")

    def send_spoilt(self, request: bytes) -> Answer | None:
        """The first answer to bytes after which nothing more comes, if there is one."""
        self.close()
        with suppress(ConnectionError):  # the service need not hear to the end what it cannot read
            self._open().sendall(request)
            self._open().shutdown(socket.SHUT_WR)
        try:
            started = time.perf_counter()
            answer = self._read(request.startswith(b"HEAD "))
            return (
                None
                if answer is None
                else Answer(answer.status, answer.headers, answer.body, time.perf_counter() - started)
            )
        except TimeoutError:
            return Answer(0, {}, b"", fault=f"neither answered nor closed in {PATIENCE:.0f} s")
        except ConnectionError:
            return None
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _open(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def _exchange(self, request: bytes, is_head: bool) -> Answer | None:
        self._open().sendall(request)
        return self._read(is_head)

    def _read(self, is_head: bool) -> Answer | None:
        line = self._open()
        received = b""
        while True:
            head, found, body = received.partition(b"\r\n\r\n")
            if found and head[9:10] == b"1":  # 100 Continue
                received = body
                continue
            if found:
                break
            if not (more := line.recv(262_144)):
                return None
            received += more
        first, *lines = head.decode("latin1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = 0 if is_head or first[9:12] in ("204", "304") else int(headers.get("content-length", 0))
        while len(body) < length:
            if not (more := line.recv(262_144)):
                raise ConnectionError("the answer ends before its end")
            body += more
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(int(first[9:12]), headers, body)

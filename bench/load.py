"""A closed-loop load generator for one server on loopback: so many connections, each sending its next request as soon as
the last one is answered. One thread and raw sockets, so that the client costs little beside the server it measures."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import quantiles

Player = Generator[bytes, tuple[int, bytes], None]  # yields a request, is sent (status, body) of its answer


@dataclass(frozen=True, slots=True)
class Load:
    """What a run measured: answers a second, latency in milliseconds, and how many answers there were of each status."""

    rate: float
    p50: float
    p99: float
    statuses: dict[int, int]


def request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    """The bytes of one HTTP/1.1 request on a connection that stays open."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class _Connection:
    """One connection and the player behind it."""

    def __init__(self, port: int, player: Player) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.player = player
        self.received = b""
        self.sent_at = 0.0

    def send(self, data: bytes) -> None:
        self.sent_at = time.perf_counter()
        self.socket.sendall(data)

    def answer(self) -> tuple[int, bytes] | None:
        """The answer, once it is there whole."""
        data = self.socket.recv(262_144)
        if not data:
            raise ConnectionError("the server closed the connection")
        self.received += data
        head, found, rest = self.received.partition(b"\r\n\r\n")
        if not found:
            return None
        start = head.lower().index(b"content-length:") + 15
        length = int(head[start:].split(b"\r\n", 1)[0])
        if len(rest) < length:
            return None
        self.received = rest[length:]
        return int(head[9:12]), rest[:length]


def run(port: int, player: Callable[[int], Player], connections: int, seconds: float, warm_up: float = 0.5) -> Load:
    """Drive the server for so many seconds after a warm-up, or until all players have ended; `player(n)` is the n-th
    connection's. Raises StatisticsError for less than two answers, ConnectionError where the server hangs up."""
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for number in range(connections):
            connection = _Connection(port, player(number))
            stack.enter_context(connection.socket)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.send(next(connection.player))
        latencies, statuses = _answers(selector, time.perf_counter() + warm_up, seconds)
    cuts = quantiles(latencies, n=100)
    return Load(len(latencies) / seconds, cuts[49] * 1000, cuts[98] * 1000, statuses)


def _answers(selector: selectors.BaseSelector, begin: float, seconds: float) -> tuple[list[float], dict[int, int]]:
    end = begin + seconds
    latencies: list[float] = []
    statuses: dict[int, int] = {}
    while (now := time.perf_counter()) < end and selector.get_map():
        for key, _ in selector.select(timeout=end - now):
            connection = key.data
            if (answer := connection.answer()) is None:
                continue
            if connection.sent_at >= begin:
                latencies.append(time.perf_counter() - connection.sent_at)
                statuses[answer[0]] = statuses.get(answer[0], 0) + 1
            try:
                connection.send(connection.player.send(answer))
            except StopIteration:
                selector.unregister(connection.socket)
    return latencies, statuses

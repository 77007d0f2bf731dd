"""What callers cost who wait or are slow, and what they cost the others: ``python -m bench.waiting [SQLite | Redis]``.

Two workers, each store or the one that is named. Sockets and nothing else on this side, so that thousands of callers fit into one process.
"""

from __future__ import annotations

import contextlib
import json
import resource
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any

from bench.figures import Figure, setting, table
from bench.http import rummy_player
from bench.load import Player, request, run
from bench.torture.service import Service
from tests.servers import find_server, running

WORKERS = 2
WAITERS, LISTENERS, POLLERS, DRIPPERS = 5_000, 1_000, 500, 500
MOVES = 12  # each heard by all who listen
SECONDS = 4.0
FILES = 20_000


def figures(only: str | None = None) -> Iterator[Figure]:
    """Each row, with its bound; for one store, where it is named."""
    _raise_limit_of_files()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        program = find_server()
        stores = {"SQLite": ""}
        if program is not None:
            stores["Redis"] = stack.enter_context(running(program, folder / "redis")).url
        for store, url in stores.items():
            if only not in (None, store):
                continue
            service = Service(
                folder / store,
                WORKERS,
                CARDREF_STORE=url,
                CARDREF_DRAIN_SECONDS="0",
                CARDREF_LIMITS="requests=none,waiters=none",
            )
            service.data.parent.mkdir()
            service.start()
            try:
                yield from _of(service, store)
            finally:
                service.stop()


def _of(service: Service, store: str) -> Iterator[Figure]:
    port = service.port
    alone = run(port, rummy_player, 1, SECONDS)
    yield Figure(f"{store}: moves alone, p99", alone.p99, "ms")
    with _dripping(port, DRIPPERS):
        slow = run(port, _healthy, 1, SECONDS)
    yield Figure(f"{store}: {DRIPPERS} dripping connections: /healthz p99", slow.p99, "ms", 50)
    yield Figure(f"{store}: {LISTENERS} wait for one game: a move reaches all, p99", _fan_out(port), "ms", 50)
    for wait, bound in ((1, 100), (0, None)):
        with _polling(port, POLLERS, wait):
            beside = run(port, rummy_player, 1, SECONDS)
        yield Figure(f"{store}: {POLLERS} ask again at once, wait={wait}: moves p99", beside.p99, "ms", bound)
    games = [_game(port) for _ in range(100)]
    before = _memory(service)
    with contextlib.closing(Crowd(port, WAITERS, lambda number: _long_poll(games[number % len(games)], 1))) as crowd:
        crowd.ask()
        _until_all_wait(port, WAITERS)
        each = (_memory(service) - before) / WAITERS
        beside = run(port, rummy_player, 1, SECONDS)
        waited = WAITERS - crowd.answered()
    yield Figure(f"{store}: {WAITERS} long polls: that wait", waited, "", WAITERS, at_least=True)
    yield Figure(f"{store}: {WAITERS} long polls: memory of each", each / 1024, "KB", 20)
    yield Figure(f"{store}: {WAITERS} long polls: moves beside them p99", beside.p99, "ms", 25)


class Crowd:
    """So many connections, each with one request of its own."""

    def __init__(self, port: int, size: int, asked: Callable[[int], bytes]) -> None:
        self.sockets = []
        self._asked = [asked(number) for number in range(size)]
        for _ in range(size):
            self.sockets.append(socket.create_connection(("127.0.0.1", port), timeout=30))

    def ask(self) -> None:
        for each, asked in zip(self.sockets, self._asked, strict=True):
            each.sendall(asked)

    def answered(self) -> int:
        """How many have been answered, or cut off."""
        with selectors.DefaultSelector() as selector:
            for each in self.sockets:
                selector.register(each, selectors.EVENT_READ)
            return len(selector.select(0))

    def close(self) -> None:
        for each in self.sockets:
            each.close()


def _fan_out(port: int) -> float:
    """The 99th percentile of the milliseconds from a move's being sent until one who waits has the news."""
    players = rummy_player(0)
    created = _call(port, next(players))
    game = json.loads(created[1])["id"]
    send, version = created, 1
    waits = []
    crowd = Crowd(port, LISTENERS, lambda _: b"")
    with selectors.DefaultSelector() as selector, contextlib.closing(crowd):
        for each in crowd.sockets:
            selector.register(each, selectors.EVENT_READ, each)
        for _ in range(MOVES):
            poll = _long_poll(game, version)
            for each in crowd.sockets:
                each.sendall(poll)
            _until_all_wait(port, LISTENERS)
            move = players.send(send)
            started = time.perf_counter()
            moved: list[Any] = []
            mover = threading.Thread(target=_call_into, args=(moved, port, move))
            mover.start()
            missing = LISTENERS
            while missing:
                for key, _ in selector.select(10):
                    if b'"version"' in key.data.recv(65536):
                        waits.append((time.perf_counter() - started) * 1000)
                        missing -= 1
            mover.join()
            send, version = moved[0], version + 1
    return quantiles(waits, n=100)[98]


@contextlib.contextmanager
def _polling(port: int, pollers: int, wait: int) -> Iterator[None]:
    """Callers who ask for news of games where there are none, and again as soon as they are answered."""
    games = [_game(port) for _ in range(pollers // 10)]

    def player(number: int) -> Player:
        while True:
            yield _long_poll(games[number % len(games)], 1, wait)

    thread = threading.Thread(target=run, args=(port, player, pollers, SECONDS + 2))
    thread.start()
    time.sleep(1)
    yield
    thread.join()


@contextlib.contextmanager
def _dripping(port: int, connections: int) -> Iterator[None]:
    """Connections that send a header or a body a byte at a time, and are made anew when they are cut off."""
    ended = threading.Event()
    head = b"POST /v1/rummy/groupings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    starts = (head + b"X-Slow: ", head + b"Content-Length: 60000\r\n\r\n")

    def drip() -> None:
        crowd: list[socket.socket] = []
        while not ended.wait(0.2):
            while len(crowd) < connections:
                crowd.append(socket.create_connection(("127.0.0.1", port)))
                crowd[-1].sendall(starts[len(crowd) % 2])
            kept = []
            for each in crowd:
                try:
                    each.sendall(b"a")
                    kept.append(each)
                except OSError:
                    each.close()
            crowd = kept
        for each in crowd:
            each.close()

    thread = threading.Thread(target=drip)
    thread.start()
    time.sleep(1)
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _healthy(number: int) -> Player:
    del number
    while True:
        yield request("GET", "/healthz")


def _long_poll(game: str, after: int, wait: int = 20) -> bytes:
    return request("GET", f"/v1/games/{game}/events?after={after}&wait={wait}")


def _game(port: int) -> str:
    body = json.dumps({"game": "rummy", "seats": ["a", "b"]}).encode()
    return str(json.loads(_call(port, request("POST", "/v1/games", body))[1])["id"])


def _call(port: int, asked: bytes) -> tuple[int, bytes]:
    """One call on a connection of its own."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
        answer = b""
        while more := connection.recv(65536):
            answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head[9:12]), body


def _until_all_wait(port: int, callers: int) -> None:
    asked = request("GET", "/metrics")
    while f"\ncardref_waiters {callers}.0" not in _call(port, asked)[1].decode():
        time.sleep(0.1)


def _call_into(found: list[Any], port: int, asked: bytes) -> None:
    found.append(_call(port, asked))


def _memory(service: Service) -> int:
    """Bytes that the workers hold, those that they share counted once."""
    found = 0
    for pid in service.workers():
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                found += int(line.split()[1]) * 1024
    return found


def _raise_limit_of_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (FILES if hard == resource.RLIM_INFINITY else min(FILES, hard), hard)
        )


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures(*sys.argv[1:2]))}")

"""Two instances behind nginx, restarted in turn under load: no caller notices."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.hands import hands
from bench.torture.nginx import HOW_TO_INSTALL, find_nginx, proxied
from bench.torture.report import Finding, Tick
from bench.torture.service import Service
from tests.servers import find_server, running

STORES = ("redis",)
LONG, SHORT = 20, 3
CALLERS = 8
DRAIN_SECONDS, IDLE_MS = 2, 1000  # nginx closes what it does not use before an instance does


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """Restart one of them `times` times."""
    nginx, redis = find_nginx(), find_server()
    if nginx is None or redis is None:
        raise SystemExit(f"restarts need nginx and a Redis: {HOW_TO_INSTALL} redis-server")
    with ExitStack() as stack:
        url = stack.enter_context(running(redis, folder / "redis")).url
        instances = []
        for number in range(2):
            home = folder / str(number)
            home.mkdir()
            instance = Service(home, 2, CARDREF_STORE=url, CARDREF_DRAIN_SECONDS=str(DRAIN_SECONDS))
            stack.callback(instance.kill)
            instance.start()
            instances.append(instance)
        port = stack.enter_context(proxied(nginx, folder / "nginx", [each.port for each in instances], IDLE_MS))
        load = Callers(port)
        with load:
            for number in range(times):
                time.sleep(1)
                instances[number % 2].stop()
                instances[number % 2].start()
                tick()
            time.sleep(1)
        for each in instances:
            each.stop()
    figure = f"{times} restarts, {load.answered:,} calls, {len(load.wrong)} failed"
    yield Finding("rolling restarts behind nginx", store, figure, "none fails", tuple(load.wrong))


class Callers:
    """Who calls through the proxy, one call after the other, without trying any again: groupings, and games with moves."""

    def __init__(self, port: int) -> None:
        self.answered = 0
        self.wrong: list[str] = []
        self._port = port
        self._ended = threading.Event()
        self._pool = ThreadPoolExecutor(CALLERS)
        self._calls: list[Future[None]] = []

    def __enter__(self) -> Callers:
        self._calls = [self._pool.submit(self._call, number) for number in range(CALLERS)]
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for call in self._calls:
            call.result()
        self._pool.shutdown()

    def _call(self, number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        for step, dealt in enumerate(itertools.cycle(hands("random", 100, seed=number))):
            self._one(connection, "/v1/rummy/groupings", {"hand": dealt.hand, "wild_rank": dealt.wild_rank}, 200)
            if step % 5 == 0:
                game = self._one(connection, "/v1/games", {"game": "rummy", "seats": ["a", "b"]}, 201)
                if game is not None:
                    abort = {"seat": None, "move": {"type": "abort"}}
                    self._one(connection, f"/v1/games/{game['id']}/moves", abort, 201, **{"If-Match": '"v1"'})
            if self._ended.is_set():
                break
        connection.close()

    def _one(
        self, connection: http.client.HTTPConnection, path: str, body: Any, status: int, **headers: str
    ) -> Any | None:
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.wrong.append(f"{path}: {fault!r}")
            connection.close()
            return None
        self.answered += 1
        if answer.status != status:
            self.wrong.append(f"{path}: {answer.status} {said[:200]!r}")
            return None
        return json.loads(said)

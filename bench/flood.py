"""How long other calls take while the solver is flooded: ``python -m bench.flood``.

One worker and a SQLite store. The flood: batches of slow hands from sixteen connections (most are 429: only so much is solved
at once), and such hands one by one from four. Beside it one connection asks for /healthz, and one plays rummy. At the end the
service is told to stop in the middle of it.
"""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.figures import Figure, setting, table
from bench.http import rummy_player, serving
from bench.load import Load, Player, request, run
from tests.servers import free_port

SECONDS = 6.0
BATCHES, SINGLE, SIZE = 16, 4, 59  # connections of the flood, and hands in a batch
ROWS = json.loads((Path(__file__).parent.parent / "tests/cases/slow-hands.json").read_text(encoding="utf-8"))


def flooding_player(number: int) -> Player:
    """One slow hand again and again in batches from the first connections, one by one from the others."""
    for row in itertools.cycle([row for row in ROWS if row["id"].startswith("slow-any")]):
        asked = {"wild_rank": row["wild_rank"], "rules": row["rules"]}
        path = "/v1/rummy/groupings"
        if number < BATCHES:
            path, asked["hands"] = f"{path}/batch", [row["hand"]] * SIZE
        else:
            asked["hand"] = row["hand"]
        yield request("POST", path, json.dumps(asked).encode())


def health_player(number: int) -> Player:
    """The cheapest call."""
    del number
    while True:
        yield request("GET", "/healthz")


def stopping_seconds(port: int, process: subprocess.Popen[bytes]) -> float:
    """How long the service takes to end once it is told to, while it is flooded."""
    players = [flooding_player(number) for number in range(BATCHES + SINGLE)]
    with ExitStack() as stack:
        for player in players:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(next(player))
        time.sleep(0.5)
        started = time.perf_counter()
        process.terminate()
        process.wait(timeout=60)
        return time.perf_counter() - started


def figures() -> Iterator[Figure]:
    """Both calls alone, and in the flood."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"CARDREF_PORT": str(port), "CARDREF_WORKERS": "1", "CARDREF_DATA": folder, "CARDREF_LOG": "errors"}
        with serving(["-m", "service"], port, **settings) as process:
            for name, player, bound in (
                ("GET /healthz", health_player, 250.0),
                ("POST moves (SQLite)", rummy_player, 500.0),
            ):
                alone, (beside, flood) = run(port, player, 1, SECONDS), _in_the_flood(port, player)
                yield Figure(f"{name}: p50 alone", alone.p50, "ms")
                yield Figure(f"{name}: p50 while the solver is flooded", beside.p50, "ms")
                yield Figure(f"{name}: p99 while the solver is flooded", beside.p99, "ms", bound)
                yield Figure(f"{name}: calls of the flood solved a second", flood.statuses.get(200, 0) / SECONDS, "/s")
            yield Figure("stop while the solver is flooded", stopping_seconds(port, process), "s", 10.0)


def _in_the_flood(port: int, player: Callable[[int], Player]) -> tuple[Load, Load]:
    floods: list[Load] = []
    thread = threading.Thread(target=lambda: floods.append(run(port, flooding_player, BATCHES + SINGLE, SECONDS + 1)))
    thread.start()
    beside = run(port, player, 1, SECONDS, warm_up=1.0)
    thread.join()
    return beside, floods[0]


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")

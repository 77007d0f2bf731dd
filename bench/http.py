"""Requests per second of one worker beside the floor of the same stack: ``python -m bench.http``.

Service and floor run at the same time on loopback and are driven in turn, in short slices, so that what else the machine
does falls on both alike; a ratio is the median over the slices. Everything is started and stopped here. `groupings` solves
random hands; `moves` plays rummy (draw from the stock, discard what was drawn) on games of its own over Redis with an
append-only file synced every second.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tqdm import tqdm

from bench.figures import Figure, setting, table
from bench.hands import hands
from bench.load import Load, Player, request, run
from tests.servers import find_server, free_port, running

ROOT = Path(__file__).parent.parent
CONNECTIONS = 4
SLICES, SECONDS = 8, 1.5
THREADS = "8"
_FLOOR = [
    "-m",
    "gunicorn",
    "bench.floor_app:create_app()",
    "-k",
    "gthread",
    "-w",
    "1",
    "--threads",
    THREADS,
    "--preload",
]
_QUIET = ["--no-control-socket", "--keep-alive", "75", "--log-level", "warning", "--worker-tmp-dir", "/dev/shm"]


@contextmanager
def serving(command: list[str], port: int, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server process on a port, ended at the end."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env={**os.environ, **environment}, stdout=log, stderr=log
        )
        try:
            until = time.monotonic() + 30
            while not _taken(port):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise RuntimeError(f"{command} did not start:\n{log.read().decode()}")
                time.sleep(0.05)
            yield process
        finally:
            process.terminate()
            process.wait(timeout=30)


def _taken(port: int) -> bool:
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))


@contextmanager
def both(store: str, data: str) -> Iterator[tuple[int, int]]:
    """The ports of a service and a floor with one worker each."""
    mine, floor = free_port(), free_port()
    with ExitStack() as stack:
        stack.enter_context(
            serving(
                ["-m", "service"], mine, CARDREF_PORT=str(mine), CARDREF_WORKERS="1", CARDREF_THREADS=THREADS,
                CARDREF_STORE=store, CARDREF_DATA=data, CARDREF_LOG="errors",
            )
        )  # fmt: skip
        stack.enter_context(serving([*_FLOOR, *_QUIET, "-b", f"127.0.0.1:{floor}"], floor, CARDREF_STORE=store))
        yield mine, floor


def grouping_player(number: int) -> Player:
    """Random hands, the same ones again and again."""
    asked = [
        request("POST", "/v1/rummy/groupings", json.dumps({"hand": dealt.hand, "wild_rank": dealt.wild_rank}).encode())
        for dealt in hands("random", 1000, seed=number)
    ]
    for each in itertools.cycle(asked):  # noqa: UP028  # the answers are sent in here, and an iterator takes none
        yield each


def rummy_player(number: int) -> Player:
    """Games of two seats in which everyone draws from the stock and discards the card drawn; two turns short of the end of
    what a game may last, another one is made."""
    del number
    while True:
        body = json.dumps({"game": "rummy", "seats": ["a", "b"], "rules": {"max_turns": 10_000}}).encode()
        status, answer = yield request("POST", "/v1/games", body)
        assert status == 201, answer
        created = json.loads(answer)
        path, version = f"/v1/games/{created['id']}/moves", created["version"]
        seat = created["view"]["turn"]
        for _ in range(100):
            move: dict[str, str] = {"type": "draw", "from": "stock"}
            for step in range(2):
                sent = json.dumps({"seat": seat, "move": move}).encode()
                status, answer = yield request("POST", path, sent, {"If-Match": f'"v{version}"'})
                assert status == 201, answer
                done = json.loads(answer)
                version = done["version"]
                if step == 0:
                    move = {"type": "discard", "card": done["events"][-1]["card"]}
            seat = 1 - seat


def floor_move_player(number: int) -> Player:
    """The same bodies, to the floor."""
    body = json.dumps({"seat": 0, "move": {"type": "draw", "from": "stock"}}).encode()
    for game in itertools.count():
        for _ in range(200):
            yield request("POST", f"/v1/games/{number}-{game}/moves", body, {"If-Match": '"v17"'})


def compare(
    mine: int, floor: int, player: Callable[[int], Player], floor_player: Callable[[int], Player], what: str
) -> tuple[float, list[Load], list[Load]]:
    """The median ratio of service to floor over slices in turn, and the slices."""
    ours, theirs = [], []
    for _ in tqdm(range(SLICES), desc=what, disable=not sys.stderr.isatty()):
        ours.append(run(mine, player, CONNECTIONS, SECONDS))
        theirs.append(run(floor, floor_player, CONNECTIONS, SECONDS))
    return median(a.rate / b.rate for a, b in zip(ours, theirs, strict=True)), ours, theirs


def figures() -> Iterator[Figure]:
    """What is measured, with its bounds."""
    program = find_server()
    if program is None:
        raise SystemExit("bench.http needs a redis-server")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        kept = ("appendonly yes", "appendfsync everysec")
        redis = stack.enter_context(running(program, Path(folder) / "redis", *kept))
        mine, floor = stack.enter_context(both(redis.url, folder))
        for what, player, floor_player, bound in (
            ("POST groupings", grouping_player, grouping_player, 0.55),
            ("POST moves (Redis)", rummy_player, floor_move_player, 0.65),
        ):
            ratio, ours, theirs = compare(mine, floor, player, floor_player, what)
            yield Figure(f"{what}: share of the floor", ratio, "", bound, at_least=True)
            yield Figure(f"{what}: a second, one worker", median(load.rate for load in ours), "/s")
            yield Figure(f"{what}: the floor, a second", median(load.rate for load in theirs), "/s")
            yield Figure(f"{what}: p99", median(load.p99 for load in ours), "ms")


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")

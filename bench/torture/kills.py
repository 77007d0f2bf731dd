"""Workers killed under load, and now and then the whole service."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bench.torture.client import Account, Client
from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import Service, ground

STORES = ("sqlite", "redis")
LONG, SHORT = 200, 8
WORKERS, PLAYERS = 4, 8
WHOLE = 40  # after so many kills of a worker, everything is killed and started again


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """SIGKILL `times` workers."""
    rng = random.Random(store)
    with ground(store, folder, WORKERS) as here:
        with Load(here.port, PLAYERS) as load:
            for number in range(1, times + 1):
                load.progress(rng.randrange(1, 30))
                _kill_one(here.service, rng)
                if number % WHOLE == 0:
                    load.progress(rng.randrange(1, 30))
                    here.service.kill()
                    here.service.start()
                tick()
            load.progress(PLAYERS)
        wrong = [*load.account.faults, *audit(here.port, load.tables)]
        with closing(Client(here.port, Account())) as client:
            metrics = client.call("GET", "/metrics")
        if metrics is None or metrics.status != 200:
            wrong.append("/metrics does not answer any more")
        if store == "sqlite":
            wrong += integrity(here.service.data / "games.sqlite3")
    figure = f"{times} kills, {load.moves:,} moves acknowledged, {load.account.seen['no answer']} requests cut off"
    yield Finding("workers killed", store, figure, "none lost, none made twice, every log replays", tuple(wrong))


def _kill_one(service: Service, rng: random.Random) -> None:
    workers = service.workers()
    while not workers:
        workers = service.workers()
    try:
        os.kill(rng.choice(workers), signal.SIGKILL)
    except ProcessLookupError:  # it has just ended, and been replaced
        _kill_one(service, rng)


def integrity(file: Path) -> list[str]:
    """What SQLite finds wrong with its file."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        found += connection.execute("PRAGMA foreign_key_check").fetchall()
    return [] if found == [("ok",)] else [f"integrity_check: {found}"]

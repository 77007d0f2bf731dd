"""A store that is full, and one that hangs."""

from __future__ import annotations

import fcntl
import os
import resource
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.torture.kills import integrity
from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import Ground, ground

STORES = ("sqlite", "redis")
LONG, SHORT = 5, 1
PLAYERS = 8  # fewer than the service has threads: who waits for a thread waits longer
SECONDS = 2.0  # how long an outage lasts, where it is not said
ANSWERED, RECOVERED = 3.0, 5.0  # seconds

Outage = Callable[[Ground], AbstractContextManager[object]]


@dataclass
class Measured:
    """What callers saw of all outages of one kind."""

    refused: int = 0
    slowest: float = 0.0
    recovery: float = 0.0
    wrong: list[str] = field(default_factory=list)


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """Each kind of outage `times` times under load."""
    with small_disk(folder / "data") as is_small, ground(store, folder) as here:
        kinds: dict[str, dict[str, Outage]] = {
            "sqlite": {"disk full": full_disk if is_small else file_limit, "file held for 3 s": held_file},
            "redis": {
                "memory full": full_memory,
                "hanging for 2 s": lambda here: stopped(here, 2.0),
                "hanging for 4 s": lambda here: stopped(here, 4.0),
            },
        }
        found = {name: Measured() for name in kinds[store]}
        for _ in range(times):
            for name, outage in kinds[store].items():
                _measure(here, outage, found[name])
            tick()
        damage = integrity(here.service.data / "games.sqlite3") if store == "sqlite" else []
    for name, each in found.items():
        figure = (
            f"{times} times, {each.refused} × 503, slowest answer {each.slowest:.2f} s, back in {each.recovery:.2f} s"
        )
        required = f"answers in {ANSWERED:.0f} s, back in {RECOVERED:.0f} s"
        yield Finding(f"store: {name}", store, figure, required, (*each.wrong, *damage))


def _measure(here: Ground, outage: Outage, found: Measured) -> None:
    with Load(here.port, PLAYERS) as load:
        load.progress(3 * PLAYERS)
        with outage(here):
            pass
        recovery = load.progress(2 * PLAYERS)
    refused, slowest = load.account.seen["503"], load.account.slowest
    found.refused += refused
    found.slowest = max(found.slowest, slowest)
    found.recovery = max(found.recovery, recovery)
    found.wrong += [*load.account.faults, *audit(here.port, load.tables)]
    found.wrong += [f"an answer took {slowest:.1f} s"] if slowest > ANSWERED else []
    found.wrong += [f"recovered after {recovery:.1f} s"] if recovery > RECOVERED else []
    found.wrong += [] if refused else ["nobody was told 503"]


@contextmanager
def full_memory(here: Ground) -> Iterator[None]:
    """`maxmemory` reached, under the policy `noeviction`."""
    assert here.redis is not None
    here.redis.ask("CONFIG", "SET", "maxmemory", "1mb")
    time.sleep(SECONDS)
    yield
    here.redis.ask("CONFIG", "SET", "maxmemory", "0")


@contextmanager
def stopped(here: Ground, seconds: float) -> Iterator[None]:
    """The server neither answers nor closes its connections."""
    assert here.redis is not None
    here.redis.pause(seconds)
    time.sleep(seconds)
    yield


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A disk of a few megabytes at `folder`, where we may mount one; says whether there is."""
    folder.mkdir(parents=True, exist_ok=True)
    mounting = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mounting, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def full_disk(here: Ground) -> Iterator[None]:
    """Something else has filled the disk."""
    filler = here.service.data / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass
    time.sleep(SECONDS)
    yield
    filler.unlink()


@contextmanager
def file_limit(here: Ground) -> Iterator[None]:
    """Where no disk can be mounted: the workers may write no larger files than there are."""
    largest = max(file.stat().st_size for file in here.service.data.iterdir())
    limits = {worker: resource.prlimit(worker, resource.RLIMIT_FSIZE) for worker in here.service.workers()}
    for worker, (_, hard) in limits.items():
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (largest, hard))
    time.sleep(SECONDS)
    yield
    for worker, limit in limits.items():
        resource.prlimit(worker, resource.RLIMIT_FSIZE, limit)


@contextmanager
def held_file(here: Ground) -> Iterator[None]:
    """Another process keeps the right to write for itself."""
    file = here.service.data / "games.sqlite3"
    with open(f"{file}.lock", "ab") as lock, closing(sqlite3.connect(file, isolation_level=None)) as connection:
        fcntl.flock(lock, fcntl.LOCK_EX)
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(3.0)  # longer than a writer waits
    yield

"""A process that plays games as fast as it can, for tests that kill it or its store.

`python -m tests.service.stores.writer URL-OR-FOLDER PREFIX REPLICAS ACKS GAME…`: appends a line to the file ACKS for
every move that the store has acknowledged. What it writes with a version is the same text thrice: as the state, as the
events and as the answer. It ends with an error if the store raises anything that its contract does not allow.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from service.stores.contract import Change, Done, GameStore, Request
from service.stores.errors import NotDurable, Stale, StoreUnavailable
from service.stores.lifetimes import Lifetimes
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore


def open_store(place: str, prefix: str, replicas: int) -> GameStore:
    """The store that writers and their tests share."""
    if place.startswith("redis"):
        return RedisStore(place, lifetimes=Lifetimes(), replicas=replicas, prefix=prefix)
    return SqliteStore(Path(place) / "games.sqlite3", lifetimes=Lifetimes())


def move(store: GameStore, id: str, version: int, key: str) -> int | None:
    """One move, sent again with the same key until the store says what became of it: its version, None if too late."""
    text = f"{version + 1} {key}".encode()
    request = Request.keyed(key, (), b"")
    while True:
        try:
            result = store.commit(id, version, Change(text, text, "live"), request, text)
            return result.version if isinstance(result, Done) else result.answer.version
        except Stale:
            return None
        except (StoreUnavailable, NotDurable):
            time.sleep(0.05)


def play(store: GameStore, ids: list[str], acks: int) -> None:
    """Move on random games for ever."""
    versions = dict.fromkeys(ids, 0)
    while True:
        id = random.choice(ids)
        key = f"{os.getpid()}-{time.monotonic_ns()}"
        version = move(store, id, versions[id], key)
        if version is None:
            try:
                versions[id] = store.load(id).version
            except (StoreUnavailable, NotDurable):
                time.sleep(0.05)
        else:
            versions[id] = version
            os.write(acks, f"{id} {version} {key}\n".encode())


if __name__ == "__main__":
    place, prefix, replicas, acks, *ids = sys.argv[1:]
    play(open_store(place, prefix, int(replicas)), ids, os.open(acks, os.O_WRONLY | os.O_APPEND | os.O_CREAT))

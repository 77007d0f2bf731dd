"""Where hosted games are kept: the contract, and its two implementations."""

from __future__ import annotations

from pathlib import Path

from service.stores.contract import GameStore, Lifetimes
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore

_FILE = "games.sqlite3"


def open_store(url: str | None, data: Path, *, lifetimes: Lifetimes, waiters: int, replicas: int = 0) -> GameStore:
    """The store at `url`; without one, a SQLite file in the folder `data`. Nothing is connected to before it is used.

    `waiters`: how many long polls may wait at the same time in this process. `replicas`: how many replicas must have a
    change before it is acknowledged. Raises ValueError for an address that says nothing we know, or for replicas of a
    file.
    """
    if url:
        return RedisStore(url, lifetimes=lifetimes, waiters=waiters, replicas=replicas)
    if replicas:
        raise ValueError("an embedded store has no replicas to wait for")
    return SqliteStore(data / _FILE, lifetimes=lifetimes, waiters=waiters)

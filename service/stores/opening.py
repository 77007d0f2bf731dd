"""The store that the settings name."""

from __future__ import annotations

from pathlib import Path

from service.stores.contract import GameStore
from service.stores.lifetimes import Lifetimes
from service.stores.notices import Note
from service.stores.redis_health import Health
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore

FILE = "games.sqlite3"


def open_store(
    url: str | None,
    data: Path,
    *,
    lifetimes: Lifetimes,
    replicas: int = 0,
    accept_loss: bool = False,
    note: Note = lambda codes: None,
) -> GameStore:
    """The store at `url`; without one, a SQLite file in the folder `data`. Nothing is connected to before it is used.

    `replicas`: how many replicas must have a
    change before it is acknowledged. `accept_loss`: take changes though Redis may throw games away. `note`: is told what the store is found to be. Raises ValueError for an address that says nothing we know, or for replicas of a
    file.
    """
    if url:
        return RedisStore(
            url,
            lifetimes=lifetimes,
            replicas=replicas,
            health=Health(accept_loss=accept_loss, note=note),
        )
    if replicas:
        raise ValueError("an embedded store has no replicas to wait for")
    return SqliteStore(data / FILE, lifetimes=lifetimes)

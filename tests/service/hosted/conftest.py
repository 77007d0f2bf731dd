"""The service with games in a store: SQLite with a clock that tests can turn, and a real Redis."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.stores import sqlite_rows, times
from service.stores.contract import GameStore
from service.stores.lifetimes import Lifetimes
from service.stores.redis_store import RedisStore
from tests.servers import running, server_or_skip
from tests.service.hosted.tables import LIFETIMES, Clock, Service

_numbers = itertools.count()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ExitStack() as stack:
        server = stack.enter_context(running(server_or_skip(), tmp_path_factory.mktemp("redis")))
        yield server.url


@pytest.fixture
def clocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    store = Clock(tmp_path / "games.sqlite3", lifetimes=LIFETIMES)
    monkeypatch.setattr(sqlite_rows, "ticks", lambda: times.ticks() + store.ahead)  # time itself passes
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[GameStore]:
    if request.param == "sqlite":
        yield request.getfixturevalue("clocked")
        return
    url = request.getfixturevalue("redis_url")
    found = RedisStore(url, lifetimes=Lifetimes(), prefix=f"hosted{next(_numbers)}:")
    yield found
    found.close()


@pytest.fixture
def service(store: GameStore) -> Service:
    """With keys, on each store."""
    return Service(store)


@pytest.fixture
def here(clocked: Clock) -> Service:
    """With keys, on SQLite, for what does not depend on the store."""
    return Service(clocked)

"""The stores under test, each on real ground of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.stores.contract import GameStore
from service.stores.lifetimes import Lifetimes
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore
from tests.servers import cluster, running, sentinel_pair, server_or_skip

_numbers = itertools.count()


class Ground:
    """One place where games are kept. `store` opens it, as many times as there are processes to play."""

    def __init__(self, make: Callable[[Lifetimes], GameStore]) -> None:
        self._make = make
        self._opened: list[GameStore] = []

    def store(self, **lifetimes: int) -> GameStore:
        store = self._make(Lifetimes(**lifetimes))
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


def redis_ground(url: str, replicas: int = 0) -> Ground:
    prefix = f"test{next(_numbers)}:"
    return Ground(lambda life: RedisStore(url, lifetimes=life, replicas=replicas, prefix=prefix))


def sqlite_ground(folder: Path, patience: float = 60) -> Ground:
    """On a machine that is busy with other things, writers may have to wait for each other longer than callers would."""
    return Ground(lambda life: SqliteStore(folder / "data" / "games.sqlite3", lifetimes=life, patience=patience))


class Urls:
    """Servers started when first asked for, and ended with the tests."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._urls: dict[str, str] = {}

    def of(self, kind: str) -> str:
        if kind not in self._urls:
            self._urls[kind] = self._start(kind)
        return self._urls[kind]

    def _start(self, kind: str) -> str:
        folder = self._folder / kind
        if kind == "sentinel":
            return self._stack.enter_context(sentinel_pair(server_or_skip(), folder)).url
        if kind == "cluster":
            servers = self._stack.enter_context(cluster(server_or_skip(), folder))
            return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in servers)
        return self._stack.enter_context(running(server_or_skip(kind), folder)).url


@pytest.fixture(scope="session")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Urls]:
    with ExitStack() as stack:
        yield Urls(stack, tmp_path_factory.mktemp("servers"))


@pytest.fixture(params=["sqlite", "redis", "redis-6.2", "valkey", "sentinel", "cluster", "durable"])
def ground(request: pytest.FixtureRequest, urls: Urls, tmp_path: Path) -> Iterator[Ground]:
    """Every store; `durable` is the Sentinel pair with its replica waited for."""
    kind = request.param
    if kind == "sqlite":
        found = sqlite_ground(tmp_path)
    elif kind == "durable":
        found = redis_ground(urls.of("sentinel"), replicas=1)
    else:
        found = redis_ground(urls.of(kind))
    yield found
    found.close()


@pytest.fixture
def store(ground: Ground) -> GameStore:
    return ground.store()

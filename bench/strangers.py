"""What a stranger can tell from how long a refusal takes: ``python -m bench.strangers``.

A game that is another's and a game that is not there are asked for in turn, in this process, over and over; the figure is the
median of the differences of such pairs (which first is tossed), with the same of two games that are not there beside it. For an
app, and for somebody with a token of another table.
"""

from __future__ import annotations

import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure, setting, table
from service import create_app
from service.callers.auth import digest
from service.config import Settings
from service.stores.contract import GameStore
from service.stores.lifetimes import Lifetimes
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore
from tests.servers import find_server, running

PAIRS = 2_000
GAMES = 40
KEYS = (("shop", digest("shop")), ("other", digest("other")))


def figures() -> Iterator[Figure]:
    """Both stores, both kinds of strangers."""
    with tempfile.TemporaryDirectory() as folder:
        sqlite = SqliteStore(Path(folder) / "games.sqlite3", lifetimes=Lifetimes())
        yield from _differences("SQLite", sqlite)
        program = find_server()
        if program is not None:
            with running(program, Path(folder) / "redis") as server:
                yield from _differences("Redis", RedisStore(server.url, lifetimes=Lifetimes()))


def _differences(name: str, store: GameStore) -> Iterator[Figure]:
    client = create_app(Settings(log="errors", api_keys=KEYS), store).test_client()

    def seconds(id: str, token: str) -> float:
        started = time.perf_counter()
        answer = client.get(f"/v1/games/{id}", headers={"Authorization": f"Bearer {token}"})
        spent = time.perf_counter() - started
        assert answer.status_code == 404
        return spent

    def made(app: str) -> tuple[str, str]:
        asked = {"game": "rummy", "seats": ["a", "b"], "metadata": {"table": 7}}
        told = client.post("/v1/games", json=asked, headers={"Authorization": f"Bearer {app}"}).json
        assert told is not None
        return told["id"], told["seats"][0]["token"]

    ids = [made("shop")[0] for _ in range(GAMES)]
    for who, token in (("an app", "other"), ("a token", made("other")[1])):
        for what, there in (("another's game", True), ("no game", False)):
            found = []
            for _ in range(PAIRS):
                id = random.choice(ids) if there else secrets.token_hex(16)
                pair = [(id, 1), (secrets.token_hex(16), -1)]
                random.shuffle(pair)
                found.append(sum(sign * seconds(id, token) for id, sign in pair))
            yield Figure(f"{name}, {who}: {what} less no game", statistics.median(found) * 1e6, "µs")


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")

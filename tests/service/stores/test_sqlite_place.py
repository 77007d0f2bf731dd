"""The SQLite file is removed or replaced under a running service: nothing is acknowledged, and none is made anew."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from service.stores.contract import Done, GameStore
from service.stores.errors import StoreUnavailable
from service.stores.sqlite_file import LOST, SqliteFile
from tests.servers import wait_for
from tests.service.process import serving
from tests.service.stores.conftest import sqlite_ground
from tests.service.stores.games import create, play


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games.sqlite3"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with closing(sqlite_ground(tmp_path)) as ground:
        yield ground.store()


def remove(file: Path) -> None:
    file.rename(file.with_name("away"))


def replace(file: Path) -> None:
    """Another store, good in itself, takes the place; the old file stays, under another name."""
    os.link(file, file.with_name("away"))
    with closing(sqlite_ground(file.parents[1] / "other")) as other:
        create(other.store())
    (file.parents[1] / "other" / "data" / file.name).rename(file)


LOSSES = pytest.mark.parametrize("lose", [Path.unlink, remove, replace], ids=["unlinked", "moved", "replaced"])


def content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


@LOSSES
def test_a_file_that_is_lost_is_neither_used_nor_made_anew(
    store: GameStore, file: Path, lose: Callable[[Path], None]
) -> None:
    id = create(store)
    lose(file)
    there = content(file)
    calls: list[Callable[[], object]] = [
        lambda: create(store),
        lambda: play(store, id, 1),
        lambda: store.load(id),
        lambda: store.games("app", None, None, 9),
        store.ready,
    ]

    def refused(call: Callable[[], object]) -> None:
        with pytest.raises(StoreUnavailable, match=LOST):
            call()

    with ThreadPoolExecutor(1) as other_thread:  # without a connection yet
        for call in calls:
            refused(call)
            other_thread.submit(refused, call).result()
    assert content(file) == there
    if (away := file.with_name("away")).exists():
        away.rename(file)
        assert isinstance(play(store, id, 1), Done)
        assert store.load(id).version == 2


@LOSSES
def test_what_was_written_is_not_acknowledged_if_the_file_is_lost_meanwhile(
    file: Path, lose: Callable[[Path], None]
) -> None:
    with closing(SqliteFile(file)) as opened:
        with pytest.raises(StoreUnavailable, match=LOST), opened.writing():
            lose(file)
        with pytest.raises(StoreUnavailable, match=LOST), opened.reading():
            pass


@LOSSES
def test_a_service_whose_file_is_lost_says_so_and_its_new_workers_too(
    tmp_path: Path, file: Path, lose: Callable[[Path], None]
) -> None:
    seats = {"game": "swoop", "seats": ["a", "b"]}
    with serving(tmp_path) as served:

        def status(path: str, body: object = None) -> int | None:
            try:
                served.ask(path, body)
            except HTTPError as error:
                return error.code
            except (URLError, ConnectionError):
                return None  # between two workers
            return 200

        game = served.ask("/v1/games", seats)["id"]
        lose(file)
        there = content(file)
        wait_for(lambda: status("/readyz") == 503, "the next look at the file, once a second")
        assert [status("/v1/games", seats), status(f"/v1/games/{game}/events")] == [503] * 2
        os.kill(served.workers()[0], signal.SIGKILL)
        wait_for(lambda: status("/readyz") is not None, "the next worker")
        assert [status("/readyz"), status("/v1/games", seats), status(f"/v1/games/{game}/events")] == [503] * 3
        served.terminate()
        output, _ = served.process.communicate(timeout=20)
    assert f"{file}: {LOST}".encode() in output
    assert content(file) == there

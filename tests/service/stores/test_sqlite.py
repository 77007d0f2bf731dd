"""The SQLite file: several processes, a full disk, a file that is held, spoilt or foreign, what is removed when."""

from __future__ import annotations

import fcntl
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from service.stores.contract import Done, GameStore
from service.stores.errors import Damaged, Lost, Refuses, StoreUnavailable
from service.stores.sqlite_file import LOCK_SECONDS, SCHEMA
from tests.service.stores.conftest import Ground, sqlite_ground
from tests.service.stores.games import NEW, asked, change, create, play


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games.sqlite3"


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    found = sqlite_ground(tmp_path)
    yield found
    found.close()


@pytest.fixture
def store(ground: Ground) -> GameStore:
    return ground.store()


def rows(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_the_file_is_made_as_promised(store: GameStore, file: Path) -> None:
    create(store)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@contextmanager
def sql_lock(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def file_lock(file: Path) -> Iterator[None]:
    with open(f"{file}.lock", "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("lock", [sql_lock, file_lock])
def test_a_file_held_by_another_is_given_up_in_time_and_used_again(
    tmp_path: Path, file: Path, lock: Callable[[Path], AbstractContextManager[None]]
) -> None:
    store = sqlite_ground(tmp_path, LOCK_SECONDS).store()
    id = create(store)
    refused: list[float] = []

    def write() -> None:
        started = time.monotonic()
        with pytest.raises(StoreUnavailable):
            play(store, id, 1)
        refused.append(time.monotonic() - started)

    with lock(file):
        writers = [threading.Thread(target=write) for _ in range(6)]
        for writer in writers:
            writer.start()
        assert store.load(id).version == 1  # reading goes on
        for writer in writers:
            writer.join()
    assert len(refused) == 6
    assert max(refused) < 3.0
    started = time.monotonic()
    assert isinstance(play(store, id, 1), Done)
    assert time.monotonic() - started < 1.0


def test_a_full_disk_is_said_and_changes_nothing(store: GameStore, file: Path) -> None:
    id = create(store)
    done = 1

    def fill() -> None:
        nonlocal done
        while True:
            store.commit(id, done, change("x" * 20_000), asked(f"k{done}"), b"")
            done += 1

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in file.parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 100_000, before[1]))
    try:
        with pytest.raises(StoreUnavailable):
            fill()
        assert store.load(id).version == done
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # not even little fits
        with pytest.raises(Refuses, match=r"^the file of games takes no changes: "):
            store.ready()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert store.ready() == ()
    assert 1 < done < 50
    assert isinstance(store.commit(id, done, change("y"), asked(f"k{done}"), b""), Done)
    assert [entry.version for entry in store.events(id, 0, 99).entries] == list(range(1, done + 2))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_spoilt_file_is_no_store(store: GameStore, file: Path) -> None:
    content = b"not a database" * 999
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(Damaged):
        store.ready()
    assert file.read_bytes() == content


def test_damage_is_said_and_nothing_more_is_written(store: GameStore, file: Path) -> None:
    ids = [create(store, new=replace(NEW, blob=b"x" * 9_000)) for _ in range(20)]
    store.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
    with file.open("r+b") as spoilt:
        spoilt.seek((root - 1) * 4096)
        spoilt.write(b"\xff" * 4096)
    for call in (lambda: store.load(ids[0]), lambda: create(store), store.ready):
        with pytest.raises(Damaged, match="put a whole one in its place and restart"):
            call()


def test_a_game_without_the_end_of_its_log_takes_no_move(store: GameStore, file: Path) -> None:
    id = create(store)
    play(store, id, 1)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM events WHERE version = 2")
        connection.commit()
    for call in (lambda: play(store, id, 2), lambda: store.events(id, 0, 9)):
        with pytest.raises(Lost):
            call()
    assert store.load(id).version == 2


def test_a_file_of_another_schema_is_left_alone(store: GameStore, file: Path) -> None:
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreUnavailable, match="schema 99"):
        create(store)
    assert rows(file, "sqlite_master") == 0


def test_a_folder_that_cannot_be_made_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    ground = sqlite_ground(tmp_path)
    with pytest.raises(StoreUnavailable):
        create(ground.store())


def test_a_store_goes_through_a_fork(store: GameStore) -> None:
    id = create(store)
    child = os.fork()
    if child == 0:
        done = play(store, id, 1)
        os._exit(0 if isinstance(done, Done) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.load(id).version == 2
    assert isinstance(play(store, id, 2), Done)


def test_many_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from service.stores.contract import *;"
        "from service.stores.sqlite_store import SqliteStore;"
        "store = SqliteStore(Path(sys.argv[1]), lifetimes=Lifetimes(), patience=60);"
        "new = NewGame(info=b'', blob=b'', events=b'', tokens={});"
        "[store.create('app', new, Request.fresh(), b'') for _ in range(20)]"
    )
    file = tmp_path / "new" / "games.sqlite3"
    processes = [subprocess.Popen([sys.executable, "-c", code, str(file)], cwd=Path.cwd()) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert rows(file, "games") == 80


def test_what_may_go_is_removed_by_and_by(ground: Ground, file: Path) -> None:
    brief = ground.store(live=50, tombstone=50, answers=50)
    old = [brief.create("app", NEW, asked(f"{i}"), b"").id for i in range(20)]
    kept = ground.store()
    id = create(kept)
    time.sleep(0.2)
    for version in range(1, 4):
        play(kept, id, version)
    assert len(old) == 20
    assert rows(file, "games") == 1
    assert rows(file, "events") == 4
    assert rows(file, "requests") == 4

"""Values under their hashes: kept for longer than any game, by one process for all, and removed in the end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from service.stores import sqlite_rows, times
from service.stores.lifetimes import DAY, HOUR, Lifetimes
from service.stores.sqlite_store import SqliteStore
from tests.service.stores.conftest import Ground, sqlite_ground


def test_what_one_process_keeps_all_find(ground: Ground) -> None:
    mine, others = ground.store(), ground.store()
    assert others.kept("a" * 64) is None
    mine.keep("a" * 64, b"value \x00\xff")
    mine.keep("a" * 64, b"value \x00\xff")
    others.keep("b" * 64, b"")
    assert [store.kept("a" * 64) for store in (mine, others)] == [b"value \x00\xff"] * 2
    assert mine.kept("b" * 64) == b""


def test_they_go_when_no_game_can_have_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = 0

    class Process(SqliteStore):
        """Another one each time, which has kept nothing yet."""

        def __init__(self) -> None:
            life = Lifetimes(live=HOUR, over=2 * DAY, tombstone=DAY)
            super().__init__(tmp_path / "games.sqlite3", lifetimes=life)

        def now(self) -> int:
            return super().now() + ahead

    def keep(*hashes: str) -> None:
        store = Process()
        for hash in hashes:
            store.keep(hash, b"x")
        store.close()

    monkeypatch.setattr(sqlite_rows, "ticks", lambda: times.ticks() + ahead)
    keep(*map(str, range(20)))
    ahead = 2 * DAY
    keep("7")
    ahead = 3 * DAY + HOUR
    for number in range(3):
        keep(f"new {number}")
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        left = [hash for (hash,) in connection.execute("SELECT hash FROM kept ORDER BY hash")]
    assert left == ["7", "new 0", "new 1", "new 2"]


def test_a_value_is_kept_once_an_hour_by_each_process(tmp_path: Path) -> None:
    """Of rules that are told with every view the store hears no more often than that."""
    store = sqlite_ground(tmp_path).store()
    store.keep("a", b"x")
    with closing(sqlite3.connect(tmp_path / "data" / "games.sqlite3")) as connection:
        connection.execute("DELETE FROM kept")
        connection.commit()
    store.keep("a", b"x")
    assert store.kept("a") is None
    store.close()

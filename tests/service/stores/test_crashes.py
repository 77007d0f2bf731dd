"""Processes killed in the middle of what they do: no acknowledged move is lost, nothing is half written.

The short forms of what `make torture` does at length: each scenario takes the number of its rounds.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers import Pair, Server, running, sentinel_pair, server_or_skip, wait_for
from tests.service.stores.crowd import Crowd, crowd

Progress = Callable[[], object]

ALWAYS = ("appendonly yes", "appendfsync always")
REPLICATING = ("masteruser copier", "masterauth secret", "user copier on >secret ~* &* +@all")


def kill_sqlite_writers(folder: Path, kills: int, after_each: Progress) -> Crowd:
    """SIGKILL writers of one SQLite file, one after the other."""
    place = folder / "data"
    with crowd(str(place), folder / "crowd") as people:
        _kill_writers(people, kills, after_each)
        assert people.broken_promises() == []
    with sqlite3.connect(place / "games.sqlite3") as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
    file.close()
    return people


def kill_redis_writers(folder: Path, kills: int, after_each: Progress) -> Crowd:
    """SIGKILL writers of one Redis."""
    with running(server_or_skip(), folder / "redis") as server, crowd(server.url, folder / "crowd") as people:
        _kill_writers(people, kills, after_each)
        assert people.broken_promises() == []
    return people


def _kill_writers(people: Crowd, kills: int, after_each: Progress) -> None:
    for number in range(kills):
        people.progress(moves=random.randrange(5, 30))
        people.kill_one(number)
        after_each()
    people.end()


def restart_redis(folder: Path, restarts: int, after_each: Progress) -> Crowd:
    """SIGKILL a Redis that syncs every write to disk, under load, and start it again."""
    with running(server_or_skip(), folder / "redis", *ALWAYS) as server, crowd(server.url, folder / "crowd") as people:
        for _ in range(restarts):
            people.progress(moves=random.randrange(50, 150))
            server.kill()
            server.start()
            people.progress(moves=1, seconds=5.0)  # recovered
            after_each()
        people.end()
        assert people.broken_promises() == []
    return people


def fail_over(folder: Path, times: int, after_each: Progress) -> Crowd:
    """Cut the replica off while the primary goes on accepting writes, then SIGKILL the primary; Sentinel promotes."""
    with (
        sentinel_pair(server_or_skip(), folder / "pair", *REPLICATING) as pair,
        crowd(pair.url, folder / "crowd", replicas=1) as people,
    ):
        for _ in range(times):
            people.progress(moves=random.randrange(20, 60))
            _lose_primary(pair)
            people.progress(moves=1, seconds=20.0)
            after_each()
        people.end()
        assert people.broken_promises() == []
    return people


def _lose_primary(pair: Pair) -> None:
    """Leave it with writes that its replica never gets, kill it, wait for the replica's promotion, bring it back."""
    primary, replica = pair.primary(), pair.replica()
    primary.ask("ACL", "SETUSER", "copier", "off")
    primary.ask("CLIENT", "KILL", "TYPE", "replica")
    before = _offset(primary)
    wait_for(lambda: _offset(primary) > before, "writes that the replica does not get")
    primary.kill()
    wait_for(lambda: pair.primary() is replica, "the fail-over")
    pair.start_as_replica(primary)
    wait_for(pair.linked, "the old primary to follow")


def _offset(server: Server) -> int:
    with server.client() as client:
        return int(client.info("replication")["master_repl_offset"])


@pytest.mark.torture
@pytest.mark.parametrize("scenario", [kill_sqlite_writers, kill_redis_writers, restart_redis])
def test_no_acknowledged_move_is_lost(scenario: Callable[[Path, int, Progress], Crowd], tmp_path: Path) -> None:
    assert len(scenario(tmp_path, 5, int).promises()) > 20


@pytest.mark.torture
def test_no_acknowledged_move_is_lost_in_a_fail_over(tmp_path: Path) -> None:
    assert len(fail_over(tmp_path, 1, int).promises()) > 20

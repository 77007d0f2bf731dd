"""The audit finds what it is there to find: each kind of broken promise, made here by hand in the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.torture import leaks
from bench.torture.client import Answer, Fault
from bench.torture.kills import integrity
from bench.torture.play import Load, Table, audit
from bench.torture.report import Finding, table
from bench.torture.service import Service, serving
from tests.servers import server_or_skip

SPOILT = {
    "the newest move is lost": (
        "DELETE FROM events WHERE version = (SELECT version FROM games WHERE seq = game)",
        "UPDATE games SET version = version - 1",
    ),
    "a move was made twice": (
        "INSERT INTO events SELECT game, version + 1, at, events FROM events"
        " WHERE version = (SELECT version FROM games WHERE seq = game)",
        "UPDATE games SET version = version + 1",
    ),
    "a gap in the log": ("DELETE FROM events WHERE version = 3",),
    "another move than was acknowledged": (
        "UPDATE events SET events = (SELECT e.events FROM events e WHERE e.game = events.game AND e.version = 2)"
        " WHERE version = 3",
    ),
    "a state of another version": (
        "UPDATE games SET blob = json_set(blob, '$.state.plies', json_extract(blob, '$.state.plies') + 1)",
    ),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("audit"), workers=1) as started:
        yield started


def played(service: Service) -> list[Table]:
    with Load(service.port, 2) as load:
        load.progress(20)
    assert load.account.faults == []
    return load.tables


def test_what_is_in_order_is_found_so(service: Service) -> None:
    assert audit(service.port, played(service)) == []
    assert integrity(service.data / "games.sqlite3") == []


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_not_in_order_is_found(service: Service, what: str) -> None:
    tables = played(service)
    with closing(sqlite3.connect(service.data / "games.sqlite3")) as file:
        for statement in SPOILT[what]:
            file.execute(statement)
        file.commit()
    try:
        wrong = audit(service.port, tables)
    except Fault as fault:
        wrong = [str(fault)]
    assert wrong


@pytest.mark.parametrize(
    ("status", "headers", "improper"),
    [
        (201, {}, False),
        (412, {}, False),
        (500, {}, True),
        (502, {}, True),
        (503, {}, True),
        (503, {"retry-after": "1"}, False),
    ],
)
def test_a_503_without_a_time_and_any_other_5xx_are_improper(
    status: int, headers: dict[str, str], improper: bool
) -> None:
    assert Answer(status, headers, b"").is_improper is improper


def test_the_table_shows_what_failed() -> None:
    shown = table(
        [Finding("one", "redis", "5 kills", "none lost"), Finding("two", "sqlite", "6", "none", ("v3 is lost",))]
    )
    assert [line.split()[-1] for line in shown.splitlines()] == ["result", "ok", "FAILED", "lost"]


def test_a_leak_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins in which the viewer's own hand is dealt anew, too, look different."""
    server_or_skip()
    for habits in leaks.HABITS.values():
        permuted = habits.permuted
        monkeypatch.setattr(habits, "permuted", lambda state, _, *rest, of=permuted: of(state, None, *rest))
    (finding,) = leaks.run("redis", tmp_path, leaks.SHORT, int)
    assert finding.wrong

"""What the rows of the SQLite file say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from service.stores.contract import Answer, Entry, Listing, Page, Request, Summary, answered
from service.stores.errors import Denied, Expired, Lost, NotFound, Stale
from service.stores.lifetimes import Lifetimes, Status
from service.stores.names import can_be_id
from service.stores.readers import Holder, Owner, Reader
from service.stores.room import ANSWERS, BLOCK
from service.stores.times import LAG, SLACK, Settled, ticks

LISTED = "id, owner, version, status, created, changed, deadline, info"
MANY = 128  # answers of a game, removed together: all of them are looked at
SLICE = 8  # old rows of each kind that a change removes: more than it adds, so that nothing piles up


class SetBack(Exception):
    """The clock is behind the last change of the game in row `seq`."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Rewinding(Protocol):
    """A store that can do what `SetBack` asks for."""

    def rewind(self, seq: int) -> None:
        """Move the times of the game in a row back with the clock."""


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=Rewinding)


def in_time(call: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """The call, made again once the game's times have been moved, where the clock was set back."""

    @wraps(call)
    def steadily(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        while True:
            try:
                return call(store, *args, **kwargs)
            except SetBack as back:
                store.rewind(back.seq)

    return steadily


def rewind(db: sqlite3.Connection, seq: int, now: int) -> None:
    """Move all that is to come of a game back by as much as the clock is behind its last change: else a turn would last until
    the clock is where it was."""
    behind = "changed - :now"
    moved = ", ".join(f"{name} = {name} - ({behind})" for name in ("deadline", "expires", "buried", "removable"))
    db.execute(
        f"UPDATE games SET {moved}, changed = :now WHERE seq = :seq AND {behind} > :slack",  # noqa: S608, constants
        {"now": now, "seq": seq, "slack": SLACK},
    )


def living(db: sqlite3.Connection, id: str, now: int, by: Reader | None = None) -> int:
    """The row of a game that can be used. Raises NotFound, also for another owner's; Expired; Denied for another token."""
    if not can_be_id(id):
        raise NotFound("no such game")
    found = db.execute("SELECT seq, owner, expires, buried, changed FROM games WHERE id = ?", [id]).fetchone()
    if found is not None and found[4] - now > SLACK:
        raise SetBack(found[0])
    row: Any = found or (None, "", 0, 0, 0)
    seq, owner, expires, buried, _ = row
    if isinstance(by, Holder):
        info, token = _held(db, seq, by.name)
    if now >= buried:
        raise NotFound("no such game")
    if now >= expires:
        raise Expired(owner)
    if isinstance(by, Owner) and by.name != owner:
        raise NotFound("no such game")
    if isinstance(by, Holder) and by.token != token:
        raise Denied(info)
    return int(seq)


def _held(db: sqlite3.Connection, seq: int | None, name: str) -> tuple[bytes, str | None]:
    """A game's info and the token of this name. Where there is no game, some other's, for nothing: whoever has no token must
    not be able to tell by the time it takes."""
    where = "seq = coalesce(?, (SELECT min(seq) FROM games))"
    found = db.execute(f"SELECT info, tokens FROM games WHERE {where}", [seq]).fetchone()  # noqa: S608, constant
    info, tokens = found or (b"", "{}")
    return info, json.loads(tokens).get(name)


def page(db: sqlite3.Connection, owner: str, status: Status | None, after: int | None, limit: int, now: int) -> Listing:
    """Up to `limit` games of an owner, newest first."""
    narrowed, wanted = ("status = ?", [status]) if status else ("status != 'deleted'", [])
    query = f"SELECT place, {LISTED} FROM games WHERE owner = ? AND {narrowed} AND place < ? AND expires > ?"  # noqa: S608, constants
    before = 2**63 - 1 if after is None else after
    asked = [owner, *wanted, before, now, limit + 1]
    with closing(db.execute(f"{query} ORDER BY place DESC LIMIT ?", asked)) as cursor:
        found = cursor.fetchall()
    games = tuple(Summary(*row[1:]) for row in found[:limit])
    return Listing(games, found[limit - 1][0] if len(found) > limit else None)


def fact(db: sqlite3.Connection, name: str) -> bytes:
    """What the file says of itself."""
    found: bytes = db.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()[0]
    return found


def version_of(db: sqlite3.Connection, seq: int) -> int:
    return int(db.execute("SELECT version FROM games WHERE seq = ?", [seq]).fetchone()[0])


def log(db: sqlite3.Connection, seq: int, after: int, limit: int, expected: bytes) -> Page:
    """The log of a game after a version. Raises Stale if another info is `expected`, Lost."""
    info, version = db.execute("SELECT info, version FROM games WHERE seq = ?", [seq]).fetchone()
    if expected not in (b"", info):
        raise Stale(version)
    check_log(db, seq)
    entries = db.execute(
        "SELECT version, at, events FROM events WHERE game = ? AND version > ? ORDER BY version LIMIT ?",
        [seq, after, limit],
    )
    return Page(version, tuple(Entry(*entry) for entry in entries))


def check_log(db: sqlite3.Connection, seq: int) -> None:
    """Raise Lost unless the log ends at the game's version."""
    ends = "SELECT version = (SELECT max(version) FROM events WHERE game = seq) FROM games WHERE seq = ?"
    if not db.execute(ends, [seq]).fetchone()[0]:
        raise Lost("the log does not end at the game's version")


def settled(db: sqlite3.Connection, now: int) -> int:
    """The clock that is forgotten by."""
    return Settled(*map(int, fact(db, "settled").split())).at(now, ticks())


def settle(db: sqlite3.Connection, now: int) -> int:
    """The same; where it has gone on by a while, the file is told."""
    kept = Settled(*map(int, fact(db, "settled").split()))
    steady = ticks()
    mark = min(now, kept.ceiling(steady))
    if mark - kept.mark > LAG or steady < kept.ticks or not kept.ticks:
        text = f"{max(mark, kept.mark)} {steady}".encode()
        db.execute("UPDATE facts SET value = ? WHERE name = 'settled'", [text])
    return kept.at(now, steady)


def answer_to(db: sqlite3.Connection, seq: int, key: str, now: int) -> Answer | None:
    row: Any = db.execute(
        "SELECT body, version, at, answer FROM requests WHERE game = ? AND key = ? AND forgotten > ?", [seq, key, now]
    ).fetchone()
    return None if row is None else Answer(*row)


def recall(db: sqlite3.Connection, seq: int, request: Request, now: int) -> Answer | None:
    """The answer to a request that was carried out before. Raises KeyReused."""
    known = answer_to(db, seq, request.key, now)
    return None if known is None else answered(known, request)


def remember(
    db: sqlite3.Connection, seq: int, request: Request, lifetimes: Lifetimes, version: int, now: int, answer: bytes
) -> None:
    """Keep an answer, and remove a few of the rows that may go."""
    row = [seq, request.key, request.body, version, now, now + request.hold(lifetimes), answer]
    db.execute(
        "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (game, key) DO UPDATE SET (body, version, at, forgotten, answer)"
        " = (excluded.body, excluded.version, excluded.at, excluded.forgotten, excluded.answer)",
        row,
    )
    forget_most(db, seq)
    forgetting = settled(db, now)
    db.execute(
        "DELETE FROM requests WHERE (game, key) IN"
        " (SELECT game, key FROM requests WHERE forgotten <= ? ORDER BY forgotten LIMIT ?)",
        [forgetting, SLICE],
    )
    db.execute(
        "DELETE FROM games WHERE seq IN (SELECT seq FROM games WHERE removable <= ? ORDER BY removable LIMIT ?)",
        [forgetting, SLICE],
    )


def keep(db: sqlite3.Connection, lifetimes: Lifetimes, hash: str, value: bytes, now: int) -> None:
    """Keep a value under its hash, and remove a few of those that may go."""
    db.execute(
        "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET removable = max(removable, excluded.removable)",
        [hash, value, now + lifetimes.kept],
    )
    db.execute(
        "DELETE FROM kept WHERE hash IN (SELECT hash FROM kept WHERE removable <= ? ORDER BY removable LIMIT ?)",
        [settled(db, now), SLICE],
    )


def stored(db: sqlite3.Connection, owner: str) -> int:
    """The bytes that an owner's games take."""
    found = db.execute("SELECT blocks FROM stored WHERE owner = ?", [owner]).fetchone()
    return 0 if found is None else int(found[0]) * BLOCK


def forget_most(db: sqlite3.Connection, seq: int) -> None:
    """Remove the oldest answers of a game that has more than are kept; never that to its create."""
    more = db.execute("SELECT answers FROM sizes WHERE game = ?", [seq]).fetchone()[0] - ANSWERS
    if more > MANY:
        db.execute(
            "DELETE FROM requests WHERE game = ?1 AND key IN (SELECT key FROM requests WHERE game = ?1"
            " AND key != (SELECT made FROM games WHERE seq = ?1) ORDER BY at, version LIMIT ?2)",
            [seq, more],
        )


def ends(lifetimes: Lifetimes, status: Status, now: int) -> list[int]:
    """When a game changed now expires, is buried, and may be removed (not before the answers to it are forgotten)."""
    expires = now + lifetimes.of(status)
    buried = expires + lifetimes.tombstone
    return [expires, buried, max(buried, now + lifetimes.answers)]

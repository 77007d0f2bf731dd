"""Games in one SQLite file: the store that needs no server. One machine, any number of processes on it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from service.process import native
from service.stores import sqlite_rows as rows
from service.stores.contract import Change, Done, Game, Known, Listing, NewGame, Page, Request, Seen
from service.stores.errors import Stale
from service.stores.lifetimes import Lifetimes, Status
from service.stores.memory import Memory
from service.stores.names import game_id
from service.stores.notices import Notice
from service.stores.readers import Reader
from service.stores.sqlite_file import LOCK_SECONDS, SqliteFile
from service.stores.sqlite_line import Line, reads, writes
from service.stores.sqlite_watch import FileWatch

POLL_SECONDS = 0.01  # how soon a new version is seen by those who wait for it


class SqliteStore:
    """`GameStore` in the file at `path`. Its clock is the machine's. Who has not got the file to write to within
    `patience` seconds is told StoreUnavailable."""

    def __init__(self, path: Path, *, lifetimes: Lifetimes, patience: float = LOCK_SECONDS) -> None:
        self._file = SqliteFile(path, patience)
        self._lifetimes = lifetimes
        self.line = Line(self._file)
        self._closed = threading.Event()
        self._memory = Memory()

    def settle(self) -> None:
        """Make the file, if there is none, and write to it, changing nothing; no connection stays open for a fork.

        From then on it must stay where it is, for the processes that are forked as well. Raises StoreUnavailable.
        """
        try:
            with self._file.writing():
                pass
        finally:
            self._file.close()

    @writes
    def create(self, owner: str, new: NewGame, request: Request, answer: bytes) -> Done | Known:
        life = self._lifetimes
        with self._file.writing() as db:
            now = self.now()
            secret, settled = rows.fact(db, "secret"), rows.settle(db, now)
            for generation in count():
                id = game_id(secret, owner, request.key, generation)
                older = db.execute("SELECT seq FROM games WHERE id = ?", [id]).fetchone()
                if older is None:
                    break
                if known := rows.recall(db, older[0], request, settled):
                    return Known(id, known)
                # An older game of the same key, whose answer is forgotten. It stays in the way as long as the next
                # one's answer is kept: else a retry of the next one would find this place free, and make a third.
                wait = now + life.answers
                db.execute("UPDATE games SET removable = max(removable, ?) WHERE seq = ?", [wait, older[0]])
            tokens = json.dumps(dict(new.tokens))
            row = [
                id,
                owner,
                now,
                now,
                new.deadline,
                *rows.ends(life, "live", now),
                new.info,
                new.blob,
                tokens,
                request.key,
            ]
            seq = db.execute(
                "INSERT INTO games (id, owner, created, changed, deadline, expires, buried, removable, info, blob, tokens,"
                " made, version, status, place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'live',"
                " 1 + coalesce((SELECT max(place) FROM games WHERE owner = ?), 0))",
                [*row, owner],
            ).lastrowid
            assert seq is not None, "the row was inserted"
            db.execute("INSERT INTO events VALUES (?, 1, ?, ?)", [seq, now, new.events])
            rows.remember(db, seq, request, self._lifetimes, 1, now, answer)
            return Done(id, 1, now)

    @rows.in_time
    @reads
    def load(self, id: str, keys: Collection[str] = (), by: Reader | None = None) -> Game:
        with self._file.reading() as db:
            now = self.now()
            seq = rows.living(db, id, now, by)
            row = db.execute(f"SELECT {rows.LISTED}, blob, tokens FROM games WHERE seq = ?", [seq]).fetchone()  # noqa: S608, constant
            settled = rows.settled(db, now) if keys else now
            answers = {key: answer for key in keys if (answer := rows.answer_to(db, seq, key, settled))}
        *listed, blob, tokens = row
        whole: list[Any] = [*listed, blob, json.loads(tokens), answers, now]
        game = Game(*whole)
        self._memory.note(game)
        return game

    def remembered(self, id: str) -> Game | None:
        return self._memory.find(id)

    def commit(
        self, id: str, version: int, change: Change, request: Request, answer: bytes, seen: Seen | None = None
    ) -> Done | Known:
        return self._memory.after(change, self._commit(id, version, change, request, answer, seen))

    @rows.in_time
    @writes
    def _commit(
        self, id: str, version: int, change: Change, request: Request, answer: bytes, seen: Seen | None
    ) -> Done | Known:
        with self._file.writing() as db:
            now = self.now()
            seq = rows.living(db, id, now)
            current, info, blob, tokens = db.execute(
                "SELECT version, info, blob, tokens FROM games WHERE seq = ?", [seq]
            ).fetchone()
            if seen and seen.token and json.loads(tokens).get(seen.token[0]) != seen.token[1]:
                raise Stale(current)  # before anything is told: see commit.lua
            if known := rows.recall(db, seq, request, rows.settle(db, now)):
                return Known(id, known)
            if current != version or (seen and (info, blob) != (seen.info, seen.blob)):
                raise Stale(current)
            rows.check_log(db, seq)
            new = version + 1
            facts = [
                new,
                change.status,
                now,
                change.deadline,
                *rows.ends(self._lifetimes, change.status, now),
                change.blob,
            ]
            db.execute(
                "UPDATE games SET version = ?, status = ?, changed = ?, deadline = ?, expires = ?, buried = ?,"
                " removable = max(removable, ?), blob = ? WHERE seq = ?",
                [*facts, seq],
            )
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", [seq, new, now, change.events])
            rows.remember(db, seq, request, self._lifetimes, new, now, answer)
            return Done(id, new, now)

    @rows.in_time
    @writes
    def grant(self, id: str, name: str, token: str, request: Request, answer: bytes) -> Done | Known:
        with self._file.writing() as db:
            now = self.now()
            seq = rows.living(db, id, now)
            if known := rows.recall(db, seq, request, rows.settle(db, now)):
                return Known(id, known)
            tokens = json.loads(db.execute("SELECT tokens FROM games WHERE seq = ?", [seq]).fetchone()[0])
            db.execute("UPDATE games SET tokens = ? WHERE seq = ?", [json.dumps({**tokens, name: token}), seq])
            version = rows.version_of(db, seq)
            rows.remember(db, seq, request, self._lifetimes, version, now, answer)
            return Done(id, version, now)

    @rows.in_time
    @reads
    def events(self, id: str, after: int, limit: int, by: Reader | None = None, info: bytes = b"") -> Page:
        with self._file.reading() as db:
            return rows.log(db, rows.living(db, id, self.now(), by), after, limit, info)

    def unchanged(self, id: str, version: int) -> bool:
        return False  # whoever changes the file tells nobody: it is looked at

    def listen(
        self, watched: Callable[[], Mapping[str, int]], told: Callable[[Mapping[str, int] | None], None]
    ) -> None:
        watch = FileWatch(self._file)
        while not self._closed.wait(POLL_SECONDS):
            if wanted := watched():
                told(native.call(watch.changed, wanted))
        watch.close()

    @reads
    def games(self, owner: str, status: Status | None, after: int | None, limit: int) -> Listing:
        with self._file.reading() as db:
            return rows.page(db, owner, status, after, limit, self.now())

    @reads
    def live(self, owner: str) -> int:
        with self._file.reading() as db:
            counting = "SELECT count(*) FROM games WHERE owner = ? AND status = 'live' AND expires > ?"
            return int(db.execute(counting, [owner, self.now()]).fetchone()[0])

    @reads
    def stored(self, owner: str) -> int:
        with self._file.reading() as db:
            return rows.stored(db, owner)

    @rows.in_time
    @writes
    def delete(self, id: str) -> None:
        with self._file.writing() as db:
            now = self.now()
            seq = rows.living(db, id, now)
            # The create's answer stays, and something in the game's place: a retry of it must not make the game again.
            ends = [now, now, now + self._lifetimes.answers]
            db.execute(
                "UPDATE games SET status = 'deleted', expires = ?, buried = ?, removable = ?,"
                " info = '', blob = '', tokens = '{}' WHERE seq = ?",
                [*ends, seq],
            )
            db.execute("DELETE FROM events WHERE game = ?", [seq])
            db.execute("DELETE FROM requests WHERE game = ?1 AND key != (SELECT made FROM games WHERE seq = ?1)", [seq])

    def keep(self, hash: str, value: bytes) -> None:
        if not self._memory.has_kept(hash):
            self._keep(hash, value)
            self._memory.note_kept(hash)

    @writes
    def _keep(self, hash: str, value: bytes) -> None:
        with self._file.writing() as db:
            rows.keep(db, self._lifetimes, hash, value, self.now())

    @reads
    def kept(self, hash: str) -> bytes | None:
        with self._file.reading() as db:
            found = db.execute("SELECT value FROM kept WHERE hash = ?", [hash]).fetchone()
        return None if found is None else found[0]

    @writes
    def rewind(self, seq: int) -> None:
        """Move the times of the game in a row back with the clock."""
        with self._file.writing() as db:
            rows.rewind(db, seq, self.now())

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    @writes
    def ready(self) -> tuple[Notice, ...]:
        self._file.probe()
        return ()

    def close(self) -> None:
        self._closed.set()
        self._file.close()

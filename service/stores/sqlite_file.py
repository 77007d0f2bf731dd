"""One SQLite file that several processes and threads write: connections, transactions, errors, schema."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from service.stores import room
from service.stores.errors import Damaged, Refuses, StoreUnavailable
from service.stores.file_lock import FileLock

SCHEMA = 4
TABLES = """
CREATE TABLE games (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of creation, never used twice
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,                   -- live, over, deleted
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    deadline INTEGER,
    expires INTEGER NOT NULL,
    buried INTEGER NOT NULL,                -- from then on nobody is told that the game ever was
    removable INTEGER NOT NULL,             -- from then on the row may go
    info BLOB NOT NULL,
    blob BLOB NOT NULL,
    tokens TEXT NOT NULL,
    place INTEGER NOT NULL DEFAULT 0        -- the order of creation among the owner's games: the cursor of lists
);
CREATE INDEX games_by_end ON games (removable);
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games (seq) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (game, version)
) WITHOUT ROWID;
CREATE TABLE requests (
    game INTEGER NOT NULL REFERENCES games (seq) ON DELETE CASCADE,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    forgotten INTEGER NOT NULL,
    answer BLOB NOT NULL,
    PRIMARY KEY (game, key)
) WITHOUT ROWID;
CREATE INDEX requests_by_end ON requests (forgotten);
"""
FACTS = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES ('secret', randomblob(32));  -- what ids are made with
INSERT INTO facts VALUES ('settled', strftime('%s', 'now') || '000 0');  -- see service.stores.times
CREATE INDEX games_by_place ON games (owner, place);
CREATE INDEX games_by_status ON games (owner, status, place);
"""
KEPT = """
CREATE TABLE kept (hash TEXT PRIMARY KEY, value BLOB NOT NULL, removable INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX kept_by_end ON kept (removable);
"""
NUMBERED = """
ALTER TABLE games ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
DROP INDEX games_by_owner;
UPDATE games SET place = numbered.place FROM
    (SELECT seq, row_number() OVER (PARTITION BY owner ORDER BY seq) AS place FROM games) AS numbered
    WHERE games.seq = numbered.seq;
"""
SIZES = room.in_numbers((Path(__file__).parent / "sizes.sql").read_text())
UPGRADES = {1: (NUMBERED, FACTS), 2: (KEPT,), 3: (SIZES,)}  # from the schema of a former release to the next one

LOCK_SECONDS = 2.2  # for the writers before us in line; with the next, and some to spare, the three that we may take
BUSY_SECONDS = 0.5  # for other programmes that hold the file, such as a backup
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_REFUSING = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR}
LOST = "the store's file was removed or replaced; restart with the right one"


class SqliteFile:
    """The file at `path`, made on first use. A connection belongs to one thread of one process.

    Once used, the file must stay where it is, for this process and those it forks: what is written to a file that was
    removed goes with the last connection to it. So whatever else is found in its place, or nothing, is refused.
    """

    def __init__(self, path: Path, patience: float = LOCK_SECONDS) -> None:
        self._path = path
        self.patience = patience  # for how many seconds a writer waits
        self._local = threading.local()
        self.until: float | None = None  # when the writer whose turn it is stops waiting, by the monotonic clock
        self._file: tuple[int, int] | None = None  # once used
        self._first_use = threading.Lock()
        self._damage = ""  # once any was seen

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the file and writes nothing. Raises StoreUnavailable."""
        with self._explained():
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on the disk at its end, or undone if the block raises. Raises StoreUnavailable.

        SQLite lets one writer in at a time but does not queue the others: they sleep and try, and one may starve. The
        lock file is a queue of processes; those of one process stand in line before (`SqliteStore`).
        """
        with self._explained():
            if self._damage:
                raise Damaged(self._damage)  # each write could spoil more of it
            connection = self._connection()
            with self._turn():
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    self._check_place()  # again, for the turn may have been long in coming
                    connection.commit()
                except BaseException:
                    connection.rollback()
                    raise

    def probe(self) -> None:
        """Write to the file, changing nothing. Raises StoreUnavailable."""
        with self.writing() as connection:
            connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def close(self) -> None:
        """Close this thread's connection; those of other threads go with their threads."""
        mine = vars(self._local)
        if mine.pop("process", None) == os.getpid():
            mine["connection"].close()

    def _connection(self) -> sqlite3.Connection:
        if self._file is not None:
            self._check_place()
        mine = vars(self._local)
        if mine.get("process") != os.getpid():
            # A connection that came through a fork must neither be used nor closed here: it is kept, and forgotten.
            mine.setdefault("inherited", []).append(mine.get("connection"))
            mine["connection"] = self.connect()
            mine["process"] = os.getpid()
        connection: sqlite3.Connection = mine["connection"]
        return connection

    def connect(self) -> sqlite3.Connection:
        """Another connection to the file, for the caller to close. Raises StoreUnavailable, OSError, sqlite3.DatabaseError."""
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            sqlite3.connect(self._path).close()  # makes it; to open and close it without SQLite would break its locks
        file = _identity(self._path)
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=rw",  # no file is made
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            if self._file is None and _schema(connection) < SCHEMA:
                with self._turn():
                    _bring_up_to_date(connection)
            if (found := _schema(connection)) != SCHEMA:
                raise StoreUnavailable(f"{self._path} has schema {found}; this programme reads schema {SCHEMA}")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            with self._first_use:
                self._file = self._file or file
            self._check_place(file)  # unless it was replaced while it was opened, the connection is to this file
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_place(self, opened: tuple[int, int] | None = None) -> None:
        """Raise StoreUnavailable unless the file at the path, and the one `opened`, are the one that was used first."""
        try:
            found = _identity(self._path)
        except FileNotFoundError:
            found = None
        if found != self._file or opened not in (None, self._file):
            raise StoreUnavailable(f"{self._path}: {LOST}")

    def _turn(self) -> FileLock:
        """The right to write, of one process at a time."""
        left = self.patience if self.until is None else self.until - time.monotonic()
        return FileLock(Path(f"{self._path}.lock"), left)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what can happen to a file into StoreUnavailable, and begin with a new connection next time."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a fault of this programme
        except (sqlite3.DatabaseError, OSError) as error:
            self.close()
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> StoreUnavailable:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says more than is needed here
        if code in _DAMAGED:
            self._damage = f"the file of games is damaged ({error}); put a whole one in its place and restart"
            return Damaged(self._damage)
        return (
            Refuses(f"the file of games takes no changes: {error}")
            if code in _REFUSING
            else StoreUnavailable(f"{self._path}: {error}")
        )


def _identity(path: Path) -> tuple[int, int]:
    """What no two files have in common as long as both are open. Raises OSError."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _schema(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Make the tables, or make them anew from those of a former release: all of it or nothing."""
    found = _schema(connection)  # looked at in turn: another process may have been here before us
    if found == 0:
        connection.execute("PRAGMA journal_mode = WAL")
        _run(connection, (TABLES, FACTS, KEPT, SIZES), SCHEMA)
    for schema in range(max(found, 1), SCHEMA if found else 0):
        _run(connection, UPGRADES[schema], schema + 1)


def _run(connection: sqlite3.Connection, scripts: Iterable[str], schema: int) -> None:
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {' '.join(scripts)} PRAGMA user_version = {schema}; COMMIT;")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise

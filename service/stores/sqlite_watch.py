"""What changes in the SQLite file, whichever process changes it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from service.stores.contract import GONE
from service.stores.errors import StoreUnavailable
from service.stores.sqlite_file import SqliteFile

_VERSIONS = "SELECT id, version FROM games WHERE id IN (SELECT value FROM json_each(?)) AND status <> 'deleted'"


class FileWatch:
    """Looks at the file; used by one caller at a time, from any thread."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._version = -1

    def changed(self, watched: Mapping[str, int]) -> dict[str, int] | None:
        """The games that are later than the version given for each, or gone; None if the file cannot be read."""
        try:
            connection = self._connection = self._connection or self._file.connect()
            version = connection.execute("PRAGMA data_version").fetchone()[0]
            if version == self._version:
                return {}
            wanted = json.dumps(list(watched))
            found = dict(connection.execute(_VERSIONS, [wanted]).fetchall())
        except (sqlite3.DatabaseError, OSError, StoreUnavailable):
            self.close()
            return None
        self._version = version
        now = {id: found.get(id, GONE) for id in watched}
        return {id: version for id, version in now.items() if version > watched[id]}

    def close(self) -> None:
        """Close the connection; the next look opens another one."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

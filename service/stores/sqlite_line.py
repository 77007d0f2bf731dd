"""How calls of the SQLite file wait: in native threads, so that others go on; writers one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from service.process import native
from service.stores.errors import StoreUnavailable
from service.stores.sqlite_file import SqliteFile


class Line:
    """The writers of this process, of which one has its turn: it waits for those of other processes."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._turn = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The right to write. Raises StoreUnavailable."""
        until = time.monotonic() + self._file.patience
        if not self._turn.acquire(timeout=self._file.patience):
            raise StoreUnavailable("too many writers wait for the file")
        try:
            self._file.until = until
            yield
        finally:
            self._file.until = None
            self._turn.release()


class Lined(Protocol):
    """A store whose writers stand in line."""

    line: Line


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=Lined)


def reads(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that reads."""

    @wraps(method)
    def call(store: S, /, *given: P.args, **more: P.kwargs) -> T:
        return native.call(method, store, *given, **more)

    return call


def writes(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that writes."""

    @wraps(method)
    def call(store: S, /, *given: P.args, **more: P.kwargs) -> T:
        with store.line.turn():
            return native.call(method, store, *given, **more)

    return call

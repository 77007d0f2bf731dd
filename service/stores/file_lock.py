"""A lock between processes that is given in turn, and waited for only so long."""

from __future__ import annotations

from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from pathlib import Path
from types import TracebackType

from service.process.native import allocate_lock, start_thread
from service.stores.errors import StoreUnavailable


class FileLock:
    """`flock` on a file of its own; given free at the end of the block, and of the process however that ends.

    The kernel serves those who block in turn; those who try, sleep and try again starve each other (with four writers
    the longest wait was ten times as long). But a blocking call cannot be given a time: so another thread makes it.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._ours = False
        self._given_up = False
        self._decision = allocate_lock()
        self._decided = allocate_lock()  # free once it is ours

    def __enter__(self) -> None:
        """Raises StoreUnavailable when the time is over, OSError when the file cannot be opened."""
        self._file = self._path.open("ab")
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            self._decided.acquire()
            start_thread(self._wait, ())
            if not self._decided.acquire(timeout=max(0.0, self._seconds)) and self._give_up():
                raise StoreUnavailable("another process does not give the file free") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _wait(self) -> None:
        flock(self._file, LOCK_EX)
        with self._decision:
            self._ours = True
            self._decided.release()
            if self._given_up:
                self._release()

    def _give_up(self) -> bool:
        """Leave the lock to the waiting thread, which lets go of it; False if it has just become ours."""
        with self._decision:
            self._given_up = not self._ours
            return self._given_up

    def _release(self) -> None:
        flock(self._file, LOCK_UN)  # closing would not do if a fork had copied the file
        self._file.close()

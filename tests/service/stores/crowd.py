"""Writers by the handful, what they were promised, and whether the store kept it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from service.stores.contract import GameStore, NewGame, Request
from tests.service.stores.games import confirmed
from tests.service.stores.writer import open_store

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Promise:
    """An acknowledged move."""

    id: str
    version: int
    key: str


class Crowd:
    """`size` writer processes on `games` games of one store."""

    def __init__(self, place: str, folder: Path, *, size: int, games: int, replicas: int = 0) -> None:
        self.store: GameStore = open_store(place, f"{folder.name}:", replicas)
        self._acks = folder / "acks"
        self._acks.touch()
        self._errors = folder / "errors"
        first = NewGame(info=b"", blob=b"1 first", events=b"1 first", tokens={})
        self.ids = [confirmed(lambda: self.store.create("crowd", first, Request.fresh(), b"")).id for _ in range(games)]
        self._command = [sys.executable, "-m", "tests.service.stores.writer", place, f"{folder.name}:", str(replicas)]
        self._command += [str(self._acks), *self.ids]
        self.writers = [self._start() for _ in range(size)]

    def _start(self) -> subprocess.Popen[bytes]:
        with self._errors.open("ab") as errors:
            return subprocess.Popen(self._command, cwd=ROOT, stderr=errors)

    def kill_one(self, number: int) -> None:
        """SIGKILL one writer, in the middle of whatever it does, and start another in its place."""
        number %= len(self.writers)
        self._fell_by_itself(number)
        self._kill(self.writers[number])
        self.writers[number] = self._start()

    def end(self) -> None:
        """SIGKILL all writers; raises if one of them had met an error that the contract does not allow."""
        for number in range(len(self.writers)):
            self._fell_by_itself(number)
        for writer in self.writers:
            self._kill(writer)

    def promises(self) -> list[Promise]:
        """What the store has acknowledged so far. (The last line may still be in the making.)"""
        lines = self._acks.read_text().splitlines(keepends=True)
        words = [line.split() for line in lines if line.endswith("\n")]
        return [Promise(id, int(version), key) for id, version, key in words]

    def progress(self, moves: int, seconds: float = 30.0) -> None:
        """Return when `moves` more moves have been acknowledged."""
        goal = len(self.promises()) + moves
        until = time.monotonic() + seconds
        while len(self.promises()) < goal:
            if time.monotonic() > until:
                raise TimeoutError(f"no progress in {seconds:.0f} s: {self._errors.read_text()}")
            time.sleep(0.02)

    def broken_promises(self) -> list[str]:
        """What is wrong with the store's games: gaps, halves, and acknowledged moves that are not there."""
        wrong = []
        logs: dict[str, dict[int, str]] = {}
        for id in self.ids:
            game = self.store.load(id)
            entries = self.store.events(id, 0, 10**6).entries
            logs[id] = {entry.version: entry.events.decode() for entry in entries}
            if [entry.version for entry in entries] != list(range(1, game.version + 1)):
                wrong.append(f"{id}: the log has gaps")
            if game.blob != entries[-1].events:
                wrong.append(f"{id}: state {game.blob!r} after the events {entries[-1].events!r}")
            texts = list(logs[id].values())
            if len({text.split()[1] for text in texts}) != len(texts):
                wrong.append(f"{id}: a move was made twice")
        return wrong + [f"lost: {promise}" for promise in self.promises() if not _kept(promise, logs)]

    def _fell_by_itself(self, number: int) -> None:
        if self.writers[number].poll() is not None:
            raise AssertionError(f"a writer ended by itself:\n{self._errors.read_text()}")

    @staticmethod
    def _kill(writer: subprocess.Popen[bytes]) -> None:
        writer.kill()
        writer.wait()


def _kept(promise: Promise, logs: dict[str, dict[int, str]]) -> bool:
    return logs[promise.id].get(promise.version) == f"{promise.version} {promise.key}"


@contextmanager
def crowd(place: str, folder: Path, *, size: int = 3, games: int = 3, replicas: int = 0) -> Iterator[Crowd]:
    """Writers at work; ended at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    people = Crowd(place, folder, size=size, games=games, replicas=replicas)
    try:
        people.progress(moves=20)
        yield people
    finally:
        for writer in people.writers:
            Crowd._kill(writer)
        people.store.close()

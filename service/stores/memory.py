"""What a process remembers of the games it last read or wrote."""

from __future__ import annotations

from dataclasses import replace

from cachetools import LRUCache, TTLCache

from service.process.native import allocate_lock
from service.stores.contract import Change, Done, Game, Known

ROOM = 512  # games, and hashes
AGAIN_SECONDS = 3600.0  # after which a value is kept anew


class Memory:
    """The last games that went through a store. Never the truth: see `GameStore.remembered`."""

    def __init__(self) -> None:
        self._games: LRUCache[str, Game] = LRUCache(ROOM)
        self._kept: TTLCache[tuple[str, int], bool] = TTLCache(ROOM, AGAIN_SECONDS)
        self._lock = allocate_lock()

    def find(self, id: str) -> Game | None:
        """The game as it was noted last."""
        with self._lock:
            return self._games.get(id)

    def note(self, game: Game) -> None:
        """A game was read."""
        with self._lock:
            self._games[game.id] = replace(game, answers={}) if game.answers else game

    def has_kept(self, hash: str, server: int = 0) -> bool:
        """Whether this process has kept the value of a hash lately, on this server."""
        with self._lock:
            return (hash, server) in self._kept

    def note_kept(self, hash: str, server: int = 0) -> None:
        """It has."""
        with self._lock:
            self._kept[hash, server] = True

    def after(self, change: Change, done: Done | Known) -> Done | Known:
        """A change was asked for: what came of it, noted if it was made just now."""
        game = self.find(done.id)
        if game is not None and isinstance(done, Done):
            self.note(
                replace(
                    game, version=done.version, status=change.status, changed=done.at, deadline=change.deadline,
                    blob=change.blob, now=done.at,
                )
            )  # fmt: skip
        return done

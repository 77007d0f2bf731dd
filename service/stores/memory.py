"""What a process remembers of the games it last read or wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cachetools import LRUCache, TTLCache

from service.process.native import allocate_lock
from service.stores.contract import Change, Done, Game, Known

ROOM = 2048  # games, hashes, and news of games
AGAIN_SECONDS = 3600.0  # after which a value is kept anew


class Memory:
    """The last games that went through a store. Never the truth: see `GameStore.remembered`."""

    def __init__(self) -> None:
        self._games: LRUCache[str, tuple[Game, object]] = LRUCache(ROOM)  # with what was `hearing` before it was read
        self._heard: LRUCache[str, int] = LRUCache(ROOM)  # the versions that were told of
        self._hearing: object | None = None
        self._kept: TTLCache[tuple[str, int], bool] = TTLCache(ROOM, AGAIN_SECONDS)
        self._lock = allocate_lock()

    def find(self, id: str) -> Game | None:
        """The game as it was noted last."""
        with self._lock:
            game, _ = self._games.get(id, (None, None))
        return game

    def note(self, game: Game, hearing: object = None) -> None:
        """A game was read. `hearing`: what was, before it was."""
        with self._lock:
            self._games[game.id] = (replace(game, answers={}) if game.answers else game), hearing

    @property
    def hearing(self) -> object:
        """Stands for the time in which this process hears of every change without a gap; None while it does not."""
        return self._hearing

    def begin_to_hear(self) -> None:
        """From now on every change is told of."""
        with self._lock:
            self._hearing = object()
            self._heard.clear()

    def hear(self, news: Mapping[str, int]) -> None:
        """These games have these versions now."""
        with self._lock:
            self._heard.update(news)

    def end_hearing(self) -> None:
        """What changes now is not told of."""
        self._hearing = None

    def is_last(self, id: str, version: int) -> bool:
        """Whether the game was noted with this version, and a later one would have been heard of since."""
        with self._lock:
            game, hearing = self._games.get(id, (None, None))
            if game is None or hearing is None or hearing is not self._hearing:
                return False
            return game.version == version and self._heard.get(id, version) <= version

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
        with self._lock:
            game, hearing = self._games.get(done.id, (None, None))
        if game is not None and isinstance(done, Done):
            self.note(
                replace(
                    game, version=done.version, status=change.status, changed=done.at, deadline=change.deadline,
                    blob=change.blob, now=done.at,
                ),
                hearing,
            )  # fmt: skip
        return done

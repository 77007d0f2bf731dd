"""What a match costs those who play it, in calls and bytes: ``python -m bench.calls``.

Three seats of rummy, each a client that follows the log by long polls, once with `include=view,legal_moves` and once as it is done
without: another look at the game and at the moves after each piece of news. Every call of the match counts, from the create on;
bytes are those of the answers' bodies.
"""

from __future__ import annotations

import http.client
import json
import random
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.figures import Figure, setting, table
from bench.torture.service import Service

SEATS = ["Ann", "Ben", "Cleo"]
RULES = {"preset": "indian", "rounds": 2, "max_turns": 60}
WAIT = 20
BOTH = "include=view,legal_moves"


def figures() -> Iterator[Figure]:
    """Calls and bytes of answers for each move that is made."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), 1)
        service.start()
        try:
            for name, player, most_calls, most_bytes in (
                ("without include", Looking, None, None),
                ("with include=view,legal_moves", Told, 3.0, 4.0),
            ):
                match = Match(service.port)
                moves = match.play(player)
                yield Figure(f"rummy, three seats, {name}: calls a move", match.calls / moves, "", most_calls)
                yield Figure(
                    f"rummy, three seats, {name}: answers a move", match.bytes / moves / 1024, "KB", most_bytes
                )
        finally:
            service.stop()


@dataclass
class Match:
    """A hosted game, and what has been asked of it so far."""

    port: int
    calls: int = 0
    bytes: int = 0
    path: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, player: type[Player]) -> int:
        """Play it to its end; how many moves that took, deals included."""
        app = Client(self, None)
        created = app.call("POST", "/v1/games", {"game": "rummy", "seats": SEATS, "rules": RULES, "seed": "5e" * 32})
        self.path = f"/v1/games/{created['id']}"
        players = [player(self, app, number, seat["token"]) for number, seat in enumerate(created["seats"])]
        with ThreadPoolExecutor(len(players)) as threads:
            versions = [*threads.map(Player.play, players)]
        app.close()
        assert len(set(versions)) == 1, "all have heard of the end"
        return versions[0] - 1

    def count(self, size: int) -> None:
        """A call was answered by so many bytes."""
        with self._lock:
            self.calls += 1
            self.bytes += size


class Client:
    """One connection, by one token."""

    def __init__(self, match: Match, token: str | None) -> None:
        self._match = match
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._connection = http.client.HTTPConnection("127.0.0.1", match.port, timeout=60)

    def call(self, method: str, path: str, body: Any = None, version: int | None = None) -> Any:
        """The answer, which must be a success."""
        headers = self._headers | ({} if version is None else {"If-Match": f'"v{version}"'})
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        told = answer.read()
        self._match.count(len(told))
        assert answer.status in (200, 201), told
        return json.loads(told)

    def close(self) -> None:
        """Close it."""
        self._connection.close()


class Player(ABC):
    """A seat's client. It declares where it can, never packs, and discards by chance."""

    def __init__(self, match: Match, app: Client, number: int, token: str) -> None:
        self.app, self.path = app, match.path
        self.client = Client(match, token)
        self.chance = random.Random(number)
        self.version, self.view = 0, {"phase": ""}
        self.moves: list[Any] = []

    def play(self) -> int:
        """Until the match is over; its last version."""
        self.hear(0)
        while self.view["phase"] != "match_over":
            if self.moves:
                self.make(self.chosen())
                if self.view["phase"] == "round_over":  # it knows first, and tells the app
                    self.app.call("POST", f"{self.path}/rounds", version=self.version)
            else:
                self.hear(WAIT)
        self.client.close()
        return self.version

    def chosen(self) -> Any:
        """A legal move."""
        declares = [move for move in self.moves if move["type"] == "declare"]
        return (declares or [self.chance.choice([move for move in self.moves if move["type"] != "pack"])])[0]

    @abstractmethod
    def hear(self, wait: int) -> None:
        """Wait for news."""

    @abstractmethod
    def make(self, move: Any) -> None:
        """Make a move."""


class Told(Player):
    """Every answer tells it all."""

    def hear(self, wait: int) -> None:
        self._take(self.client.call("GET", f"{self.path}/events?after={self.version}&wait={wait}&{BOTH}"))

    def make(self, move: Any) -> None:
        self._take(self.client.call("POST", f"{self.path}/moves?{BOTH}", {"move": move}, self.version))

    def _take(self, answer: Any) -> None:
        self.version, self.view, self.moves = answer["version"], answer["view"], answer["legal_moves"]["moves"]


class Looking(Player):
    """It hears that something has happened, and looks."""

    def hear(self, wait: int) -> None:
        self.version = self.client.call("GET", f"{self.path}/events?after={self.version}&wait={wait}")["version"]
        self._look()

    def make(self, move: Any) -> None:
        self.client.call("POST", f"{self.path}/moves", {"move": move}, self.version)
        self.hear(WAIT)  # it follows the log as all do

    def _look(self) -> None:
        shown = self.client.call("GET", self.path)
        self.version, self.view = shown["version"], shown["view"]
        to_move = self.view["to_move"]
        self.moves = self.client.call("GET", f"{self.path}/legal-moves")["moves"] if to_move else []


def main() -> None:
    """Print the table."""
    print(f"{setting()}\n{table(figures())}")


if __name__ == "__main__":
    main()

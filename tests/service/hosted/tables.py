"""Callers and tables for the tests of hosted games."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Literal

from werkzeug.test import TestResponse

from service import create_app
from service.callers.auth import digest
from service.config import Settings
from service.stores.contract import GameStore
from service.stores.lifetimes import Lifetimes
from service.stores.sqlite_store import SqliteStore

SHOP, SHOP_NEW, OTHER = "shop-key", "shop-key-after-rotation", "other-key"
KEYS = (("shop", digest(SHOP)), ("shop", digest(SHOP_NEW)), ("other", digest(OTHER)))
LIFETIMES = Lifetimes()
SEED = "5e" * 32


class Clock(SqliteStore):
    """A store whose clock tests can turn on."""

    ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead

    def pass_seconds(self, seconds: float) -> None:
        self.ahead += int(seconds * 1000)


@dataclass(frozen=True)
class Caller:
    """Someone with a token, or without."""

    service: Service
    token: str | None

    def call(
        self, method: str, path: str, body: Any = None, *, match: Any = None, key: str | None = None, **headers: str
    ) -> TestResponse:
        """One call; `match` is a version, or a raw If-Match."""
        given = dict(headers)
        if self.token is not None:
            given["Authorization"] = f"Bearer {self.token}"
        if match is not None:
            given["If-Match"] = match if isinstance(match, str) else f'"v{match}"'
        if key is not None:
            given["Idempotency-Key"] = key
        client = self.service.app.test_client()
        return (
            client.open(path, method=method, json=body, headers=given)
            if body is not None
            else client.open(path, method=method, headers=given)
        )

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.call("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.call("POST", path, body, **more)

    def delete(self, path: str, **more: Any) -> TestResponse:
        return self.call("DELETE", path, **more)


class Service:
    """The app under test; `shop` and `other` are two apps with keys. Open mode has none: everyone is `shop`."""

    def __init__(self, store: GameStore, *, keys: bool = True, log: Literal["requests", "errors"] = "errors") -> None:
        self.store = store
        self.app = create_app(Settings(log=log, waiters=4, api_keys=KEYS if keys else ()), store)
        self.shop = Caller(self, SHOP if keys else None)
        self.shop_with_new_key = Caller(self, SHOP_NEW)
        self.other = Caller(self, OTHER)

    def as_(self, token: str | None) -> Caller:
        return Caller(self, token)

    def create(self, game: str = "rummy", seats: int = 2, **more: Any) -> Table:
        """A new game of `shop`."""
        names = [f"seat {number}" for number in range(seats)]
        answer = self.shop.post("/v1/games", {"game": game, "seats": names, **more})
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json)


class Table:
    """A game and those who sit at it."""

    def __init__(self, service: Service, created: Any) -> None:
        self.service, self.created = service, created
        self.id: str = created["id"]
        self.path = f"/v1/games/{self.id}"
        self.app = service.shop
        self.seats = [service.as_(seat["token"]) for seat in created["seats"]]
        self.spectator = service.as_(created["spectator_token"])

    def state(self) -> Any:
        answer = self.app.get(f"{self.path}?seat=referee")
        assert answer.status_code == 200, answer.text
        return answer.json["state"]

    def version(self) -> int:
        return int(self.app.get(self.path).json["version"])

    def mover(self) -> Caller:
        """The seat to move."""
        return self.seats[self.state()["turn"]]

    def legal(self, seat: int | str) -> list[Any]:
        moves: list[Any] = self.app.get(f"{self.path}/legal-moves?seat={seat}").json["moves"]
        return moves

    def move(self, move: Any, caller: Caller | None = None, **more: Any) -> TestResponse:
        """A move of the seat to move, by itself unless another caller is named, on the current version unless told."""
        more.setdefault("match", self.version())
        return (caller or self.mover()).post(f"{self.path}/moves", {"move": move}, **more)

    def play(self, rng: random.Random, moves: int) -> None:
        """Some random moves; packs are rare, the next round follows at once."""
        for _ in range(moves):
            state = self.state()
            if state["phase"] == "match_over":
                return
            if state["turn"] is None:
                done = self.app.post(f"{self.path}/rounds", match=self.version())
            else:
                options = self.legal(state["turn"])
                active = [move for move in options if move["type"] != "pack"] or options
                done = self.move(rng.choice(active), self.seats[state["turn"]])
            assert done.status_code == 201, done.text


DRAW = {"type": "draw", "from": "stock"}

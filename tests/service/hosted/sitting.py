"""The calls that the examples of hosted games show, made one after the other at two tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.test import TestResponse

from service.http.operation import Operation
from service.routes import OPERATIONS
from tests.service.hosted.tables import Caller, Clock, Service

GAMES = {operation.name: operation for operation in OPERATIONS if operation.tag == "Games"}
FORFEIT = {"seat": None, "move": {"type": "forfeit", "seat": 1}}

Look = Callable[[Operation, TestResponse, int | None], None]
"""What is done with each answer: that of a call, and which of its examples it is the answer to (None: to no example)."""


class Sitting:
    """An app, its tables, and who looks at each answer."""

    def __init__(self, here: Service, clocked: Clock, look: Look) -> None:
        self.here, self.clocked, self.look = here, clocked, look
        self.shown: dict[str, int] = {}

    def example(self, caller: Caller, name: str, path: str, **more: Any) -> Any:
        """Send the next example of a call as it stands."""
        number = self.shown[name] = self.shown.get(name, -1) + 1
        operation = GAMES[name]
        response = caller.call(operation.method, path, operation.examples[number].asked, **more)
        assert response.status_code == operation.status, response.text
        self.look(operation, response, number)
        return response.json

    def also(self, caller: Caller, name: str, path: str, asked: Any = None, **more: Any) -> None:
        """Send what is no example, and look at the answer all the same."""
        self.look(GAMES[name], caller.call(GAMES[name].method, path, asked, **more), None)

    def swoop(self) -> None:
        """Two seats with a clock: a play, a seat out of time, new tokens, a forfeit, a second round, and the end."""
        shop = self.here.shop
        created = self.example(shop, "createGame", "/v1/games", key="table 7")
        path = f"/v1/games/{created['id']}"
        ann = self.here.as_(created["seats"][0]["token"])
        self.example(shop, "listGames", "/v1/games")
        self.example(ann, "getGame", path)
        self.also(shop, "getGame", f"{path}?seat=referee")
        self.example(ann, "listLegalMoves", f"{path}/legal-moves")
        self.example(ann, "makeMove", f"{path}/moves", match=1, **{"X-Request-Id": "play-1"})
        self.example(ann, "waitForEvents", f"{path}/events?after=1")
        self.clocked.pass_seconds(61)
        self.example(shop, "timeOutTurn", f"{path}/timeouts", match=2)
        self.example(shop, "replaceSeatToken", f"{path}/seats/1/token")
        self.example(shop, "replaceSpectatorToken", f"{path}/spectator/token")
        self.also(shop, "getRecord", f"{path}/record")
        self.also(shop, "makeMove", f"{path}/moves?include=views", FORFEIT, match=3)
        self.example(shop, "dealRound", f"{path}/rounds", match=4)
        self.also(shop, "makeMove", f"{path}/moves", FORFEIT, match=4)
        shop.post(f"{path}/moves", {"seat": None, "move": {"type": "abort"}}, match=5)
        self.example(ann, "getRecord", f"{path}/record")

    def rummy(self) -> None:
        """Three seats, without a clock: a draw from the stock."""
        created = self.example(self.here.shop, "createGame", "/v1/games")
        path = f"/v1/games/{created['id']}"
        ann = self.here.as_(created["seats"][0]["token"])
        self.example(ann, "listLegalMoves", f"{path}/legal-moves")
        self.example(ann, "makeMove", f"{path}/moves", match=1, **{"X-Request-Id": "draw-1"})
        self.also(ann, "waitForEvents", f"{path}/events")
        self.example(ann, "waitForEvents", f"{path}/events?after=1&include=view,legal_moves")

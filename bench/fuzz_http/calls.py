"""Valid calls of every route: the worked examples, and calls on states and tables that are made on the fly."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from bench.torture.play import decide
from engine.games import GAMES
from service.callers.auth import digest
from service.config import ROOT
from service.http.operation import Operation
from service.routes import OPERATIONS

SHOP, OTHER = "shop-key", "other-key"  # two apps; what is valid is the shop's
KEYS = (("shop", digest(SHOP)), ("other", digest(OTHER)))
JSON = ("Content-Type", "application/json")
SLOW_HANDS = json.loads((ROOT / "tests/cases/slow-hands.json").read_text(encoding="utf-8"))
OVERDUE = 61  # seconds: more than a turn of the tables lasts
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """One request. The body is a JSON value, or bytes as they are; None: no body."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: Any = None

    @property
    def target(self) -> str:
        """Path and query, as the first line has them."""
        return f"{self.path}?{self.query}" if self.query else self.path

    def with_header(self, name: str, *values: str) -> Call:
        """The same with these values of a header, none or several, in the place of those it had."""
        kept = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        return Call(self.method, self.path, self.query, (*kept, *((name, value) for value in values)), self.body)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, and the seconds it took: of the processor in process, of the clock over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float = 0.0
    fault: str = ""  # the exception behind a 5xx, where it can be known

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return orjson.loads(self.body)


Send = Callable[[Call], Answer]


def bearer(token: str) -> tuple[str, str]:
    """The header that says who calls."""
    return "Authorization", f"Bearer {token}"


class World:
    """Tables in many positions, all reached by calls; the same ones for the same random numbers."""

    def __init__(self, send: Send, rng: random.Random, later: Callable[[float], object] = lambda seconds: None) -> None:
        self._send, self._rng, self._later = send, rng, later
        self.ids: list[str] = []
        self.tokens = [SHOP, OTHER]
        self.states = {name: self._state(name) for name in GAMES}
        for name in GAMES:
            for key in (SHOP, SHOP, OTHER):
                self._table(name, key)
        self.live = [self.ids[0], self.ids[3]]  # of the shop, one of each game
        self.over = self.ids[1]
        self._change(self.over, {"type": "abort"}, None)
        self.send(Call("DELETE", f"/v1/games/{self.ids[4]}", headers=(bearer(SHOP),)))

    def send(self, call: Call) -> Answer:
        """The answer to a valid call."""
        return self._send(call)

    def valid(self, operation: Operation) -> Call:
        """A call of this operation that succeeds, made for this moment."""
        rng, path = self._rng, operation.path
        headers: Headers = (bearer(SHOP),) if operation.needs_caller else ()
        body: Any = None
        query = ""
        if operation.examples and operation.body is not None and "{" not in path:
            body = self._with_slow_hands(rng.choice(operation.examples).asked)
        elif operation.tag != "Games":
            body = self._stateless(path)
        if "{id}" in path:
            return self._hosted(operation, headers)
        if path == "/v1/games" and operation.method == "GET":
            query = rng.choice(["", "status=live", "limit=2", "status=over&limit=100"])
        if path.endswith(("/groupings.svg", "/groupings.png")):
            query = f"hand={','.join(rng.choice(SLOW_HANDS)['hand'])}&wild_rank=7"
        if path.startswith("/v1/rules/"):
            game = rng.choice(list(GAMES))
            path = f"/v1/rules/{game}/{rng.choice(list(GAMES[game].rules.presets()))}"
        return Call(operation.method, path, query, (*headers, *((JSON,) if body is not None else ())), body)

    def _stateless(self, path: str) -> Any:
        game = path.split("/")[2] if path.count("/") == 3 else ""
        state: Any = self.states.get(game)
        match path.rpartition("/")[2]:
            case "deals":
                return {"seats": 2, "rules": "house", "seed": "5e" * 32, "starter": 0}
            case "transitions":
                seat, move = decide(game, state, self._rng)
                return {"state": state, "seat": seat, "move": move}
            case "legal-moves" | "views" if state is not None:
                return {"state": state, "seat": state["turn"]}
        return None

    def _with_slow_hands(self, asked: Any) -> Any:
        """Now and then what is asked with hands that are known to take long."""
        if "wild_rank" not in asked or self._rng.random() < 0.7:
            return asked
        rows = self._rng.sample(SLOW_HANDS, 3)
        fitting: Any = {
            "hand": rows[0]["hand"],
            "hands": [row["hand"] for row in rows],
            "seats": [*asked.get("seats", ())[:-1], {"hand": rows[0]["hand"][:13]}],
        }
        rules = {"decks": 3} if "seats" in asked else rows[0]["rules"]
        wish = {name: fitting[name] for name in fitting if name in asked}
        return {**asked, "wild_rank": rows[0]["wild_rank"], "rules": rules, **wish}

    def _hosted(self, operation: Operation, headers: Headers) -> Call:
        rng = self._rng
        id = rng.choice(self.live)
        path = operation.path.replace("{n}", "1")
        query, body = "", None
        if operation.method == "DELETE" or path.endswith("/record"):
            id = self.over if path.endswith("/record") else self._table(rng.choice(list(GAMES)), SHOP)
        elif operation.method == "GET":
            query = rng.choice(["", "seat=0", "seat=1"])
            if path.endswith("/events"):
                query = rng.choice(["after=0", "after=3&wait=0", "limit=5&seat=0"])
            elif path == "/v1/games/{id}":
                query = rng.choice([query, "seat=referee"])
        elif operation.body is not None or path.endswith(("/rounds", "/timeouts")):
            seen = self._seen(id)
            if "state" not in seen:  # a mutant has deleted it
                self.live[self.live.index(id)] = id = self._table(rng.choice(list(GAMES)), SHOP)
                seen = self._seen(id)
            headers = (*headers, ("If-Match", f'"v{seen["version"]}"'), ("Idempotency-Key", f"k{rng.random()}"))
            query = rng.choice(["", "include=views"])
            if path.endswith("/moves"):
                seat, move = decide(seen["game"], seen["state"], rng)
                body = {"seat": seat, "move": move}
            elif path.endswith("/timeouts"):
                self._later(OVERDUE)
        return Call(
            operation.method,
            path.replace("{id}", id),
            query,
            (*headers, *((JSON,) if body is not None else ())),
            body,
        )

    def _seen(self, id: str) -> Any:
        return self.send(Call("GET", f"/v1/games/{id}", "seat=referee", (bearer(SHOP),))).json

    def _state(self, game: str) -> Any:
        """A state some moves after the deal."""
        rng = self._rng
        asked = {"seats": rng.randint(2, 4), "rules": "house", "seed": rng.randbytes(32).hex()}
        state = self._post(f"/v1/{game}/deals", asked).json["state"]
        for _ in range(rng.choice([0, 1, 2, 5, 20])):
            if state["phase"] == "match_over":
                break
            seat, move = decide(game, state, rng)
            moved = self._post(f"/v1/{game}/transitions", {"state": state, "seat": seat, "move": move})
            if moved.status == 200:
                state = moved.json["state"]
        return state

    def _table(self, game: str, key: str) -> str:
        rng = self._rng
        asked = {
            "game": game,
            "seats": ["north", "south", "west"][: rng.randint(2, 3)],
            "rules": rng.choice(_PRESETS[game]) if rng.random() < 0.5 else "house",
            "seed": rng.randbytes(32).hex(),
            "turn_seconds": OVERDUE - 1,
            "metadata": {"table": 7},
        }
        made = self._post("/v1/games", asked, key).json
        self.ids.append(made["id"])
        self.tokens += [made["spectator_token"], *(seat["token"] for seat in made["seats"])]
        for _ in range(rng.choice([0, 1, 3, 12])):
            if key != SHOP:
                break
            seen = self._seen(made["id"])
            if seen["state"]["phase"] == "match_over":
                break
            seat, move = decide(game, seen["state"], rng)
            self._change(made["id"], move, seat, seen["version"])
        return str(made["id"])

    def _change(self, id: str, move: Any, seat: int | None, version: int | None = None) -> None:
        version = version or self._seen(id)["version"]
        headers = (bearer(SHOP), JSON, ("If-Match", f'"v{version}"'))
        self.send(Call("POST", f"/v1/games/{id}/moves", "", headers, {"seat": seat, "move": move}))

    def _post(self, path: str, body: Any, key: str = SHOP) -> Answer:
        return self.send(Call("POST", path, "", (bearer(key), JSON), body))


_PRESETS = {name: [*game.rules.presets()] for name, game in GAMES.items()}


def pick(rng: random.Random) -> Operation:
    """An operation; those that take a body or change a game are drawn more often."""
    return rng.choices(OPERATIONS, _WEIGHTS)[0]


_WEIGHTS = [
    4 if each.body is not None else 3 if each.tag == "Games" and each.method == "POST" else 1 for each in OPERATIONS
]

"""Tables that are played over HTTP by clients who remember what they were promised, and the audit of those promises."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import orjson

from bench.torture.client import Account, Answer, Client, Fault
from engine.games import GAMES
from service.hosted.table import move_type
from service.json import codec, states
from service.use_cases.replay import Divergence, verify
from solver.solve import SolverArranger

RULES: dict[str, Any] = {"rummy": {"max_turns": 40, "rounds": 3}, "swoop": {"max_plies": 200}}
_numbers = itertools.count()

Move = tuple[int | None, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Promise:
    """A move that was answered with 201: its version, whose it was, the request's id, and what is said to have happened."""

    version: int
    seat: int | None
    key: str
    events: list[Any]


class Unsettled(Exception):
    """A request without a key was not answered, or with 503: nothing tells whether the move was made."""


class Table:
    """One hosted game with one client that makes all its moves."""

    def __init__(self, client: Client, game: str, rng: random.Random, keyed: bool = True, rules: Any = None) -> None:
        self.client, self.game, self.rng, self.keyed = client, game, rng, keyed
        self.name = f"t{next(_numbers)}"
        wish = {"game": game, "seats": ["north", "south"], "rules": rules or RULES[game]}
        created = client.settle("POST", "/v1/games", wish, Idempotency_Key=self.name)
        if created.status != 201:
            raise Fault(f"create: {created.status} {created.body!r}")
        self.id = str(created.json["id"])
        self.path = f"/v1/games/{self.id}"
        self.version = 1
        self.promises: list[Promise] = []
        self.seen = client.read(f"{self.path}?seat=referee")["state"]

    @property
    def over(self) -> bool:
        """Whether the match is."""
        return bool(self.seen["phase"] == "match_over")

    def decide(self) -> Move:
        """Something legal to do."""
        return decide(self.game, self.seen, self.rng)

    def next_move(self) -> tuple[Move, dict[str, Any], dict[str, str]]:
        """What to do next: the move, its request's body and its headers."""
        seat, move = self.decide()
        key = f"{self.name}-{self.version + 1}"
        headers = {"If_Match": f'"v{self.version}"', "X_Request_Id": key}
        return (seat, move), {"seat": seat, "move": move}, headers | ({"Idempotency_Key": key} if self.keyed else {})

    def step(self) -> None:
        """Make one move, and write down the promise."""
        (seat, _), body, headers = self.next_move()
        ask = self.client.settle if self.keyed else self._once
        self.keep(seat, headers["X_Request_Id"], ask("POST", f"{self.path}/moves?include=views", body, **headers))

    def keep(self, seat: int | None, key: str, answer: Answer) -> None:
        """Take an answer for what it promises. Raises Fault for any other than a success at the next version."""
        if answer.status != 201 or answer.json["version"] != self.version + 1:
            raise Fault(f"{self.path} at {self.version}, {key}: {answer.status} {answer.body[:300]!r}")
        told = answer.json
        self.version += 1
        self.promises.append(Promise(self.version, seat, key, told["events"]))
        turn = told["view"]["turn"]
        self.seen = told["views"]["spectator" if turn is None else "seats"]
        self.seen = self.seen if turn is None else self.seen[turn]
        self.client.account.note("moves")

    def _once(self, *request: Any, **headers: str) -> Answer:
        answer = self.client.call(*request, **headers)
        if answer is None or answer.status == 503:
            raise Unsettled
        return answer


def decide(game: str, seen: dict[str, Any], rng: random.Random) -> Move:
    """A legal move, from the view of the seat to move (or the whole state), without asking for the legal ones."""
    seat = seen["turn"]
    if seat is None:
        back = [each["seat"] for each in seen["standings"] if each["may_rejoin"]]
        return None, {"type": "rejoin", "seat": rng.choice(back)} if back and rng.random() < 0.5 else {
            "type": "next_round"
        }
    own = seen["seats"][seat]
    if game == "rummy":
        drawing = seen["phase"] == "draw"
        return seat, {"type": "draw", "from": "stock"} if drawing else {
            "type": "discard",
            "card": rng.choice(own["hand"]),
        }
    if seen["committed"] is not None:
        return seat, {"type": "play", "hand": [], "guards": []}
    if own["hand"]:
        return seat, {"type": "play", "hand": [rng.choice(own["hand"])], "guards": []}
    guards = [slot for slot, stack in enumerate(own["stacks"]) if stack["guard"] is not None]
    if guards:
        return seat, {"type": "play", "hand": [], "guards": guards[:1]}
    secrets = [slot for slot, stack in enumerate(own["stacks"]) if stack["secret"] is not None]
    return seat, {"type": "flip", "slot": rng.choice(secrets)}


class Load:
    """Clients that play tables of both games, one after the other, until the block ends."""

    def __init__(self, port: int, players: int, *, keyed: bool = True) -> None:
        self.account = Account()
        self.tables: list[Table] = []
        self._port, self._players, self._keyed = port, players, keyed
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(players)
        self._futures: list[Future[None]] = []

    def __enter__(self) -> Load:
        self._futures = [self._pool.submit(self._play, number) for number in range(self._players)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._pool.shutdown()
        if kind is None:
            for future in self._futures:
                future.result()

    @property
    def moves(self) -> int:
        """How many moves have been acknowledged."""
        return self.account.seen["moves"]

    def progress(self, moves: int, seconds: float = 60.0) -> float:
        """Return when `moves` more moves have been acknowledged, and say how long that took."""
        return self._wait_for("moves", moves, seconds)

    def refused(self, times: int, seconds: float = 60.0) -> float:
        """Return when `times` more requests have been answered with 503, and say how long that took."""
        return self._wait_for("503", times, seconds)

    def _wait_for(self, what: str, more: int, seconds: float) -> float:
        started, goal = time.monotonic(), self.account.seen[what] + more
        while self.account.seen[what] < goal and not all(future.done() for future in self._futures):
            if time.monotonic() - started > seconds:
                raise Fault(f"no {more} more {what} in {seconds:.0f} s")
            time.sleep(0.01)
        return time.monotonic() - started

    def _play(self, number: int) -> None:
        rng = random.Random(number)
        client = Client(self._port, self.account)
        try:
            while not self._stop.is_set():
                table = Table(client, rng.choice(list(GAMES)), rng, self._keyed)
                self.tables.append(table)
                try:
                    while not self._stop.is_set() and not table.over:
                        table.step()
                except Unsettled:
                    self.tables.remove(table)
                    self.account.note("tables given up")
        except Fault as fault:
            self.account.fault(str(fault))
        finally:
            client.close()


def audit(port: int, tables: Iterable[Table]) -> list[str]:
    """What is wrong with tables that nobody plays at any more: lost or doubled moves, gaps, a state that the log does not
    lead to, a record that does not verify. Ends their matches."""
    with closing(Client(port, Account())) as client:
        return [f"{table.path}: {what}" for table in tables for what in _audit_table(client, table)]


def _audit_table(client: Client, table: Table) -> list[str]:
    wrong = []
    logs = {seat: _log(client, table.path, seat) for seat in (None, 0, 1)}
    if list(logs[None]) != list(range(1, table.version + 1)):
        wrong.append(f"{table.version - 1} moves were acknowledged, the log has versions {list(logs[None])[-3:]}")
    for promise in table.promises:
        entry = logs[promise.seat].get(promise.version, [])
        if [_without_stamp(event) for event in entry] != promise.events or entry[0]["request_id"] != promise.key:
            wrong.append(f"version {promise.version} was acknowledged to {promise.key} and is not what the log has")
    if not table.over:
        headers = {"If_Match": f'"v{table.version}"', "Idempotency_Key": f"{table.name}-abort"}
        ended = client.settle("POST", f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, **headers)
        if ended.status != 201:
            return [*wrong, f"abort: {ended.status} {ended.body!r}"]
    record = client.settle("GET", f"{table.path}/record")
    try:
        verify(record.body)
    except Divergence as divergence:
        return [*wrong, f"the record diverges at {divergence}"]
    if replayed(record.json) != client.read(f"{table.path}?seat=referee")["state"]:
        wrong.append("the stored state is not what the log leads to")
    return wrong


def _log(client: Client, path: str, seat: int | None) -> dict[int, list[Any]]:
    """The events by version, as a seat or a spectator sees them."""
    log: dict[int, list[Any]] = {}
    whose = "" if seat is None else f"&seat={seat}"
    while events := client.read(f"{path}/events?after={max(log, default=0)}{whose}")["events"]:
        for event in events:
            log.setdefault(event["version"], []).append(event)
    return log


def _without_stamp(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("version", "at", "by", "request_id")}


def replayed(record: dict[str, Any]) -> Any:
    """The state that the engine makes of a record's seed and moves, as JSON."""
    game = GAMES[record["game"]]
    rules = codec.read(game.rules, record["rules"], "/rules")
    state, _ = game.deal(len(record["seats"]), rules, record["seed"], record["starter"])
    for step in record["moves"]:
        move = codec.read(move_type(game.name), step["move"], "/move")
        state, _ = game.apply(state, step["seat"], move, SolverArranger())
    return orjson.loads(orjson.dumps(states.to_json(game, state)))

"""Positions put into the store, and their twins in which every card that a viewer cannot see lies elsewhere: whatever that
viewer asks, what comes back is the same to the byte."""

from __future__ import annotations

import queue
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from bench.torture.client import Account, Client
from bench.torture.report import Finding, Tick
from bench.torture.service import ground
from engine.games import GAMES
from service.hosted.table import Table, write_table
from service.json.codec import write
from tests.engine.registry import HABITS
from tests.servers import Server
from tests.service.hosted.test_leaks import QUICK, positions, received

STORES = ("redis",)
LONG, SHORT = 2_000, 20
THREADS = 4
VARYING = {"date"}


class Received(NamedTuple):
    """An answer as `received` reads it."""

    status_code: int
    data: bytes
    headers: dict[str, str]


class Viewer:
    """One who holds a seat's or the spectator's token."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, path: str, **headers: str) -> Received:
        """What a GET brings."""
        return self._call("GET", path, None, headers)

    def post(self, path: str, body: Any = None, *, match: int | str, **headers: str) -> Received:
        """What a POST on a version brings."""
        given = match if isinstance(match, str) else f'"v{match}"'
        return self._call("POST", path, body, {**headers, "If-Match": given})

    def _call(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Received:
        answer = self._client.settle(method, path, body, **headers)  # a connection that was idle may have been closed
        kept = {name: value for name, value in answer.headers.items() if name not in VARYING}
        return Received(answer.status, answer.body, kept)


class Place:
    """A hosted game whose position is put into the store from outside."""

    def __init__(self, app: Client, redis: Server, game: str, seats: int, stack: ExitStack) -> None:
        wish = {"game": game, "seats": [f"seat {number}" for number in range(seats)]}
        created = app.settle("POST", "/v1/games", wish).json
        self.path = f"/v1/games/{created['id']}"
        self._key = f"cardref:{{{created['id']}}}:game"
        self._redis = stack.enter_context(redis.client())
        self._game = GAMES[game]
        tokens: dict[int | None, str] = {number: seat["token"] for number, seat in enumerate(created["seats"])}
        tokens[None] = created["spectator_token"]
        self.viewers: dict[int | None, Any] = {
            seat: Viewer(stack.enter_context(closing(app.holding(token)))) for seat, token in tokens.items()
        }

    def put(self, state: Any) -> None:
        """Let the game be in this position."""
        self._redis.hset(self._key, "blob", write_table(Table(self._game, state, (0,) * len(state.seats))))


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """`times` positions, half of each game."""
    account = Account()
    wrong: list[str] = []
    with ground(store, folder) as here, ExitStack() as stack, ThreadPoolExecutor(THREADS) as pool:
        assert here.redis is not None
        app = stack.enter_context(closing(Client(here.port, account)))
        for game in GAMES:
            desks: queue.Queue[dict[int, Place]] = queue.Queue()
            for _ in range(THREADS):
                desks.put({number: Place(app, here.redis, game, number, stack) for number in GAMES[game].seats})

            def compare(job: tuple[int, Any], game: str = game, desks: Any = desks) -> list[str]:
                desk = desks.get()
                try:
                    return _differences(game, *job, desk[len(job[1].seats)])
                finally:
                    desks.put(desk)
                    tick()

            for found in pool.map(compare, enumerate(positions(game, times // 2))):
                wrong += found
    figure = f"{times // 2 * 2:,} positions, {sum(account.seen.values()):,} answers"
    yield Finding("hidden cards permuted", store, figure, "same bodies, headers, sizes", (*account.faults, *wrong))


def _differences(game: str, number: int, state: Any, place: Place) -> list[str]:
    """What one viewer, taken at random, could tell a position from its twin by."""
    rng = random.Random(f"{game} {number}")
    viewer = rng.choice([None, *range(len(state.seats))])
    twin = HABITS[game].permuted(state, viewer, (), rng)
    moves = [HABITS[game].strange(state, rng) for _ in range(8)]
    refused = [{"move": write(move)} for move in moves if viewer is not None and _is_refused(game, state, viewer, move)]
    seen = []
    for each in (state, twin):
        place.put(each)
        caller = place.viewers[viewer]
        answers = received(caller, place.path, viewer, list(map(write, moves)))
        for body in refused:  # on the current version: the rules themselves refuse
            answer = caller.post(f"{place.path}/moves", body, match=1, **{"X-Request-Id": "same"})
            answers.append((answer.status_code, answer.data, sorted(answer.headers.items())))
        seen.append(answers)
        if state.seed.encode() in b"".join(answer[1] for answer in answers):
            return [f"{game}, position {number}: the seed is shown"]
    if seen[0] != seen[1]:
        return [f"{game}, position {number}, viewer {viewer}: {_first_difference(*seen)}"]
    return [] if all(answer[0] < 500 for answer in seen[0]) else [f"{game}, position {number}: an error"]


def _first_difference(one: list[Any], other: list[Any]) -> str:
    return next(f"{a!r} and {b!r}" for a, b in zip(one, other, strict=True) if a != b)[:500]


def _is_refused(game: str, state: Any, viewer: int, move: Any) -> bool:
    try:
        return GAMES[game].violation(state, viewer, move, QUICK) is not None
    except ValueError:  # a move of the referee
        return True

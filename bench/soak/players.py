"""Those who call: movers at a fixed rate over many games, watchers who wait for each move, askers for groupings."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from bench.hands import hands
from bench.soak.connection import Connection, Reply, request
from bench.soak.measured import Measured

CONNECTIONS = 64  # of movers and askers together: as many calls are under way at most
LIFE = 30  # moves of a game, before another takes its place: stored logs stay as long as they are
WAIT = 20  # seconds of a long poll
AT_ONCE = 50  # connections opened at the same moment
DRAW = {"type": "draw", "from": "stock"}


@dataclass
class Table:
    """A place where one game follows the other; two seats draw from the stock and discard what they drew."""

    life: int = LIFE
    path: str = ""
    version: int = 0
    seat: int = 0
    move: dict[str, str] = field(default_factory=lambda: DRAW)
    sent: float = 0.0  # when the move that leads to the next version was due
    idle: asyncio.Lock = field(default_factory=asyncio.Lock)


class Players:
    """All of them, on one service."""

    def __init__(self, port: int, measured: Measured, games: int) -> None:
        self._port, self._measured = port, measured
        self._free: asyncio.Queue[Connection] = asyncio.Queue()
        self._all = [Connection(port) for _ in range(CONNECTIONS)]
        for connection in self._all:
            self._free.put_nowait(connection)
        rng = random.Random(1)
        self.tables = [Table(life=rng.randint(1, LIFE)) for _ in range(games)]
        self.waiting = 0

    async def sit_down(self) -> None:
        """Make every game."""
        await asyncio.gather(*(self._create(table) for table in self.tables))

    def close(self) -> None:
        """Close the movers' and askers' connections."""
        for connection in self._all:
            connection.close()

    async def move(self, rate: float) -> None:
        """So many moves a second, each at its time whether the one before is answered or not."""
        tables = itertools.cycle(self.tables)
        await self._at_rate(rate, lambda due: self._one_move(next(tables), due))

    async def group(self, rate: float) -> None:
        """So many groupings a second."""
        asked = itertools.cycle(
            request(
                "POST", "/v1/rummy/groupings", json.dumps({"hand": dealt.hand, "wild_rank": dealt.wild_rank}).encode()
            )
            for dealt in hands("random", 1000, seed=1)
        )

        async def one(due: float) -> None:
            reply = await self._ask(next(asked))
            self._measured.note("grouping", reply.status if reply else 0, due)

        await self._at_rate(rate, one)

    async def watch(self, watchers: int) -> None:
        """So many who wait for news, spread over the games."""
        async with asyncio.TaskGroup() as group:
            for number in range(watchers):
                group.create_task(self._watch(self.tables[number % len(self.tables)], number // len(self.tables) % 2))
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0.05)

    async def _at_rate(self, rate: float, one: Callable[[float], Awaitable[None]]) -> None:
        started = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                due = started + number / rate
                if due > self._measured.began + self._measured.seconds:
                    return
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(_run(one(due)))

    async def _ask(self, sent: bytes) -> Reply | None:
        connection = await self._free.get()
        try:
            return await connection.ask(sent)
        except ConnectionError as fault:
            self._measured.wrong[f"no answer: {fault}"] += 1
            return None
        finally:
            self._free.put_nowait(connection)

    async def _one_move(self, table: Table, due: float) -> None:
        async with table.idle:
            table.sent = due
            body = json.dumps({"seat": table.seat, "move": table.move}).encode()
            reply = await self._ask(request("POST", f"{table.path}/moves", body, {"If-Match": f'"v{table.version}"'}))
            self._measured.note("move", reply.status if reply else 0, due)
            table.life -= 1
            if reply is not None and reply.status == 201:
                self._go_on(table, reply.json)
            else:
                self._measured.wrong[f"move: {reply.body[:200]!r}" if reply else "move: no answer"] += 1
                table.life = 0
            if table.life <= 0:
                await self._replace(table)

    def _go_on(self, table: Table, done: Any) -> None:
        table.version = done["version"]
        table.seat = done["view"]["turn"]
        drawn = [event["card"] for event in done["events"] if event["type"] == "drew"]
        table.move = {"type": "discard", "card": drawn[-1]} if drawn else DRAW

    async def _replace(self, table: Table) -> None:
        over = table.path
        await self._create(table)
        await self._ask(request("DELETE", over))  # now, for who waits there finds the new one

    async def _create(self, table: Table) -> None:
        body = json.dumps({"game": "rummy", "seats": ["a", "b"], "rules": {"max_turns": 10_000}}).encode()
        reply = await self._ask(request("POST", "/v1/games", body))
        if reply is None or reply.status != 201:
            self._measured.wrong[f"create: {reply.body[:200]!r}" if reply else "create: no answer"] += 1
            return
        made: Any = reply.json
        table.path, table.version, table.seat = f"/v1/games/{made['id']}", 1, made["view"]["turn"]
        table.life, table.move = table.life if table.life > 0 else LIFE, DRAW

    async def _watch(self, table: Table, seat: int) -> None:
        connection = Connection(self._port)
        path, after = table.path, table.version
        try:
            while True:
                if path != table.path:
                    path, after = table.path, 1
                after = await self._wait(
                    connection, table, after, f"{path}/events?after={after}&wait={WAIT}&seat={seat}&limit=5"
                )
        finally:
            connection.close()

    async def _wait(self, connection: Connection, table: Table, after: int, target: str) -> int:
        """One long poll; the version that is known then."""
        asked = time.monotonic()
        self.waiting += 1
        try:
            reply = await connection.ask(request("GET", target))
        except ConnectionError as fault:
            self._measured.wrong[f"watcher: {fault}"] += 1
            await asyncio.sleep(1)
            return after
        finally:
            self.waiting -= 1
        if reply.status != 200:
            self._measured.statuses[f"watcher {reply.status}"] += 1
            if reply.status >= 500:
                self._measured.wrong[f"watcher: status {reply.status}"] += 1
            await asyncio.sleep(0 if table.path not in target else 1)
        elif reply.version > after:
            self._measured.note("news", 200, table.sent)
            return reply.version
        elif time.monotonic() - asked < WAIT / 2:
            self._measured.statuses["watcher sent away at once"] += 1
            await asyncio.sleep(1)
        return after


async def _run(what: Awaitable[None]) -> None:
    await what

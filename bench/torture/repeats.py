"""Every move is sent three times with its key: at the same moment, one after the other, and after restarts."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.torture.client import Account, Answer, Client, Fault
from bench.torture.play import Table, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import ground
from engine.games import GAMES

STORES = ("sqlite", "redis")
LONG, SHORT = 10_000, 120
PLAYERS, WORKERS = 4, 4
BETWEEN_RESTARTS = 2_000

Request = tuple[str, dict[str, Any], dict[str, str]]


@dataclass
class Player:
    """Plays tables with three connections; `later` are the repeats to be sent after the next restart."""

    port: int
    account: Account
    rng: random.Random
    tick: Tick
    tables: list[Table] = field(default_factory=list)
    later: list[tuple[Request, Answer]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clients = [Client(self.port, self.account) for _ in range(3)]
        self.pool = ThreadPoolExecutor(3)

    def play(self, moves: int) -> None:
        """First what is left from before the restart, then so many moves."""
        for request, first in self.later:
            self.compare([first, self.send(self.clients[0], request)])
        self.later = []
        for _ in range(moves):
            if not self.tables or self.tables[-1].over:
                self.tables.append(Table(self.clients[0], self.rng.choice(list(GAMES)), self.rng))
            self.move(self.tables[-1])
            self.tick()

    def move(self, table: Table) -> None:
        """One move, sent two or three times now."""
        (seat, _), body, headers = table.next_move()
        request = (f"{table.path}/moves?include=views", body, headers)
        at_once = self.rng.randint(1, 3)
        start = threading.Barrier(at_once)

        def send_together(client: Client) -> Answer:
            start.wait(timeout=60)
            return self.send(client, request)

        answers = list(self.pool.map(send_together, self.clients[:at_once]))
        if at_once == 1:
            answers.append(self.send(self.clients[1], request))
        if len(answers) == 2:
            self.later.append((request, answers[0]))
        self.compare(answers)
        if sum("idempotent-replayed" not in answer.headers for answer in answers) > 1:
            self.account.fault(f"{headers['X_Request_Id']}: two answers claim to be the first")
        table.keep(seat, headers["X_Request_Id"], answers[0])

    def send(self, client: Client, request: Request) -> Answer:
        """Send it until it is answered."""
        path, body, headers = request
        return client.settle("POST", path, body, **headers)

    def compare(self, answers: list[Answer]) -> None:
        """All must be the same success."""
        if len({answer.essence for answer in answers}) != 1 or answers[0].status != 201:
            self.account.fault(f"answers differ: {[(answer.status, answer.body[:80]) for answer in answers]}")

    def close(self) -> None:
        """End threads and connections."""
        self.pool.shutdown()
        for client in self.clients:
            client.close()


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """`times` moves by several players, with restarts of the service under way."""
    account = Account()
    restarts = max(1, times // BETWEEN_RESTARTS - 1)
    share = times // PLAYERS // (restarts + 1)
    with ground(store, folder, WORKERS) as here, ThreadPoolExecutor(PLAYERS) as pool:
        players = [Player(here.port, account, random.Random(number), tick) for number in range(PLAYERS)]
        try:
            for _ in range(restarts):
                futures = [pool.submit(player.play, share) for player in players]
                for future in futures:
                    future.result()
                here.service.stop()
                here.service.start()
            list(pool.map(lambda player: player.play(share), players))
            list(pool.map(lambda player: player.play(0), players))
        except Fault as fault:
            account.fault(str(fault))
        tables = [table for player in players for table in player.tables]
        wrong = [*account.faults, *audit(here.port, tables)]
        for player in players:
            player.close()
    sent = account.seen["201"] - len(tables)
    figure = f"{account.seen['moves']:,} moves, {sent:,} answers, {restarts} restarts"
    yield Finding("moves sent three times", store, figure, "each made once, all answers the same", tuple(wrong))

"""Many clients make a move on the same version of the same game at the same moment: one of them may."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.torture.client import Account, Answer, Client
from bench.torture.play import Table, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import ground

STORES = ("sqlite", "redis")
LONG, SHORT = 200, 6
CLIENTS, WORKERS = 64, 4


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """`times` rounds; each client sends its own move under its own key, so it shows whose was made."""
    account = Account()
    wrong: list[str] = []
    with ground(store, folder, WORKERS) as here, ThreadPoolExecutor(CLIENTS) as pool:
        clients = [Client(here.port, account) for _ in range(CLIENTS)]
        start = threading.Barrier(CLIENTS)
        table = Table(clients[0], "rummy", random.Random(1), rules={"max_turns": 10_000})

        def send(client: Client, body: dict[str, Any], headers: dict[str, str]) -> Answer:
            start.wait(timeout=60)
            return client.settle("POST", f"{table.path}/moves?include=views", body, **headers)

        for _ in range(times):
            requests = [_own(table, number) for number in range(CLIENTS)]
            answers = list(pool.map(lambda pair: send(pair[0], *pair[1]), zip(clients, requests, strict=True)))
            winners = [number for number, answer in enumerate(answers) if answer.status == 201]
            late = [answer for answer in answers if answer.status == 412]
            if len(winners) != 1 or len(winners) + len(late) != CLIENTS:
                wrong.append(f"version {table.version}: {[answer.status for answer in answers]}")
                break
            if any(answer.json["version"] != table.version + 1 for answer in late):
                wrong.append(f"version {table.version}: a refusal names another version than the next")
            body, headers = requests[winners[0]]
            table.keep(body["seat"], headers["X_Request_Id"], answers[winners[0]])
            tick()
        wrong += [*account.faults, *audit(here.port, [table])]
        for client in clients:
            client.close()
    figure = f"{table.version - 1} rounds of {CLIENTS} clients: {account.seen['201'] - 1} × 201, {account.seen['412']:,} × 412"
    yield Finding("race for a version", store, figure, "one success a round, log without a gap", tuple(wrong))


def _own(table: Table, number: int) -> tuple[dict[str, Any], dict[str, str]]:
    """The request of one client: a random move, its own key."""
    _, body, headers = table.next_move()
    key = f"{headers['X_Request_Id']}-{number}"
    return body, {**headers, "X_Request_Id": key, "Idempotency_Key": key}

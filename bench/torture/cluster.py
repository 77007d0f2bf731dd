"""Whole matches of both games on a cluster of three nodes."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.torture.client import Account, Client, Fault
from bench.torture.play import Move, Table, audit, decide
from bench.torture.report import Finding, Tick
from bench.torture.service import program, serving
from engine.games import GAMES
from tests.servers import Server
from tests.servers import cluster as start_cluster

STORES = ("cluster",)
LONG, SHORT = 10, 1


class Match(Table):
    """A table under the rules `house`, at which rummy players know what to discard, and declare when they can."""

    def __init__(self, client: Client, game: str, rng: random.Random) -> None:
        super().__init__(client, game, rng, rules="house")

    def decide(self) -> Move:
        """Ask the service itself what to discard."""
        if self.game != "rummy" or self.seen["phase"] != "discard":
            return decide(self.game, self.seen, self.rng)
        seat = self.seen["turn"]
        asked = {"hand": self.seen["seats"][seat]["hand"], "wild_rank": self.seen["wild_rank"], "rules": "house"}
        found = self.client.settle("POST", "/v1/rummy/groupings", asked).json
        if found["declarable"]:
            return seat, {"type": "declare", "fold": found["discard"]}
        return seat, {"type": "discard", "card": found["discard"]}


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """`times` matches of each game."""
    account = Account()
    with start_cluster(program(), folder / store) as nodes:
        url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        with serving(folder, CARDREF_STORE=url) as service:
            client = Client(service.port, account)
            tables = []
            try:
                for number in range(times):
                    for game in GAMES:
                        tables.append(Match(client, game, random.Random(number)))
                        while not tables[-1].over:
                            tables[-1].step()
                    tick()
            except Fault as fault:
                account.fault(str(fault))
            wrong = [*account.faults, *audit(service.port, tables), *_scattered(nodes, tables)]
            homes = sum(bool(node.ask("DBSIZE")) for node in nodes)
            client.close()
    figure = f"{len(tables)} matches, {account.seen['moves']:,} moves, games on {homes} of 3 nodes"
    yield Finding("matches on a cluster", store, figure, "all end, each game's keys in one slot", tuple(wrong))


def _scattered(nodes: list[Server], tables: Sequence[Table]) -> list[str]:
    """Games whose keys are not all in one slot, as the cluster itself says."""
    slots: defaultdict[str, list[int]] = defaultdict(list)
    for node in nodes:
        with node.client() as connection:
            for key in connection.keys("*{*}*"):
                slots[key.decode().partition("{")[2].partition("}")[0]].append(_slot(node, key.decode()))
    found = [(table.path, slots[table.id]) for table in tables]
    return [f"{path}: keys in slots {slots}" for path, slots in found if len(slots) != 4 or len(set(slots)) != 1]


def _slot(node: Server, key: str) -> int:
    slot = node.ask("CLUSTER", "KEYSLOT", key)
    assert isinstance(slot, int)
    return slot

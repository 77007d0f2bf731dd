"""Fail-overs that lose what the replica has not got, under `CARDREF_DURABILITY=durable`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import program, serving
from tests.servers import Pair, Server, sentinel_pair, wait_for

STORES = ("sentinel",)
LONG, SHORT = 10, 1
PLAYERS = 8
REPLICATING = ("masteruser copier", "masterauth secret", "user copier on >secret ~* &* +@all")


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """`times` times: cut the replica off, let the primary go on writing, kill it, let Sentinel promote the replica."""
    rng = random.Random(store)
    discarded = 0
    recovery = 0.0
    with (
        sentinel_pair(program(), folder / store, *REPLICATING) as pair,
        serving(folder, CARDREF_STORE=pair.url, CARDREF_DURABILITY="durable") as service,
    ):
        with Load(service.port, PLAYERS) as load:
            for _ in range(times):
                load.progress(rng.randrange(20, 60))
                discarded += _lose_primary(pair, load)
                recovery = max(recovery, load.progress(PLAYERS))
                wait_for(pair.linked, "the old primary to follow")
                tick()
        wrong = [*load.account.faults, *audit(service.port, load.tables)]
    seen = load.account.seen
    if not seen["503"]:
        wrong.append("nobody was told 503")
    figure = (
        f"{times} fail-overs, {load.moves:,} moves acknowledged, {discarded:,} bytes written and lost unacknowledged, "
        f"{seen['503']} × 503, {seen['500']} × 500"
    )
    yield Finding("fail-over, link cut", store, figure, "none lost; 503 with Retry-After, no 500", tuple(wrong))


def _lose_primary(pair: Pair, load: Load) -> int:
    """Kill the primary after it has written what its replica never got; how many bytes that was."""
    primary, replica = pair.primary(), pair.replica()
    primary.ask("ACL", "SETUSER", "copier", "off")
    primary.ask("CLIENT", "KILL", "TYPE", "replica")
    before = _offset(primary)
    load.refused(PLAYERS)
    lost = _offset(primary) - before
    primary.kill()
    wait_for(lambda: pair.primary() is replica, "the fail-over")
    pair.start_as_replica(primary)
    return lost


def _offset(server: Server) -> int:
    with server.client() as client:
        return int(client.info("replication")["master_repl_offset"])

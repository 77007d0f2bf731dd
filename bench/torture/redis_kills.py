"""A Redis that syncs every write to disk (`appendfsync always`), killed under load and started again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import ground

STORES = ("redis",)
LONG, SHORT = 20, 2
PLAYERS = 8
ALWAYS = ("appendonly yes", "appendfsync always")


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """SIGKILL it `times` times; sometimes it is back at once, sometimes callers have to be told."""
    rng = random.Random(store)
    recovery = 0.0
    with ground(store, folder, options=ALWAYS) as here:
        assert here.redis is not None
        with Load(here.port, PLAYERS) as load:
            for number in range(times):
                load.progress(rng.randrange(20, 100))
                here.redis.kill()
                if number % 2:
                    load.refused(PLAYERS)
                here.redis.start()
                recovery = max(recovery, load.progress(PLAYERS))
                tick()
        wrong = [*load.account.faults, *audit(here.port, load.tables)]
    if not load.account.seen["503"]:
        wrong.append("nobody was told 503")
    seen = load.account.seen
    figure = f"{times} kills, {load.moves:,} moves acknowledged, {seen['503']} × 503, {seen['500']} × 500, back in {recovery:.1f} s"
    yield Finding("Redis killed", store, figure, "none lost; 503 with Retry-After, no 500", tuple(wrong))

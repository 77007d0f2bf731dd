"""A line to the store that loses replies: what the store has done, and the service has not heard of."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import EVERY_SECOND, Ground, program, serving
from service.stores.redis_script import Script
from service.stores.redis_store import COMMIT, LOAD
from tests.proxy import Proxy
from tests.servers import running, wait_for

STORES = ("redis",)
LONG, SHORT = 500, 12
PLAYERS = 4


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """Lose `times` replies, of loads and of commits. Half of the clients send no key: their requests must not need one."""
    with (
        running(program(), folder / store, *EVERY_SECOND) as server,
        Proxy(server.port) as proxy,
        serving(folder, CARDREF_STORE=proxy.url) as service,
    ):
        here = Ground(service, server)
        with Load(here.port, PLAYERS) as keyed, Load(here.port, PLAYERS, keyed=False) as unkeyed:
            for number in range(times):
                _lose_one(proxy, LOAD if number % 4 == 3 else COMMIT)
                time.sleep(random.uniform(0.05, 0.1))  # the next one is another request's, not this one's second try
                tick()
            keyed.progress(PLAYERS)
            unkeyed.progress(PLAYERS)
        wrong = [*keyed.account.faults, *unkeyed.account.faults, *audit(here.port, [*keyed.tables, *unkeyed.tables])]
    refused = keyed.account.seen["503"] + unkeyed.account.seen["503"]
    if refused > max(2, times // 50):
        wrong.append("the service did not find out by itself what had been done")
    figure = f"{proxy.dropped} replies lost during {keyed.moves + unkeyed.moves:,} moves, {refused} × 503"
    yield Finding("replies of the store lost", store, figure, "none made twice, no false 412", tuple(wrong))


def _lose_one(proxy: Proxy, script: Script) -> None:
    lost = proxy.dropped
    proxy.drop_replies(1, to=script.sha)
    wait_for(lambda: proxy.dropped > lost, "a call of the script")

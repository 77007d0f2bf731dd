"""A Redis that throws games away when it is full (`maxmemory-policy allkeys-lru`), and is: it gets no games."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bench.torture.client import Account, Client
from bench.torture.play import Load, audit
from bench.torture.report import Finding, Tick
from bench.torture.service import ground
from service.use_cases import readiness

STORES = ("redis",)
LONG, SHORT = 1500, 60
PLAYERS = 8
ROOM = 100_000  # bytes: a few games more, and it would begin to throw others away


def run(store: str, folder: Path, times: int, tick: Tick) -> Iterator[Finding]:
    """Play; set the policy and the memory; ask for `times` games; set it right again, and see what is left."""
    answers: Counter[str] = Counter()
    with ground(store, folder) as here, closing(Client(here.port, Account())) as client:
        assert here.redis is not None
        with Load(here.port, PLAYERS) as load:
            load.progress(10 * PLAYERS)
        with here.redis.client() as redis:
            redis.config_set("maxmemory-policy", "allkeys-lru")
            redis.config_set("maxmemory", int(redis.info("memory")["used_memory"]) + ROOM)
            redis.client_kill_filter(_type="normal", skipme=True)  # else it would be noticed within a minute
            until = time.monotonic() + 2 * readiness.SECONDS
            for _ in range(times):
                answer = client.call("POST", "/v1/games", {"game": "rummy", "seats": ["a", "b"]})
                answers["none" if answer is None else str(answer.json.get("code", answer.status))] += 1
                tick()
            ready = client.call("GET", "/readyz")
            while (
                ready is not None and ready.status == 200 and time.monotonic() < until
            ):  # a good word is kept for a moment
                time.sleep(0.1)
                ready = client.call("GET", "/readyz")
            redis.config_set("maxmemory", 0)
            redis.config_set("maxmemory-policy", "noeviction")
            redis.client_kill_filter(_type="normal", skipme=True)
        wrong = [*client.account.faults, *audit(here.port, load.tables)]
    if ready is None or ready.status != 503 or "maxmemory-policy is allkeys-lru" not in ready.json["detail"]:
        wrong.append("/readyz does not name the setting")
    if others := {code: number for code, number in answers.items() if code not in ("store_unsafe", "rate_limited")}:
        wrong.append(f"other answers: {others}")
    figure = f"{times} creates, {answers['store_unsafe']} × 503 store_unsafe, {load.moves} moves before, of {len(load.tables)} games"
    yield Finding("Redis evicting, full", store, figure, "none created, none lost; /readyz 503", tuple(wrong))

"""What is counted in Redis or Valkey by all processes together: rates of apps, and their long polls."""

from __future__ import annotations

from pathlib import Path

from service.callers.limits import Rate
from service.stores.redis_client import RedisClient
from service.stores.redis_health import Findings, Health
from service.stores.redis_script import Script

RATES, WAITING = (Script.of((Path(__file__).parent / f"{name}.lua").read_text()) for name in ("rates", "waiting"))


class _Quiet(Health):
    """Tells nothing of the servers: the store does, whose they are."""

    def add(self, server: str, found: Findings) -> None:
        """Nothing is lost with a rate."""


class RedisCounts:
    """`service.callers.rates.Shared` and `service.callers.places.Elsewhere`, in the store at `url`."""

    def __init__(self, url: str, prefix: str = "cardref:") -> None:
        self._redis = RedisClient(url, health=_Quiet())
        self._prefix = prefix

    def settle(self, name: str, kind: str, rate: Rate, spent: float) -> float:
        """What is left in the bucket once this much has been taken off. Raises StoreUnavailable."""
        words = [rate.a_second, rate.most, spent]
        return float(self._redis.run(RATES, [f"{self._prefix}rate:{kind}:{name}"], words, lambda left: False))

    def waiting(self, name: str, process: str, count: int) -> int:
        """Note how many long polls of the app wait in this process, and say how many do in all others. Raises StoreUnavailable."""
        return int(self._redis.run(WAITING, [f"{self._prefix}waiting:{name}"], [process, count], lambda others: False))

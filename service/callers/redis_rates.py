"""Rates of apps, counted in Redis or Valkey by all processes together."""

from __future__ import annotations

from pathlib import Path

from service.callers.limits import Rate
from service.stores.redis_client import RedisClient
from service.stores.redis_health import Findings, Health
from service.stores.redis_script import Script

RATES = Script.of((Path(__file__).parent / "rates.lua").read_text())


class _Quiet(Health):
    """Tells nothing of the servers: the store does, whose they are."""

    def add(self, server: str, found: Findings) -> None:
        """Nothing is lost with a rate."""


class RedisRates:
    """`service.callers.rates.Shared` in the store at `url`."""

    def __init__(self, url: str, prefix: str = "cardref:") -> None:
        self._redis = RedisClient(url, health=_Quiet())
        self._prefix = prefix

    def settle(self, name: str, kind: str, rate: Rate, spent: float) -> float:
        """What is left in the bucket once this much has been taken off. Raises StoreUnavailable."""
        words = [rate.a_second, rate.most, spent]
        return float(self._redis.run(RATES, [f"{self._prefix}rate:{kind}:{name}"], words, lambda left: False))

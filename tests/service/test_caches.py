"""What is remembered for callers has a bound: nobody can fill the memory with values of their own."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper
from typing import Any

from cachetools import Cache
from flask import Flask

FOR_EVER = {
    # by type, game or kind of value: as many as the code has
    "engine.options.options", "service.json.decode._reader", "service.json.encode._of_kind", "service.json.encode._writer", "service.json.type_hints._members", "service.json.states.following",
    "service.hosted.table.event_type", "service.hosted.table.move_type",
    # by operation and status
    "prometheus_client.metrics.MetricWrapperBase.labels",
    # made once
    "service.contract.openapi.text", "service.hosted.kept_rules._presets", "service.play.pages._files", "service.play.picture._signs",
    # what the description is made from
    "service.contract.json_schema._depends_on_game", "service.contract.json_schema._envelopes", "service.contract.json_schema._seen",
    # what the documents show of the code
    "service.contract.rooms.arrows", "service.contract.rooms.rooms",
}  # fmt: skip


def test_what_is_kept_for_ever_does_not_depend_on_what_callers_send(app: Flask) -> None:
    client = app.test_client()
    client.post("/v1/rummy/deals", json={"seats": 2})  # some are made at the first use
    client.post("/v1/swoop/deals", json={"seats": 2})
    caches: list[Any] = [found for found in gc.get_objects() if isinstance(found, _lru_cache_wrapper)]
    parts = ("engine.", "solver.", "service.", "prometheus_client.")
    ours = [
        cache for cache in caches if hasattr(getattr(cache, "__wrapped__", None), "__qualname__")
    ]  # sqlite3 has some
    names = {f"{cache.__module__}.{cache.__wrapped__.__qualname__}": cache for cache in ours}
    unbounded = {name for name, cache in names.items() if name.startswith(parts) and cache.cache_info().maxsize is None}
    assert unbounded <= FOR_EVER
    assert "service.json.encode._writer" in unbounded  # else none of them are found here
    assert all(cache.maxsize < 100_000 for cache in gc.get_objects() if isinstance(cache, Cache))

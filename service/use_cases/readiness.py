"""Whether the process should be sent calls, as /readyz says it: asked by whoever likes, but looked at once a second."""

from __future__ import annotations

import time

from service.problems.refusals import Refusal
from service.stores.contract import GameStore
from service.stores.errors import Damaged, Refuses, StoreUnavailable, Unsafe
from service.stores.notices import Notice

SECONDS = 1.0


class Readiness:
    """The last good word of a store, for a second: each look writes, and nobody needs a key to ask for it."""

    def __init__(self) -> None:
        self._until = 0.0
        self._notices: tuple[Notice, ...] = ()

    def check(self, store: GameStore) -> tuple[Notice, ...]:
        """What should be known of a store that takes changes. Raises what is refused while it takes none: a refusal that
        says why where the store itself does, else StoreUnavailable."""
        if time.monotonic() >= self._until:
            try:
                self._notices = store.ready()
            except StoreUnavailable as fault:
                raise _why(fault) from fault
            self._until = time.monotonic() + SECONDS
        return self._notices


def _why(fault: StoreUnavailable) -> Exception:
    """Only what a store says of itself is told here; what a connection says names addresses."""
    codes = {Unsafe: "store_unsafe", Damaged: "store_damaged", Refuses: "store_unavailable"}
    code = codes.get(type(fault))
    return Refusal(code, str(fault)) if code else fault

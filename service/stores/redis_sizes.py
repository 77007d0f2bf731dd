"""How much room the games of an owner take, in Redis: a sum beside the owner's indices.

A game says itself how much it takes, in the same script that changes it; it lies in another slot of a cluster than the sum. So the sum
keeps what it was last told of each game, changes by the difference, and cannot drift from that; and it is told when the number of
a game's blocks changes, after the change. Where a process dies in between, the game's next block, or the next look at it, puts that
right: each game is looked at when it should be gone, or an hour after it was entered and never told of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from service.stores import room
from service.stores.contract import GONE
from service.stores.errors import StoreUnavailable
from service.stores.redis_client import RedisClient
from service.stores.redis_script import Script

SIZE = Script("size", prelude=False)
WEIGH = Script("weigh")

LOOK = 16  # games at a time
AGAIN = 60_000  # ms at least until a game is looked at again


class RedisSizes:
    """The sums of all owners. `both`: the keys of an owner's sum, by its name; `keys`: those of a game, by its id."""

    def __init__(
        self,
        redis: RedisClient,
        own: Callable[[str], Sequence[str]],
        keys: Callable[[str], Sequence[str]],
        now: Callable[[], int],
    ) -> None:
        self._redis = redis
        self._own = own
        self._keys = keys
        self._now = now

    def tell(self, owner: str, id: str, version: int, taken: int, due: int) -> None:
        """A game takes so much at this version, and is to be looked at when `due`; 0: it takes nothing any more."""
        with suppress(StoreUnavailable):  # the change stands; the sum is put right later
            facts = [id, room.counted(taken), version, due]
            self._redis.run(SIZE, self._own(owner), facts, lambda reply: False)

    def look(self, owner: str, ids: Iterable[str]) -> None:
        """See what games take."""
        with suppress(StoreUnavailable):
            now = self._now()
            for id in ids:
                taken, left, version = self._redis.run(WEIGH, self._keys(id), [], lambda reply: False)
                self.tell(owner, id, GONE if version < 0 else version, taken, now + max(left, AGAIN))

    def of(self, owner: str) -> int:
        """How much the games of an owner take, some of those that should be gone by now looked at first."""
        sizes, ends = self._own(owner)
        due = self._redis.command("ZRANGEBYSCORE", ends, "-inf", self._now(), "LIMIT", 0, LOOK)
        self.look(owner, [id.decode() for id in due])
        return int(self._redis.command("HGET", sizes, "all") or 0)

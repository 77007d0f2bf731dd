"""Which games an owner has, in Redis: one index of those that are live and one of those whose match is over.

Both lie in one slot of a cluster, the games anywhere; so an index is a hint, and what a list shows is what the games say. An
entry comes before its game (or the end of its match) does, and goes after it: a crash in between leaves an entry too many, which
is passed over and later removed, never one too few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from service.stores import redis_replies as replies
from service.stores import room
from service.stores.contract import Listing, Summary
from service.stores.errors import StoreUnavailable
from service.stores.lifetimes import HOUR, Status
from service.stores.redis_client import RedisClient
from service.stores.redis_script import Script
from service.stores.redis_sizes import RedisSizes

ENTER, FINISH = (Script(name, prelude=False) for name in ("index", "finish"))

SWEEP = 16  # entries looked at, once in as many creates: what is gone is at most half of an index
GRACE = HOUR  # an entry without a game is left alone for so long: its game may just be coming
BATCH = 500  # entries of a former release's index taken over at a time

ALL = ("live", "over", "sizes", "ends")  # the keys of an owner

Entry = tuple[str, int]  # a game's id, and its score


class Entered(NamedTuple):
    """How many live games there are with the one that is coming, with those that are gone and not swept yet; and of which it is to
    be seen what they take."""

    live: int
    due: list[str]


class RedisIndex:
    """The indices of all owners. `keys`: the keys of a game, its hash the first, by its id; `now`: the store's clock."""

    def __init__(
        self, redis: RedisClient, prefix: str, keys: Callable[[str], Sequence[str]], now: Callable[[], int]
    ) -> None:
        self._redis = redis
        self._prefix = prefix
        self._keys = keys
        self._now = now
        self.sizes = RedisSizes(redis, lambda owner: self._own(owner, "sizes", "ends"), keys, now)

    def enter(self, owner: str, id: str, bytes: int) -> Entered:
        """A game is about to be made that will take so many bytes."""
        facts = [id, room.counted(bytes), GRACE]
        live, due = self._redis.changing(ENTER, self._own(owner, *ALL), facts, lambda reply: True)
        return Entered(live, [each.decode() for each in due])

    def entered(self, owner: str, found: Entered) -> None:
        """It has been made: now there is time to tidy up."""
        if found.live % SWEEP == 0:
            self.sweep(owner)
        if found.due:
            self.sizes.look(owner, found.due)

    def deleted(self, owner: str, id: str) -> None:
        """A game has been deleted."""
        with suppress(StoreUnavailable):  # it stands; the next list tidies up
            self._redis.pipeline([["ZREM", index, id] for index in self._both(owner)])

    def finish(self, owner: str, id: str) -> None:
        """A match is about to end."""
        self._redis.run(FINISH, self._both(owner), [id], lambda reply: True)

    def finished(self, owner: str, id: str) -> None:
        """A match has ended."""
        with suppress(StoreUnavailable):  # it stands; the next list tidies up
            self._redis.command("ZREM", self._both(owner)[0], id)

    def live(self, owner: str) -> int:
        """How many live games `owner` has, with those that are gone and not swept yet."""
        self.sweep(owner)
        return sum(self._redis.pipeline([["ZCARD", self._both(owner)[0]], ["ZCARD", self._former(owner)]]))

    def page(self, owner: str, status: Status | None, after: int | None, limit: int) -> Listing:
        """Up to `limit` games of `owner`, newest first."""
        found: list[Summary] = []
        last = after
        while True:
            entries = self._entries(owner, status, last, limit + 1)
            for (_, score), game in zip(entries, self._living(owner, entries), strict=True):
                if game is not None and status in (None, game.status):
                    if len(found) == limit:
                        return Listing(tuple(found), last)
                    found.append(game)
                elif (
                    game is not None and status == "live"
                ):  # whoever ended it did not come to it, or is an older release
                    self.finish(owner, game.id)
                    self.finished(owner, game.id)
                last = score
            if len(entries) <= limit:
                return Listing(tuple(found), None)

    def sweep(self, owner: str) -> None:
        """Drop what is gone from a sample of the entries, so that they stay few where nobody asks for lists."""
        with suppress(StoreUnavailable):  # the create it follows has been done
            for index in self._both(owner):
                self._living(owner, replies.scored(self._redis.command("ZRANDMEMBER", index, SWEEP, "WITHSCORES")))

    def _both(self, owner: str) -> list[str]:
        return self._own(owner, "live", "over")

    def _own(self, owner: str, *parts: str) -> list[str]:
        """Keys of an owner; the braces keep them in one slot of a cluster."""
        return [f"{self._prefix}{{games:{owner}}}:{part}" for part in parts]

    def _former(self, owner: str) -> str:
        """The one index that a former release kept."""
        return f"{self._prefix}games:{owner}"

    def _entries(self, owner: str, status: Status | None, after: int | None, limit: int) -> list[Entry]:
        """Up to `limit` entries, newest first; one that stands in both indices once."""
        live, over = self._both(owner)
        former = self._former(owner)
        top = "+inf" if after is None else f"({after}"
        indices = {"live": [live], "over": [over], None: [live, over]}[status]
        asked = [["ZREVRANGEBYSCORE", index, top, "-inf", "WITHSCORES", "LIMIT", 0, limit] for index in indices]
        *found, is_there = self._redis.pipeline([*asked, ["EXISTS", former]])
        if is_there:
            self._take_over(owner, former)
            return self._entries(owner, status, after, limit)
        entries = {entry for reply in found for entry in replies.scored(reply)}
        return sorted(entries, key=lambda entry: -entry[1])[:limit]

    def _living(self, owner: str, entries: Sequence[Entry]) -> list[Summary | None]:
        """The games of entries, None for each that is gone; an entry whose game is gone is removed."""
        if not entries:
            return []
        live, over = self._both(owner)
        now = self._now()
        rows = self._rows(id for id, _ in entries)
        living = [row[-1] is not None and now < int(row[-1]) for row in rows]
        gone = [
            id for (id, score), lives in zip(entries, living, strict=True) if not lives and score < (now - GRACE) * 1000
        ]
        if gone:
            self._redis.pipeline([["ZREM", index, *gone] for index in (live, over)])
        return [
            Summary(*replies.summary(id, row)) if lives else None
            for (id, _), row, lives in zip(entries, rows, living, strict=True)
        ]

    def _rows(self, ids: Iterable[str]) -> list[list[bytes]]:
        return self._redis.pipeline([["HMGET", self._keys(id)[0], *replies.LISTED] for id in ids])

    def _take_over(self, owner: str, former: str) -> None:
        """Sort what stands in the one index of a former release; it vanishes with its last entry."""
        while entries := replies.scored(self._redis.command("ZRANGE", former, 0, BATCH - 1, "WITHSCORES")):
            rows = self._rows(id for id, _ in entries)
            live, over = self._both(owner)
            moved: list[list[object]] = [["ZREM", former, *(id for id, _ in entries)]]
            for (id, score), row in zip(entries, rows, strict=True):
                if row[-1] is not None:
                    ended = row[replies.LISTED.index("status")] == b"over"
                    moved.insert(0, ["ZADD", over if ended else live, score, id])
            self._redis.pipeline(moved)

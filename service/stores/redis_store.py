"""Games in Redis or Valkey: four keys a game under one hash tag, one Lua script a change, one index an owner."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import Any

from service.stores import redis_replies as replies
from service.stores import room
from service.stores.contract import GONE, Change, Done, Game, Known, Listing, NewGame, Page, Request, Seen
from service.stores.errors import KeyReused, NotFound
from service.stores.lifetimes import Lifetimes, Status
from service.stores.memory import Memory
from service.stores.names import can_be_id, game_id, new_secret
from service.stores.notices import Notice
from service.stores.readers import Reader
from service.stores.redis_client import RedisClient
from service.stores.redis_health import Health
from service.stores.redis_index import RedisIndex
from service.stores.redis_script import Script
from service.stores.times import LAG, Settled, ticks

CREATE, COMMIT, GRANT, DELETE, LOAD, EVENTS = map(Script, ("create", "commit", "grant", "delete", "load", "events"))
PROBE, SECRET, SETTLED = (Script(name, prelude=False) for name in ("probe", "secret", "settled"))

AGAIN_SECONDS = 1.0  # before the server is listened to anew


class RedisStore:
    """`GameStore` on Redis 6.2 or newer, or Valkey. `replicas`: how many must have a change before it is acknowledged."""

    def __init__(
        self,
        url: str,
        *,
        lifetimes: Lifetimes,
        replicas: int = 0,
        health: Health | None = None,
        prefix: str = "cardref:",
    ) -> None:
        self._redis = RedisClient(url, replicas, health=health)
        self._durable = int(replicas > 0)
        self._lifetimes = lifetimes
        self._closed = threading.Event()
        self._memory = Memory()
        self._prefix = prefix
        self._index = RedisIndex(self._redis, prefix, self._keys, self.now)
        self._settled: Settled | None = None
        self._known: tuple[int, bytes] | None = (
            None  # the secret, and how many connections had been made before it was read
        )

    def create(self, owner: str, new: NewGame, request: Request, answer: bytes) -> Done | Known:
        secret, taken = self._secret(), room.of_new(new, answer)
        for generation in count():
            id = game_id(secret, owner, request.key, generation)
            # First the index: a crash in between leaves an entry without a game, never a game that no list shows.
            found = self._index.enter(owner, id, taken)
            facts = [owner, new.info, new.blob, new.events, replies.written(new.deadline), taken]
            tokens = [word for pair in new.tokens.items() for word in pair]
            done = self._change(CREATE, id, "live", request, answer, [*facts, *tokens])
            if done is not None:
                self._index.entered(owner, found)
                return done
        raise AssertionError("count() does not end")

    def load(self, id: str, keys: Collection[str] = (), by: Reader | None = None) -> Game:
        asked, hearing = [self._durable, *replies.asking(by), *keys], self._memory.hearing
        reply = self._redis.run(LOAD, self._keys(id), asked, replies.repeats)
        _, now, pairs, records = replies.accepted(reply)
        settled = min(now, self._ceiling()) if any(records) else now
        fields = dict(zip(pairs[::2], pairs[1::2], strict=True))
        listed = replies.summary(id, [fields[name.encode()] for name in replies.LISTED])
        answers = {
            key: replies.answer(record)[1]
            for key, record in zip(keys, records, strict=True)
            if replies.lasts(record, settled)
        }
        tokens = {name[6:].decode(): token.decode() for name, token in fields.items() if name.startswith(b"token:")}
        game = Game(*listed, blob=fields[b"blob"], tokens=tokens, answers=answers, now=now)
        self._memory.note(game, hearing)
        return game

    def remembered(self, id: str) -> Game | None:
        return self._memory.find(id)

    def commit(
        self, id: str, version: int, change: Change, request: Request, answer: bytes, seen: Seen | None = None
    ) -> Done | Known:
        due = replies.written(change.deadline)
        facts = [version, *replies.basis(seen), change.blob, change.events, change.status, due]
        owner = self._owner(id) if change.status == "over" else None
        if owner is not None:
            self._index.finish(owner, id)
        done = self._changed(COMMIT, id, change.status, request, answer, facts)
        if owner is not None and isinstance(done, Done):
            self._index.finished(owner, id)
        return self._memory.after(change, done)

    def grant(self, id: str, name: str, token: str, request: Request, answer: bytes) -> Done | Known:
        return self._changed(GRANT, id, "live", request, answer, [name, token])

    def events(self, id: str, after: int, limit: int, by: Reader | None = None, info: bytes = b"") -> Page:
        asked = [f"{after + 1}-0", limit, *replies.asking(by), info]
        reply = self._redis.run(EVENTS, self._keys(id), asked, lambda page: False)
        _, version, entries = replies.accepted(reply)
        return Page(version, tuple(replies.entry(entry) for entry in entries))

    def unchanged(self, id: str, version: int) -> bool:
        return self._memory.is_last(id, version)

    def listen(
        self, watched: Callable[[], Mapping[str, int]], told: Callable[[Mapping[str, int] | None], None]
    ) -> None:
        while not self._closed.is_set():
            for message in self._redis.messages(f"{self._prefix}changes", self._closed):
                news = None if message is None else replies.news(message)
                if news is None:  # what came before a subscription was not heard
                    self._memory.begin_to_hear()
                else:
                    self._memory.hear(news)
                told(news)
            self._memory.end_hearing()
            told(None)  # what comes now is not heard: who waits shall not do so in vain
            self._closed.wait(AGAIN_SECONDS)

    def games(self, owner: str, status: Status | None, after: int | None, limit: int) -> Listing:
        return self._index.page(owner, status, after, limit)

    def live(self, owner: str) -> int:
        return self._index.live(owner)

    def stored(self, owner: str) -> int:
        return self._index.sizes.of(owner)

    def delete(self, id: str) -> None:
        asked = [secrets.token_hex(8), self._lifetimes.answers]
        reply = replies.accepted(self._redis.run(DELETE, self._keys(id), asked, replies.binds))
        _, _, at, taken, owner = reply
        self._index.deleted(owner.decode(), id)
        self._index.sizes.tell(owner.decode(), id, GONE, taken, at + self._lifetimes.answers)

    def keep(self, hash: str, value: bytes) -> None:
        server = self._redis.connections  # where a connection was made since, it may be another
        if not self._memory.has_kept(hash, server):
            self._redis.command("SET", f"{self._prefix}kept:{hash}", value, "PX", self._lifetimes.kept)
            self._memory.note_kept(hash, server)

    def kept(self, hash: str) -> bytes | None:
        found: bytes | None = self._redis.command("GET", f"{self._prefix}kept:{hash}")
        return found

    def now(self) -> int:
        seconds, microseconds = self._redis.command("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    def ready(self) -> tuple[Notice, ...]:
        self._redis.inspect()
        self._redis.health.refuse_loss()
        self._redis.probe(PROBE, f"{self._prefix}probe")
        return self._redis.health.notices()

    def close(self) -> None:
        self._closed.set()
        self._redis.close()

    def _keys(self, id: str) -> list[str]:
        """A game's keys; the braces keep them in one slot of a cluster. Raises NotFound."""
        if not can_be_id(id):
            raise NotFound("no such game")
        return [f"{self._prefix}{{{id}}}:{part}" for part in ("game", "events", "requests", "times")]

    def _ceiling(self) -> int:
        """What the settled clock may say at most (service.stores.times), whose mark all processes share."""
        steady = ticks()
        if self._settled is None or steady - self._settled.ticks > LAG:
            allowed = "" if self._settled is None else self._settled.ceiling(steady)
            mark = self._redis.run(SETTLED, [f"{self._prefix}settled"], [allowed], lambda mark: False)
            self._settled = Settled(mark, steady)
        return self._settled.ceiling(steady) + LAG

    def _owner(self, id: str) -> str | None:
        owner: bytes | None = self._redis.command("HGET", self._keys(id)[0], "owner")
        return None if owner is None else owner.decode()

    def _secret(self) -> bytes:
        """What ids are made with; read again where a connection was made since, for the server may be another."""
        made = self._redis.connections
        if self._known is None or self._known[0] != made:
            kept: bytes = self._redis.changing(SECRET, [f"{self._prefix}secret"], [new_secret()], lambda kept: True)
            self._known = (made, kept)
        return self._known[1]

    def _changed(
        self, script: Script, id: str, status: Status, request: Request, answer: bytes, facts: list[Any]
    ) -> Done | Known:
        done = self._change(script, id, status, request, answer, facts)
        assert done is not None, "only a create finds its place taken"
        return done

    def _change(
        self, script: Script, id: str, status: Status, request: Request, answer: bytes, facts: list[Any]
    ) -> Done | Known | None:
        """Run a changing script; None if another game has the id. The nonce tells our own lost reply from a replay."""
        nonce = secrets.token_hex(8)
        life = self._lifetimes
        asked = [request.key, request.body, answer, nonce, request.hold(life), self._durable]
        kept = [life.of(status), life.tombstone, life.answers, self._ceiling()]
        reply = self._redis.changing(script, self._keys(id), [*asked, *kept, *facts], replies.binds)
        if reply[0] == b"taken":
            return None
        if reply[0] == b"reused":
            raise KeyReused("the idempotency key was used with another body")
        reply = replies.accepted(reply)
        if reply[0] == b"done":
            _, version, at, *told = reply
            if told:  # the game takes another number of blocks
                taken, owner = told
                self._index.sizes.tell(
                    owner.decode(), id, version, taken, at + max(life.of(status) + life.tombstone, life.answers)
                )
            return Done(id, version, at)
        author, known = replies.answer(reply[1])
        return Done(id, known.version, known.at) if author == nonce else Known(id, known)

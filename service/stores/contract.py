"""What the service asks of a store of games, and what a store promises.

A store knows neither rules nor HTTP. A game is an opaque `blob` with a version, a log of opaque `events` (exactly one
entry a version, so a version is a cursor into the log), token hashes by name, and the answers to requests already
carried out. Times are milliseconds since 1970 by the store's clock; the caller computes deadlines from `Game.now`.

Each change is atomic, and is carried out at most once for each request, whatever is retried: by the client (same key:
`Known` with the answer of the first time) or by the store's own transport (a lost reply: `Done`, as if it had arrived).
Every call may raise `StoreUnavailable`, within three seconds; a change that ended so may have happened or not, and may
be sent again with the same request. `Unsafe`, a kind of it: the store would not keep what it is given; nothing is
changed, and reading goes on. `NotDurable` means: done, but not on enough replicas yet; send it again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from service.stores.errors import KeyReused
from service.stores.lifetimes import MINUTE, Lifetimes, Status
from service.stores.names import digest
from service.stores.notices import Notice
from service.stores.readers import Reader

GONE = 2**63  # in the place of the version of a game that is no more: later than any


@dataclass(frozen=True, slots=True)
class Request:
    """One request: `key` tells it from all others of the game (of the owner, for a create), `body` what it asks for.

    Both are hashes: what a client chose as its key is not stored.
    """

    key: str
    body: str
    once: bool = False

    @classmethod
    def keyed(cls, key: str, scope: Collection[str], body: bytes) -> Request:
        """A request that its client may repeat. `scope`: whatever else must agree, such as route and caller."""
        return cls(digest(key, *scope), hashlib.sha256(body).hexdigest()[:32])

    @classmethod
    def fresh(cls) -> Request:
        """A request that only the store's own transport may repeat; its answer is kept for a minute."""
        return cls(secrets.token_hex(16), "", once=True)

    def hold(self, lifetimes: Lifetimes) -> int:
        """How long its answer is kept, in milliseconds."""
        return MINUTE if self.once else lifetimes.answers


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request was answered: `data` as the caller stored it, and the version and time it led to."""

    body: str
    version: int
    at: int
    data: bytes


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be created, at version 1. `info` never changes and is listed; `tokens`: hash by name."""

    info: bytes
    blob: bytes
    events: bytes
    tokens: Mapping[str, str]
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What one new version brings."""

    blob: bytes
    events: bytes
    status: Status
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a change was decided on, besides the version: info and blob, and the token (name and hash) of whoever asked for
    it (None: an app, which needs none)."""

    info: bytes
    blob: bytes
    token: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A game as it is listed."""

    id: str
    owner: str
    version: int
    status: Status
    created: int
    changed: int
    deadline: int | None
    info: bytes


@dataclass(frozen=True, slots=True)
class Game(Summary):
    """A game, whole. `answers`: for those of the asked keys that are known; `now`: when it was read."""

    blob: bytes
    tokens: Mapping[str, str]
    answers: Mapping[str, Answer]
    now: int


@dataclass(frozen=True, slots=True)
class Done:
    """The change stands: the game `id` is at `version` since `at`."""

    id: str
    version: int
    at: int


@dataclass(frozen=True, slots=True)
class Known:
    """Nothing was changed: this request had been carried out before, with this answer."""

    id: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened with one version."""

    version: int
    at: int
    events: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """Entries of the log in order, and the game's version when they were read."""

    version: int
    entries: tuple[Entry, ...]

    def until(self, version: int) -> Page:
        """The same without what is later."""
        return Page(min(self.version, version), tuple(each for each in self.entries if each.version <= version))


@dataclass(frozen=True, slots=True)
class Listing:
    """Games, newest first; `after` is where the next page begins, None on the last: a number that tells nothing of other
    owners' games."""

    games: tuple[Summary, ...]
    after: int | None


class GameStore(Protocol):
    """A store of games. Safe to share between threads, and to inherit through a fork."""

    def create(self, owner: str, new: NewGame, request: Request, answer: bytes) -> Done | Known:
        """A new game of `owner`. The request's key is unique among the owner's creates. Raises KeyReused."""

    def load(self, id: str, keys: Collection[str] = (), by: Reader | None = None) -> Game:
        """The game, and the known answers to the requests `keys`. Raises NotFound, also for another owner's, at no other
        pace; Expired; Denied for another token."""

    def remembered(self, id: str) -> Game | None:
        """The game as this process last read or wrote it, found without asking the store: without known answers, and
        out of date wherever another process was there since. Good enough to try a commit on, which fails then."""

    def commit(
        self, id: str, version: int, change: Change, request: Request, answer: bytes, seen: Seen | None = None
    ) -> Done | Known:
        """From `version`, as it was `seen`, to the next one; renews the expiry.

        Raises NotFound, Expired; Stale for another token; KeyReused; Stale for another version, or another info or blob at
        that version (a fail-over may have lost what was seen, or the game be another that came in its place); Lost where
        the log does not end at the version."""

    def grant(self, id: str, name: str, token: str, request: Request, answer: bytes) -> Done | Known:
        """Put another hash in the place of the token `name`; the version stays. Raises KeyReused, NotFound, Expired."""

    def events(self, id: str, after: int, limit: int, by: Reader | None = None, info: bytes = b"") -> Page:
        """Up to `limit` entries later than version `after`. Raises NotFound, Expired, Denied as `load` does; Stale for another
        info, if one is expected; Lost."""

    def unchanged(self, id: str, version: int) -> bool:
        """Whether that is the game's version, and this process would have heard of another: without asking the store. Whoever
        listens already will hear of the next one. False where that is not known."""

    def listen(
        self, watched: Callable[[], Mapping[str, int]], told: Callable[[Mapping[str, int] | None], None]
    ) -> None:
        """Until the store is closed: call `told` with games that have changed, by whichever process, and the version of each,
        GONE for one that was deleted; with None where any may have changed. Only of those that `watched` gives, and only
        later versions than it gives for them, need be told."""

    def games(self, owner: str, status: Status | None, after: int | None, limit: int) -> Listing:
        """Up to `limit` games of `owner`, newest first, from where the last page said."""

    def live(self, owner: str) -> int:
        """How many live games of `owner` there are; some that have gone lately may be among them."""

    def stored(self, owner: str) -> int:
        """How many bytes the games of `owner` take, with those that are gone as long as anything of them is kept."""

    def delete(self, id: str) -> None:
        """Remove the game. Raises NotFound, Expired."""

    def keep(self, hash: str, value: bytes) -> None:
        """Keep a value under its hash, for longer than a game lives that is changed within the hour. Costs nothing where
        this process has kept it within the hour."""

    def kept(self, hash: str) -> bytes | None:
        """The value that was kept under a hash, if it still is."""

    def now(self) -> int:
        """The store's clock."""

    def ready(self) -> tuple[Notice, ...]:
        """What should be known of a store that takes changes: each place of it is tried by a write. Raises
        StoreUnavailable."""

    def close(self) -> None:
        """End all listening and give up the connections of this thread's process."""


def answered(answer: Answer, request: Request) -> Answer:
    """The known answer, if it was given to the same body. Raises KeyReused."""
    if answer.body != request.body:
        raise KeyReused("the idempotency key was used with another body")
    return answer

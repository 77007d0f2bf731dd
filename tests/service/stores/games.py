"""Games for the tests of stores: opaque bytes, and short words for what is done with them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from service.stores.contract import Change, Done, GameStore, Known, NewGame, Request
from service.stores.errors import NotDurable
from service.stores.lifetimes import Status

T = TypeVar("T")

BINARY = bytes(range(256)) + b":\r\n\x00:"
NEW = NewGame(info=b'{"game":"rummy"}' + BINARY, blob=b"state 1", events=b"[1]", tokens={"0": "aa", "spectator": "bb"})


def asked(key: str, body: bytes = b"body", scope: tuple[str, ...] = ("seat 0",)) -> Request:
    return Request.keyed(key, scope, body)


def create(store: GameStore, owner: str = "app", new: NewGame = NEW) -> str:
    return store.create(owner, new, Request.fresh(), b"").id


def change(text: str, status: Status = "live", deadline: int | None = None) -> Change:
    return Change(blob=text.encode(), events=f"[{text}]".encode(), status=status, deadline=deadline)


def play(store: GameStore, id: str, version: int, status: Status = "live") -> Done | Known:
    return store.commit(id, version, change(f"state {version + 1}", status), Request.fresh(), b"")


def all_ids(store: GameStore, owner: str, status: Status | None = None, limit: int = 3) -> list[str]:
    found: list[str] = []
    after = None
    while True:
        listing = store.games(owner, status, after, limit)
        assert len(listing.games) <= limit
        found += [game.id for game in listing.games]
        if listing.after is None:
            return found
        after = listing.after


def confirmed(call: Callable[[], T]) -> T:
    """What the call says once a replica is back, or, on a busy machine, has had its turn."""
    until = time.monotonic() + 20.0
    while True:
        try:
            return call()
        except NotDurable:
            assert time.monotonic() < until

"""What the scripts are sent and what they reply, as the values of `service.stores.contract`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, cast

from service.stores.contract import GONE, Answer, Entry, Seen
from service.stores.errors import Denied, Expired, Lost, NotFound, Stale
from service.stores.lifetimes import Status
from service.stores.readers import Holder, Owner, Reader

LISTED = ("owner", "version", "status", "created", "changed", "deadline", "info", "expires")


def binds(reply: Any) -> bool:
    """Whether the reply to a change says that it stands."""
    return reply[0] in (b"done", b"known")


def repeats(reply: Any) -> bool:
    """Whether a loaded game comes with the answer to a request, which may then be given again."""
    return reply[0] == b"game" and any(reply[3])


def accepted(reply: Any) -> Any:
    """The reply, unless it says why nothing was done."""
    match reply:
        case [b"missing"]:
            raise NotFound("no such game")
        case [b"expired", owner]:
            raise Expired(owner.decode())
        case [b"stale", version]:
            raise Stale(version)
        case [b"denied", info]:
            raise Denied(info)
        case [b"lost"]:
            raise Lost("the log does not end at the game's version")
    return reply


def basis(seen: Seen | None) -> tuple[str, str, str]:
    """What commit.lua compares: the digest of info and blob (SHA-1 is what scripts can compute), a token's name and hash."""
    if seen is None:
        return "", "", ""
    return hashlib.sha1(seen.info + seen.blob, usedforsecurity=False).hexdigest(), *(seen.token or ("", ""))


def asking(by: Reader | None) -> tuple[str, str, str]:
    """What load.lua compares: who asks, under which name, with which token's hash."""
    match by:
        case Owner(name):
            return "owner", name, ""
        case Holder(name, token):
            return "holder", name, token
    return "", "", ""


def written(deadline: int | None) -> int | str:
    return "" if deadline is None else deadline


def summary(id: str, row: Sequence[bytes]) -> tuple[str, str, int, Status, int, int, int | None, bytes]:
    """The fields of a `Summary`, from a row of those named in `LISTED`."""
    owner, version, status, created, changed, deadline, info, _ = row
    due = int(deadline) if deadline else None
    kept = cast(Status, status.decode())
    return id, owner.decode(), int(version), kept, int(created), int(changed), due, info


def answer(record: bytes) -> tuple[str, Answer]:
    """Who wrote a record (the nonce of the call), and the answer it holds. Written by `remember` in prelude.lua."""
    _, at, version, nonce, body, data = record.split(b":", 5)
    return nonce.decode(), Answer(body.decode(), int(version), int(at), data)


def lasts(record: bytes | None, now: int) -> bool:
    return record is not None and now < int(record.split(b":", 1)[0])


def entry(reply: Any) -> Entry:
    id, fields = reply
    named = dict(zip(fields[::2], fields[1::2], strict=True))
    return Entry(int(id.split(b"-")[0]), int(named[b"at"]), named[b"events"])


def news(message: bytes) -> dict[str, int]:
    """The game that a message is about, and its version. Published by `tell` in prelude.lua."""
    id, _, version = message.partition(b":")
    return {id.decode(): GONE if version == b"gone" else int(version)}


def scored(reply: Iterable[Any]) -> list[tuple[str, int]]:
    """Ids with their scores, as WITHSCORES lists them."""
    words = list(reply)
    return [(id.decode(), int(score)) for id, score in zip(words[::2], words[1::2], strict=True)]

"""Whether Redis keeps what it is given. A server that evicts throws games away when it is full, whole or in parts; one that
writes nothing to its disk forgets all of them when it ends.

Asked of every connection once it is made, before anything else goes over it, so that a server which was configured anew or
put in another's place is noticed; and once a minute, for settings may be changed while it runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import structlog
from redis.exceptions import ConnectionError, ResponseError, TimeoutError

from service.stores.errors import Unsafe
from service.stores.notices import Note, Notice

INTERVAL_SECONDS = 60.0
_QUESTIONS = (("INFO", "memory"), ("INFO", "persistence"), ("CONFIG", "GET", "save"))
_UNSAFE = (
    "Redis may throw games away: its maxmemory-policy is {}. Set it to noeviction, or accept the loss of games with "
    "CARDREF_ACCEPT_LOSS=yes"
)
_log = structlog.get_logger()


class Findings(NamedTuple):
    """What one server said; None where it was not to be learnt, as with managed ones that have no CONFIG."""

    policy: str | None
    persistent: bool | None

    @property
    def evicts(self) -> bool:
        """Whether the server may throw games away. `volatile-…` is no better: every key of a game has an expiry. Nor is a
        server without `maxmemory`: that may be set at any time."""
        return self.policy not in (None, "noeviction")


def ask(connection: Any) -> Findings:
    """What a server says over an open connection. Raises redis-py's ConnectionError and TimeoutError."""
    connection.send_packed_command(connection.pack_commands(_QUESTIONS))
    memory, persistence, save = [_reply(connection) for _ in _QUESTIONS]
    return Findings(_field(memory, "maxmemory_policy"), _persistent(persistence, save))


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except (ConnectionError, TimeoutError):
        raise
    except ResponseError:  # forbidden, or renamed
        return None


def _field(info: bytes | None, name: str) -> str | None:
    lines = dict(line.partition(":")[::2] for line in (info or b"").decode().splitlines())
    return lines.get(name)


def _persistent(info: bytes | None, save: Sequence[bytes] | None) -> bool | None:
    if _field(info, "aof_enabled") == "1" or (save and save[1]):
        return True
    return None if info is None or save is None else False


class Health:
    """What is known of the servers of one store, and what follows from it; `note` is told when that changes. Safe to share between threads."""

    def __init__(self, *, accept_loss: bool = False, note: Note = lambda codes: None) -> None:
        self._accept_loss = accept_loss
        self._note = note
        self._lock = threading.Lock()
        self._found: Mapping[str, Findings] = {}
        self._told: Mapping[str, str] = {}
        self._due = 0.0

    def is_due(self) -> bool:
        """Whether the servers should be asked again; true for one caller alone."""
        with self._lock:
            now = time.monotonic()
            due = now >= self._due
            if due:
                self._due = now + INTERVAL_SECONDS
            return due

    def ask_again(self) -> None:
        """What was due could not be done."""
        self._due = 0.0

    def replace(self, found: Mapping[str, Findings]) -> None:
        """All servers were asked."""
        with self._lock:
            self._found = found
            self._tell()

    def add(self, server: str, found: Findings) -> None:
        """One server was asked."""
        with self._lock:
            if self._found.get(server) != found:
                self._found = {**self._found, server: found}
                self._tell()

    def refuse_loss(self) -> None:
        """Raise Unsafe if a server may throw games away and nobody said that this is accepted."""
        if not self._accept_loss and (policy := self._evicting()) is not None:
            raise Unsafe(_UNSAFE.format(policy))

    def notices(self) -> tuple[Notice, ...]:
        """What should be known of servers that work."""
        notices = []
        if self._accept_loss and (policy := self._evicting()) is not None:
            notices.append(
                Notice(
                    "accepted_loss",
                    f"Redis may throw games away at any time, whole or in parts: its maxmemory-policy is {policy}, and "
                    "CARDREF_ACCEPT_LOSS=yes accepts that",
                )
            )
        found = self._found.values()
        if any(one.policy is None for one in found):
            notices.append(
                Notice(
                    "unknown_policy",
                    "Redis does not say what its maxmemory-policy is (INFO memory): it must be noeviction",
                )
            )
        if any(one.persistent is False for one in found):
            notices.append(
                Notice(
                    "not_persistent",
                    "Redis writes nothing to its disk and forgets every game when it ends: set appendonly yes",
                )
            )
        if any(one.persistent is None for one in found):
            notices.append(
                Notice(
                    "unknown_persistence",
                    "Redis does not say whether it writes to its disk (INFO persistence, CONFIG GET save): make sure that "
                    "it does",
                )
            )
        return tuple(notices)

    def _evicting(self) -> str | None:
        return next((found.policy for found in self._found.values() if found.evicts), None)

    def _tell(self) -> None:
        """Say in the log and in the metrics what has changed."""
        known: dict[str, str] = {notice.code: notice.sentence for notice in self.notices()}
        if not self._accept_loss and (policy := self._evicting()) is not None:
            known["unsafe"] = _UNSAFE.format(policy)
        if known == self._told:
            return
        self._told = known
        self._note(known)
        for code, sentence in known.items():
            _log.warning("store", notice=code, reason=sentence)

"""Why a store did not do what it was asked."""

from __future__ import annotations


class StoreError(Exception):
    """Why a store did not do what it was asked."""


class NotFound(StoreError):
    """No such game: it never was, was deleted, or is forgotten."""


class Denied(StoreError):
    """The game, with this `info`, has another token under the name."""

    def __init__(self, info: bytes) -> None:
        super().__init__("the game has another token")
        self.info = info


class Expired(StoreError):
    """The game has expired; its `owner` may still be told so."""

    def __init__(self, owner: str) -> None:
        super().__init__("the game has expired")
        self.owner = owner


class Stale(StoreError):
    """The game has moved on to `version`; nothing was changed."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class KeyReused(StoreError):
    """The request's key was used before, with another body; nothing was changed."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, is full, or answers too late."""


class Refuses(StoreUnavailable):
    """The store can be reached but takes no changes: full, read-only, without the replicas that it must have."""


class Unsafe(StoreUnavailable):
    """The store takes changes but would not keep them: none is made. The text names the setting and the cure."""


class Damaged(StoreUnavailable):
    """What the store is kept in is damaged: trying again does not help."""


class Lost(StoreError):
    """A part of the game is gone: it takes no more changes."""


class NotDurable(StoreError):
    """The change stands, but too few replicas have confirmed it: not to be acknowledged yet."""

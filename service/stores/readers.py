"""Who asks a store for a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """Who asks for a game: the app of this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Who asks for a game: somebody with the token of this name and hash."""

    name: str
    token: str


Reader = Owner | Holder

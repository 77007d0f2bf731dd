"""The moves of a seat (rules.md §1.4). The referee's own moves are in `engine.game`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from engine.cards import Card
from engine.game import RefereeMove

Source = Literal["stock", "discard"]


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of the stock or of the discard pile."""

    type: ClassVar[str] = "draw"
    source: Source = field(metadata={"json": "from"})


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay a card on the discard pile; the turn is over."""

    type: ClassVar[str] = "discard"
    card: Card


@dataclass(frozen=True, slots=True)
class Pack:
    """Leave the round instead of drawing."""

    type: ClassVar[str] = "pack"


@dataclass(frozen=True, slots=True)
class Declare:
    """Fold a card face down and finish with the other thirteen, grouped as sent or, with None, as the referee finds."""

    type: ClassVar[str] = "declare"
    fold: Card
    groups: tuple[tuple[Card, ...], ...] | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class AgreeSplit:
    """Agree to share the pot of a pool, between two rounds; the match ends once every seat that is in has agreed."""

    type: ClassVar[str] = "agree_split"


SeatMove = Draw | Discard | Pack | Declare | AgreeSplit
Move = SeatMove | RefereeMove
MOVES: tuple[type[Move], ...] = get_args(Move)

"""The moves of a seat in Swoop (rules.md §2.2, §2.3). The referee's own moves stand in engine/game.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from engine.cards import Card
from engine.game import CommonMove


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn up the secret of a slot whose guard is gone; the next move must play it."""

    type: ClassVar[str] = "flip"
    slot: int


@dataclass(frozen=True, slots=True)
class Play:
    """Cards of one rank: from the hand, and the guards of some slots. A committed secret is always part of the play."""

    type: ClassVar[str] = "play"
    hand: tuple[Card, ...]
    guards: tuple[int, ...]


SeatMove = Flip | Play
Move = SeatMove | CommonMove
MOVES: tuple[type[Move], ...] = get_args(Move)

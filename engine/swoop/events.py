"""What happens at a Swoop table. All of it is public but the dealt hands: who plays or picks up does so face up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from engine.cards import Card
from engine.game import Aborted, Forfeited, MatchOver, Points, PublicEvent, TimedOut
from engine.match_events import Withdrawn
from engine.swoop.state import Result


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt. The referee's log has all `hands`; a seat sees its own `hand` in their place, others none."""

    type: ClassVar[str] = "dealt"
    round: int
    starter: int
    guards: tuple[tuple[Card, ...], ...]
    hands: tuple[tuple[Card, ...], ...] | None
    hand: tuple[Card, ...] | None = None

    def seen_by(self, seat: int | None) -> Dealt:
        own = self.hands[seat] if self.hands is not None and seat is not None else self.hand
        return Dealt(self.round, self.starter, self.guards, None, own)


@dataclass(frozen=True, slots=True)
class Flipped(PublicEvent):
    """A seat turned up the secret of a slot; it is committed."""

    type: ClassVar[str] = "flipped"
    seat: int
    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played(PublicEvent):
    """A seat played `cards`, in the order they went onto the pile: those from the `hand`, then the `guards` of these slots,
    then the `secret` of this slot (None: none)."""

    type: ClassVar[str] = "played"
    seat: int
    cards: tuple[Card, ...]
    hand: tuple[Card, ...]
    guards: tuple[int, ...]
    secret: int | None


@dataclass(frozen=True, slots=True)
class Cleared(PublicEvent):
    """The pile left play, the cards just played with it; bottom to top."""

    type: ClassVar[str] = "cleared"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PickedUp(PublicEvent):
    """A seat took the pile into its hand, the cards just played with it; bottom to top."""

    type: ClassVar[str] = "picked_up"
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class WentOut(PublicEvent):
    """A seat has no card left."""

    type: ClassVar[str] = "went_out"
    seat: int


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """A round ended. `settlement` is zero-sum: the seat that is out gets what the others lose; zeros if nobody is out."""

    type: ClassVar[str] = "round_scored"
    round: int
    results: tuple[Result, ...]
    totals: tuple[Points, ...]
    settlement: tuple[int, ...]


Event = (
    Dealt
    | Flipped
    | Played
    | Cleared
    | PickedUp
    | WentOut
    | Forfeited
    | Withdrawn
    | TimedOut
    | Aborted
    | RoundScored
    | MatchOver
)
EVENTS: tuple[type[Event], ...] = get_args(Event)

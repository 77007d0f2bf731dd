"""What happened, in full and as each seat may know it (rules.md §1.6: what a round's end opens)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, get_args

from engine.cards import Card, Rank
from engine.game import Aborted, Forfeited, MatchOver, Points, PublicEvent, TimedOut
from engine.match_events import Eliminated, Rejoined, SplitAgreed, Withdrawn
from engine.rummy.arrangement import Group
from engine.rummy.moves import Source
from engine.rummy.state import Result, Status


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt. In full it has every hand (`hands`), for a seat its own (`hand`), for a spectator none. The hand of a
    seat that it was not dealt to is empty in full, and it sees none."""

    type: ClassVar[str] = "dealt"
    round: int
    starter: int
    wild_card: Card
    wild_rank: Rank | None
    discard: Card
    hands: tuple[tuple[Card, ...], ...] | None = field(default=None, metadata={"omit": True})
    hand: tuple[Card, ...] | None = field(default=None, metadata={"omit": True})

    def seen_by(self, seat: int | None) -> Dealt:
        hand = self.hands[seat] if self.hands is not None and seat is not None else self.hand
        return replace(self, hands=None, hand=hand or None)


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew; from the stock, the card is its own secret."""

    type: ClassVar[str] = "drew"
    seat: int
    source: Source = field(metadata={"json": "from"})
    card: Card | None

    def seen_by(self, seat: int | None) -> Drew:
        return self if seat == self.seat or self.source == "discard" else Drew(self.seat, self.source, None)


@dataclass(frozen=True, slots=True)
class Reshuffled(PublicEvent):
    """The stock was empty: so many cards of the discard pile, all but its top, were shuffled into it."""

    type: ClassVar[str] = "reshuffled"
    count: int


@dataclass(frozen=True, slots=True)
class Discarded(PublicEvent):
    type: ClassVar[str] = "discarded"
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Packed(PublicEvent):
    type: ClassVar[str] = "packed"
    seat: int
    status: Status


@dataclass(frozen=True, slots=True)
class Declared(PublicEvent):
    """A seat won the round; `groups` are its thirteen cards."""

    type: ClassVar[str] = "declared"
    seat: int
    fold: Card
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Penalised(PublicEvent):
    """A declaration failed and put the seat out of the round. The groups that it sent were shown to the table, if it sent
    any; the rest of its hand, and the card it folded, stay hidden."""

    type: ClassVar[str] = "penalised"
    seat: int
    points: int
    groups: tuple[tuple[Card, ...], ...] | None


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """A round ended: see `RoundScore`; `totals` are those after it."""

    type: ClassVar[str] = "round_scored"
    round: int
    winner: int | None
    first_turn: bool
    fold: Card | None
    results: tuple[Result, ...]
    totals: tuple[Points, ...]
    settlement: tuple[Points, ...]


Event = (
    Dealt
    | Drew
    | Reshuffled
    | Discarded
    | Packed
    | Declared
    | Penalised
    | Forfeited
    | Withdrawn
    | Eliminated
    | Rejoined
    | SplitAgreed
    | TimedOut
    | Aborted
    | RoundScored
    | MatchOver
)
EVENTS: tuple[type[Event], ...] = get_args(Event)

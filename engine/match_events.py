"""What happens to a match besides its rounds (rules.md §1.9), in both games; all of it is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.game import MatchOver, Points, PublicEvent
from engine.match import Match, fell_last


@dataclass(frozen=True, slots=True)
class Withdrawn(PublicEvent):
    """A seat left the match for good."""

    type: ClassVar[str] = "withdrawn"
    seat: int


@dataclass(frozen=True, slots=True)
class Eliminated(PublicEvent):
    """The points of the round put a seat out of a pool, with this total."""

    type: ClassVar[str] = "eliminated"
    seat: int
    total: Points


@dataclass(frozen=True, slots=True)
class Rejoined(PublicEvent):
    """A seat came back into a pool, with this total."""

    type: ClassVar[str] = "rejoined"
    seat: int
    total: Points


@dataclass(frozen=True, slots=True)
class SplitAgreed(PublicEvent):
    """A seat agreed to share the pot."""

    type: ClassVar[str] = "split_agreed"
    seat: int


def eliminated(match: Match) -> tuple[Eliminated, ...]:
    """Whom the points of the round just scored put out."""
    return tuple(Eliminated(seat, each.total) for seat, each in enumerate(match.entrants) if fell_last(match, seat))


def match_over(match: Match) -> tuple[MatchOver, ...]:
    """That the match is over, if it is."""
    return () if match.ending is None else (MatchOver(match.ending.winners, match.totals),)

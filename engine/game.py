"""The contract that every game meets, and what the games share.

A game is a record of pure functions (`Game`), registered in engine/games.py; the service knows games only through it.
State, moves and events are frozen, slotted dataclasses of tuples; their JSON is their fields, by name, except where a
field carries ``metadata={"json": "from"}`` (a name that Python reserves). Moves and events carry their ``type`` as a
class variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from engine.cards import Card
from engine.errors import Violation
from engine.options import Rules

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Points = int | float  # whole, but for halves where a game's rules keep them


class Event(Protocol):
    """Something that happened. `seen_by` gives the same event as a seat may know it (None: a spectator)."""

    type: ClassVar[str]

    def seen_by(self, seat: int | None) -> Self: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `reason` is ``rounds``, ``target``, ``limit`` or ``aborted``; an aborted match has no winners."""

    winners: tuple[int, ...]
    totals: tuple[Points, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class NextRound:
    """The referee deals the next round; legal once a round is over and the match is not."""

    type: ClassVar[str] = "next_round"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The referee takes a seat out of the round."""

    type: ClassVar[str] = "forfeit"
    seat: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The referee ends the match without a winner; totals stand."""

    type: ClassVar[str] = "abort"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A zone as seen by one who may not look into it: how many cards lie there."""

    count: int


REFEREE_MOVES: tuple[type[Any], ...] = (NextRound, Forfeit, Abort)


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V]):
    """One game, whole. An `arranger` is what the game may ask for (rummy: `engine.rummy.arrangement.Arranger`); swoop asks nothing.

    deal(seats, rules, seed, starter)        -> (state, events); raises Invalid (``too_few_cards``, a bad seed or starter)
    violation(state, seat, move, arranger)   -> Violation, or None if the move is legal: the only legality code
    legal_moves(state, seat, arranger)       -> moves of a seat, or of the referee (None)
    apply(state, seat, move, arranger)       -> (state, events); raises IllegalMove; the input is never changed
    default_move(state, arranger)            -> the next move of the turn that a seat out of time is given (api.md, Timeouts)
    view(state, seat)                        -> what one seat may know; None: a spectator
    outcome(state)                           -> Outcome, or None while the match goes on
    to_move(state)                           -> the seat to move, or None
    check(state)                             -> None; raises CorruptState with the places that no game can reach
    """

    name: str
    seats: range
    rules: type[Rules]
    state: type[S]
    moves: tuple[type[M], ...]
    events: tuple[type[Any], ...]
    violations: Mapping[str, str]  # code -> when it is given, in the order of the checks
    deal: Callable[[int, Any, str, int | None], tuple[S, tuple[Event, ...]]]
    violation: Callable[[S, int | None, M, Any], Violation | None]
    legal_moves: Callable[[S, int | None, Any], tuple[M, ...]]
    apply: Callable[[S, int | None, M, Any], tuple[S, tuple[Event, ...]]]
    default_move: Callable[[S, Any], M]
    view: Callable[[S, int | None], V]
    outcome: Callable[[S], Outcome | None]
    to_move: Callable[[S], int | None]
    check: Callable[[S], None]


def lowest(totals: Sequence[Points]) -> tuple[int, ...]:
    """The seats with the lowest total: the winners of a match, ties shared (rules.md §1.7, §2.5)."""
    best = min(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == best)


def conserved(zones: Sequence[Sequence[Card]], deck: Sequence[Card]) -> bool:
    """Whether the zones together are exactly the deck, by count."""
    return sorted(card for zone in zones for card in zone) == sorted(deck)

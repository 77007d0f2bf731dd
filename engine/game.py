"""The contract that every game meets, and what the games share.

A game is a record of pure functions (`Game`), registered in engine/games.py; the service knows games only through it.
State, moves and events are frozen, slotted dataclasses of tuples; their JSON is their fields, by name, except where a
field carries ``metadata={"json": "from"}`` (a name that Python reserves), and without those that are None where it carries
``{"omit": True}``. Moves and events carry their ``type`` as a class variable.

Of a state the service reads, besides what the record's functions tell: ``rules``, ``seed``, ``round``, and what follows from
its match, ``totals`` and ``standings``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from engine import shuffling
from engine.cards import Card
from engine.errors import Flaw, Invalid, Violation
from engine.options import Rules

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Points = int | float  # whole, but for halves where a game's rules keep them


class Event(Protocol):
    """Something that happened. `seen_by` gives the same event as a seat may know it (None: a spectator)."""

    type: ClassVar[str]

    def seen_by(self, seat: int | None) -> Self: ...


class Seated(Protocol):
    """What every game tells of a seat: its `status` in the round, ``in`` as long as it plays."""

    @property
    def status(self) -> str: ...


class PublicEvent:
    """An event that hides nothing from anyone."""

    __slots__ = ()

    def seen_by(self, seat: int | None) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended (the reasons: `engine.match.Reason`, or ``aborted``). `shares`: what each seat gets of the pot, counted
    in entries, exact fractions as text; `places`: ties share one. An aborted match has no winners, shares or places."""

    winners: tuple[int, ...]
    totals: tuple[Points, ...]
    reason: str
    shares: tuple[str, ...] | None = field(default=None, metadata={"omit": True})
    places: tuple[int, ...] | None = field(default=None, metadata={"omit": True})


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
class Withdraw:
    """The referee takes a seat out of the match for good; while a round is played, that is a forfeit of it as well."""

    type: ClassVar[str] = "withdraw"
    seat: int


@dataclass(frozen=True, slots=True)
class Rejoin:
    """The referee lets a seat that the last round put out come back; legal in the pause after it (rummy, pool)."""

    type: ClassVar[str] = "rejoin"
    seat: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The referee ends the match without a winner; totals stand."""

    type: ClassVar[str] = "abort"


@dataclass(frozen=True, slots=True)
class Forfeited(PublicEvent):
    """The referee took a seat out of the round."""

    type: ClassVar[str] = "forfeited"
    seat: int


@dataclass(frozen=True, slots=True)
class TimedOut(PublicEvent):
    """A seat let its time run out; the moves behind this event were made in its place."""

    type: ClassVar[str] = "timed_out"
    seat: int


@dataclass(frozen=True, slots=True)
class Aborted(PublicEvent):
    """The referee ended the match; it has no winner, so no `match_over` follows."""

    type: ClassVar[str] = "aborted"


@dataclass(frozen=True, slots=True)
class MatchOver(PublicEvent):
    """The match ended by its rules."""

    type: ClassVar[str] = "match_over"
    winners: tuple[int, ...]
    totals: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A zone as seen by one who may not look into it: how many cards lie there."""

    count: int


MAX_ROUNDS: Final = 10**9  # of a match: far more than are ever played; keeps counters within 64 bits

CommonMove = NextRound | Forfeit | Withdraw | Abort  # of the referee in every game
RefereeMove = CommonMove | Rejoin


@dataclass(frozen=True, slots=True)
class Listed(Generic[M]):
    """Moves that are listed one by one, and whether they are all there are."""

    moves: tuple[M, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V]):
    """One game, whole. An `arranger` is what the game may ask for (rummy: `engine.rummy.arrangement.Arranger`); swoop asks nothing.

    deal(seats, rules, seed, starter)        -> (state, events); raises Invalid (``too_few_cards``, a bad seed or starter)
    violation(state, seat, move, arranger)   -> Violation, or None if the move is legal: the only legality code; raises
                                                Invalid for a move that `check_address` refuses
    legal_moves(state, seat, arranger)       -> moves of a seat, or of the referee (None); of moves that differ only in which
                                                cards of one kind they take, one may stand for all
    all_moves(state, seat, arranger)         -> Listed: each of those by itself too, as far as they are not too many
    apply(state, seat, move, arranger)       -> (state, events); raises IllegalMove; the input is never changed
    default_move(state, arranger)            -> the next move of the turn that a seat out of time is given (hosted.md, Time)
    view(state, seat)                        -> what one seat may know; None: a spectator
    outcome(state)                           -> Outcome, or None while the match goes on
    to_move(state)                           -> the seat to move, or None
    check(state)                             -> None; raises CorruptState with the places that no game can reach
    """

    name: str
    seats: range
    rules: type[Rules]
    state: type[S]
    older: type[Any]  # the fields of a state from before it held a match that tell of it, and its `match`
    moves: tuple[type[M], ...]
    events: tuple[type[Any], ...]
    seen: type[V]  # what `view` gives
    violations: Mapping[str, str]  # code -> when it is given, in the order of the checks
    deal: Callable[[int, Any, str, int | None], tuple[S, tuple[Event, ...]]]
    violation: Callable[[S, int | None, M, Any], Violation | None]
    legal_moves: Callable[[S, int | None, Any], tuple[M, ...]]
    all_moves: Callable[[S, int | None, Any], Listed[M]]
    apply: Callable[[S, int | None, M, Any], tuple[S, tuple[Event, ...]]]
    default_move: Callable[[S, Any], M]
    view: Callable[[S, int | None], V]
    outcome: Callable[[S], Outcome | None]
    to_move: Callable[[S], int | None]
    check: Callable[[S], None]

    def listed(self, state: S, seat: int | None, arranger: Any, *, each: bool) -> Listed[M]:
        """The moves that a caller is shown: with `each`, all of them."""
        return self.all_moves(state, seat, arranger) if each else Listed(self.legal_moves(state, seat, arranger))


def first_starter(game: str, allowed: range, seats: int, seed: str, starter: int | None) -> int:
    """Who starts the first round: the seat given, or one drawn with the label ``<game>/starter`` (rules.md §1.4, §2.1).

    Raises `Invalid` where the number of seats, the seed or the starter cannot be.
    """
    flaws = []
    if seats not in allowed:
        flaws.append(Flaw("/seats", f"must be from {allowed.start} to {allowed.stop - 1}"))
    if len(seed) != 2 * shuffling.SEED_BYTES or set(seed) - set("0123456789abcdef"):
        flaws.append(Flaw("/seed", f"must be {2 * shuffling.SEED_BYTES} digits 0-9 a-f"))
    if starter is not None and starter not in range(seats):
        flaws.append(Flaw("/starter", f"must be a seat, from 0 to {seats - 1}, or null"))
    if flaws:
        raise Invalid(*flaws)
    return shuffling.pick(seed, f"{game}/starter", seats) if starter is None else starter


def check_seat(seats: int, seat: int | None) -> None:
    """Raises `Invalid` for a seat that does not exist; None is the referee or a spectator."""
    if seat is not None and seat not in range(seats):
        raise Invalid(Flaw("/seat", f"no such seat; the seats are 0 to {seats - 1}"))


def check_address(seats: int, seat: int | None, move: Any) -> None:
    """Raises `Invalid` where a seat does not exist, or a move is not one that this caller could ever make: the referee's
    moves come from no seat, a seat's from nobody else."""
    if isinstance(move, Forfeit | Withdraw | Rejoin) and move.seat not in range(seats):
        raise Invalid(Flaw("/move/seat", f"no such seat; the seats are 0 to {seats - 1}"))
    if isinstance(move, RefereeMove):
        if seat is not None:
            raise Invalid(Flaw("/seat", f"must be null: {move.type} is a move of the referee"))
    elif seat is None:
        raise Invalid(Flaw("/seat", f"must be a seat, not null: {move.type} is no move of the referee"))
    check_seat(seats, seat)


def next_in(seats: Sequence[Seated], seat: int) -> int:
    """The next seat after `seat` that is still in the round; `seat` itself if it is the only one. One must be."""
    for step in range(1, len(seats) + 1):
        other = (seat + step) % len(seats)
        if seats[other].status == "in":
            return other
    raise ValueError("no seat is in the round")


def conserved(zones: Sequence[Sequence[Card]], deck: Sequence[Card]) -> bool:
    """Whether the zones together are exactly the deck, by count."""
    return sorted(card for zone in zones for card in zone) == sorted(deck)

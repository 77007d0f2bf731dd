"""A match of Swoop at rest: everything the referee knows between two moves (rules.md §2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine import standings
from engine.cards import Card
from engine.game import Outcome, Points
from engine.match import Match
from engine.standings import Standing
from engine.swoop.rules import SwoopRules

Phase = Literal["play", "round_over", "match_over"]
Status = Literal["in", "forfeited", "not_dealt"]
Reason = Literal["out", "cards", "forfeited", "not_dealt"]


@dataclass(frozen=True, slots=True)
class Stack:
    """A place in front of a player: the guard on top, face up, the secret under it, face down; None where a card is gone."""

    guard: Card | None
    secret: Card | None


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's cards. `status` is of the round: who forfeited is in again at the next deal, which is not dealt to seats
    that have withdrawn. `turned_up` is the slot of a
    secret that lies face up though nobody is to play it any more: its seat has forfeited, or the match was aborted."""

    hand: tuple[Card, ...]
    stacks: tuple[Stack, ...]
    status: Status = "in"
    turned_up: int | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class Result:
    """What a round cost a seat, and why: it went ``out``, it held ``cards``, it held them and had ``forfeited``, or it was
    ``not_dealt`` to."""

    points: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The scores of a finished round, seat by seat."""

    round: int
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The fold of set-up and moves. `turn` is the seat to move, None between rounds and after the match; `committed` is the
    slot of that seat's flipped secret; `plies` counts the round's flips and plays; `shuffles` all shuffles of the match; `match`
    is how it stands after the last round scored."""

    rules: SwoopRules
    seed: str
    shuffles: int
    round: int
    starter: int
    turn: int | None
    phase: Phase
    plies: int
    match: Match
    last_round: RoundScore | None
    seats: tuple[Seat, ...]
    pile: tuple[Card, ...]  # bottom to top
    removed: tuple[Card, ...]  # cleared, in the order of clearing
    set_aside: tuple[Card, ...]  # never dealt
    committed: int | None
    aborted: bool

    @property
    def totals(self) -> tuple[Points, ...]:
        """What each seat has scored."""
        return self.match.totals

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How each seat stands in the match."""
        return standings.standings(self.match, self.rules.terms, pause=self.phase == "round_over")

    def after(
        self,
        *,
        turn: int | None = None,
        committed: int | None = None,
        phase: Phase | None = None,
        plies: int | None = None,
        match: Match | None = None,
        last_round: RoundScore | None = None,
        seats: tuple[Seat, ...] | None = None,
        pile: tuple[Card, ...] | None = None,
        removed: tuple[Card, ...] | None = None,
        aborted: bool = False,
    ) -> State:
        """The next state within a round or at its end: what is not named stays, but `turn` and `committed`, which each move
        settles anew. (Written out because it is twice as fast as `dataclasses.replace`.)"""
        return State(
            self.rules,
            self.seed,
            self.shuffles,
            self.round,
            self.starter,
            turn,
            self.phase if phase is None else phase,
            self.plies if plies is None else plies,
            self.match if match is None else match,
            self.last_round if last_round is None else last_round,
            self.seats if seats is None else seats,
            self.pile if pile is None else pile,
            self.removed if removed is None else removed,
            self.set_aside,
            committed,
            aborted,
        )


def is_scored(state: State) -> bool:
    """Whether the cards that lie there are those of a finished round; an aborted match may have left one unfinished."""
    return state.last_round is not None and state.last_round.round == state.round


def seats_in(state: State) -> tuple[int, ...]:
    """The seats still in the round, in order of their numbers."""
    return tuple(number for number, seat in enumerate(state.seats) if seat.status == "in")


def cards_of(hand: tuple[Card, ...], stacks: tuple[Stack, ...]) -> tuple[Card, ...]:
    """Every card a seat holds: hand, guards and secrets."""
    laid = (card for stack in stacks for card in (stack.guard, stack.secret) if card is not None)
    return (*hand, *laid)


def to_move(state: State) -> int | None:
    """The seat to move, or None between rounds and after the match."""
    return state.turn


def outcome(state: State) -> Outcome | None:
    """How the match ended (§2.5), or None while it goes on."""
    if state.aborted:
        return Outcome((), state.totals, "aborted")
    return standings.outcome(state.match, state.rules.terms)


def was_dealt(seat: Seat) -> bool:
    """Whether a seat takes part in the round."""
    return seat.status != "not_dealt"

"""The state of a rummy match as a frozen value: what the rules need to remember, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine import standings
from engine.cards import Card, Rank
from engine.game import Outcome, Points
from engine.match import Match
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import RummyRules
from engine.standings import Standing

Phase = Literal["draw", "discard", "round_over", "match_over"]
Status = Literal["in", "packed_first", "packed_later", "penalised", "not_dealt"]
Reason = Literal["won", "packed_first", "packed_later", "penalised", "loose", "not_dealt"]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player in the round being played. `hand` is in the order in which the cards came: after a draw, the card drawn is
    the last. `turns` counts the turns begun in this round: a turn begins with its draw, and a pack is a turn. The round was
    not dealt to a seat that is out of the match, or not in the tie that is played off."""

    hand: tuple[Card, ...]
    status: Status
    turns: int


@dataclass(frozen=True, slots=True)
class Result:
    """What one seat scored in a round and why. `grouping` is the winner's declaration, or what a loser still in was scored by."""

    points: Points
    reason: Reason
    grouping: Arrangement | None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A finished round. `winner` is None where the turns ran out; `first_turn` says that the winner declared before anyone
    else had acted; `fold` is the card the winner folded, None where nobody declared."""

    round: int
    winner: int | None
    first_turn: bool
    fold: Card | None
    results: tuple[Result, ...]
    settlement: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A match. Stock and discard pile are written bottom to top: the last card of each is its top. `match` is how it stands
    after the last round scored: totals and all else that is counted over rounds (§1.9).

    The zones ``stock``, ``discard``, ``wild_card``, ``removed`` and the hands are the whole deck at all times. `removed`
    holds what left the round: packed and penalised hands, and the winner's folded card. `shuffles` counts the shuffles of
    the match so far, `plies` the moves that seats made in this round.

    `taken` is the card drawn in this turn if it came from the discard pile. `opening` says that the card at the bottom of
    the discard pile is the one that started it. `aborted` tells a match broken off from one played to its end.
    """

    rules: RummyRules
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
    stock: tuple[Card, ...]
    discard: tuple[Card, ...]
    wild_card: Card
    wild_rank: Rank | None
    taken: Card | None
    opening: bool
    removed: tuple[Card, ...]
    aborted: bool

    @property
    def totals(self) -> tuple[Points, ...]:
        """What each seat has scored."""
        return self.match.totals

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How each seat stands in the match."""
        return standings.standings(self.match, self.rules.terms, pause=self.phase == "round_over")


def seats_in(state: State) -> tuple[int, ...]:
    """The seats still in the round, in order of their numbers."""
    return tuple(number for number, seat in enumerate(state.seats) if seat.status == "in")


def round_turns(state: State) -> int:
    """How many turns have begun in this round."""
    return sum(seat.turns for seat in state.seats)


def is_scored(state: State) -> bool:
    """Whether the round in `state` has ended and been scored."""
    return state.last_round is not None and state.last_round.round == state.round


def to_move(state: State) -> int | None:
    """The seat to move, or None between rounds and after the match."""
    return state.turn


def outcome(state: State) -> Outcome | None:
    """How the match ended (§1.7, §1.9), or None while it goes on."""
    if state.aborted:
        return Outcome((), state.totals, "aborted")
    return standings.outcome(state.match, state.rules.terms)


def was_dealt(seat: Seat) -> bool:
    """Whether a seat takes part in the round."""
    return seat.status != "not_dealt"

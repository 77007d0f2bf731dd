"""A match that was played elsewhere, told round by round (rules.md §1.9): each wrong place is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.errors import Flaw, Invalid
from engine.game import Rejoin, Withdraw
from engine.match import Match, Terms
from engine.match_steps import Refused, after_round, begin, leave, rejoin, split, withdraw

MAX_ROUNDS = 200
MAX_POINTS = 10**9  # of a round: far more than any costs; keeps totals within 64 bits


@dataclass(frozen=True, slots=True)
class Split:
    """All seats that are in have agreed to share the pot."""

    type: ClassVar[str] = "split"


Pause = Rejoin | Withdraw | Split


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round. `points`: one for each seat, None for one that was not dealt to; `winner` None: nobody won; `withdraw`: who
    left for good while it was played; `after`: what happened until the next one, in order."""

    points: tuple[int | None, ...]
    winner: int | None
    withdraw: tuple[int, ...] = ()
    after: tuple[Pause, ...] = ()


def settle(seats: int, terms: Terms, rounds: Sequence[PlayedRound]) -> Match:
    """The match after the rounds told. Raises `Invalid` at the first place that cannot be: pointers begin with ``/rounds``."""
    match = begin(seats, terms)
    for number, told in enumerate(rounds):
        match = _round(match, terms, told, f"/rounds/{number}")
    return match


def _round(match: Match, terms: Terms, told: PlayedRound, at: str) -> Match:
    if match.ending:
        raise _wrong(at, "the match was over before this round")
    _check_points(match, told.points, f"{at}/points")
    _check_winner(match, told, f"{at}/winner")
    _check_leaving(match, told.withdraw, f"{at}/withdraw")
    for seat in told.withdraw:
        match = leave(match, seat)
    match = after_round(match, terms, told.points, told.winner)
    for place, happened in enumerate(told.after):
        match = _pause(match, terms, happened, f"{at}/after/{place}")
    return match


def _check_points(match: Match, points: Sequence[int | None], at: str) -> None:
    if len(points) != len(match.entrants):
        raise _wrong(at, f"one for each of the {len(match.entrants)} seats is needed, here are {len(points)}")
    for seat, scored in enumerate(points):
        dealt_to = seat in match.dealt_to
        if scored is None and dealt_to:
            raise _wrong(f"{at}/{seat}", f"seat {seat} was dealt to, so it scored something")
        if scored is not None and not dealt_to:
            raise _wrong(f"{at}/{seat}", f"must be null: the round was dealt to {_listed(match.dealt_to)} only")
        if scored is not None and not 0 <= scored <= MAX_POINTS:
            raise _wrong(f"{at}/{seat}", f"must be a whole number from 0 to {MAX_POINTS}")


def _check_winner(match: Match, told: PlayedRound, at: str) -> None:
    if told.winner is None:
        return
    if told.winner not in match.dealt_to:
        raise _wrong(at, f"the round was dealt to {_listed(match.dealt_to)} only")
    if told.points[told.winner]:
        raise _wrong(at, f"seat {told.winner} scored {told.points[told.winner]}: a winner scores 0")


def _check_leaving(match: Match, seats: Sequence[int], at: str) -> None:
    staying = set(match.seats_in)
    for place, seat in enumerate(seats):
        if seat not in range(len(match.entrants)):
            raise _wrong(f"{at}/{place}", f"no such seat; the seats are 0 to {len(match.entrants) - 1}")
        if seat not in staying:
            why = "stands twice" if seat in match.seats_in else "is out already"
            raise _wrong(f"{at}/{place}", f"seat {seat} {why}")
        if len(staying) == 1:
            raise _wrong(f"{at}/{place}", f"seat {seat} is the only one left; one must stay")
        staying.remove(seat)


def _pause(match: Match, terms: Terms, happened: Pause, at: str) -> Match:
    if match.ending:
        raise _wrong(at, "the match was over before this")
    try:
        match happened:
            case Split():
                return split(match, terms)
            case Rejoin() | Withdraw() if happened.seat not in range(len(match.entrants)):
                raise Refused(f"no such seat; the seats are 0 to {len(match.entrants) - 1}")
            case Rejoin():
                return rejoin(match, terms, happened.seat)
            case Withdraw():
                return withdraw(match, terms, happened.seat)
    except Refused as wrong:
        raise _wrong(at, str(wrong)) from None


def _wrong(at: str, why: str) -> Invalid:
    return Invalid(Flaw(at, why))


def _listed(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"

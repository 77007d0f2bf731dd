"""The referee's moves in both games, and the pause between two rounds: what is legal, and why the rest is not (rules.md §1.7,
§1.9, §2.5). They depend on no card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from engine.errors import Violation
from engine.game import Abort, CommonMove, Forfeit, NextRound, RefereeMove, Rejoin, Seated, Withdraw
from engine.match import Match, Terms, may_rejoin
from engine.match_steps import Refused, agree, rejoin


class Played(Protocol):
    """What every game tells of a state."""

    @property
    def phase(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def seats(self) -> Sequence[Seated]: ...
    @property
    def match(self) -> Match: ...


def is_pause(state: Played) -> bool:
    """Whether a round is over and the match is not."""
    return state.phase == "round_over"


def referee_moves(state: Played) -> tuple[CommonMove, ...]:
    """The legal moves of the referee, but for `rejoins`."""
    if state.phase == "match_over":
        return ()
    leaving = tuple(map(Withdraw, state.match.seats_in))
    if is_pause(state):
        return (NextRound(), *leaving, Abort())
    return (*(Forfeit(number) for number, seat in enumerate(state.seats) if seat.status == "in"), *leaving, Abort())


def rejoins(state: Played, terms: Terms) -> tuple[Rejoin, ...]:
    """The seats that the referee may let come back."""
    if not is_pause(state):
        return ()
    return tuple(Rejoin(seat) for seat in range(len(state.seats)) if may_rejoin(state.match, terms, seat))


def referee_violation(state: Played, terms: Terms, move: RefereeMove) -> Violation | None:
    """Why a move of the referee is illegal while the match goes on, or None."""
    match move:
        case NextRound() if not is_pause(state):
            return _wrong_phase(f"round {state.round} is still being played; next_round follows its end")
        case Forfeit() if is_pause(state):
            return _wrong_phase("no round is being played; a seat can forfeit once the next one is dealt")
        case Forfeit() if state.seats[move.seat].status != "in":
            playing = [number for number, seat in enumerate(state.seats) if seat.status == "in"]
            return _wrong_phase(f"seat {move.seat} is out of this round already; still in are {_listed(playing)}")
        case Withdraw() if move.seat not in state.match.seats_in:
            return _wrong_phase(
                f"seat {move.seat} is out of the match already; still in are {_listed(state.match.seats_in)}"
            )
        case Rejoin() if not is_pause(state):
            return _wrong_phase("a seat can rejoin between two rounds; this one is still being played")
        case Rejoin():
            why = _refusal(lambda: rejoin(state.match, terms, move.seat))
            return None if why is None else Violation("rejoin_impossible", why)
    return None


def agree_violation(state: Played, terms: Terms, seat: int) -> Violation | None:
    """Why a seat cannot agree to a split while the match goes on, or None."""
    if not is_pause(state):
        return _wrong_phase("a split is agreed on between two rounds; this one is still being played")
    why = _refusal(lambda: agree(state.match, terms, seat))
    return None if why is None else Violation("split_impossible", why)


def _refusal(step: Callable[[], Match]) -> str | None:
    """What a step of the match says against itself."""
    try:
        step()
    except Refused as wrong:
        return str(wrong)
    return None


def _wrong_phase(message: str) -> Violation:
    return Violation("wrong_phase", message)


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))

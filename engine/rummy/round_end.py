"""The end of a round, and of a match with it (rules.md §1.5–§1.7, §1.9)."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from engine.match_events import eliminated, match_over
from engine.match_steps import after_round
from engine.rummy.arrangement import Arrangement, Arranger
from engine.rummy.events import Declared, Event, RoundScored
from engine.rummy.scoring import halved_seats, score_round, settlement
from engine.rummy.state import RoundScore, Seat, State, round_turns, was_dealt


def win_by_declaring(
    state: State, winner: int, fold: Card, grouping: Arrangement, arranger: Arranger
) -> tuple[State, tuple[Event, ...]]:
    """End the round for a seat that folds a card and lays down the rest; `state` holds the fold among `removed`."""
    ended, events = end_round(state, winner, arranger, fold, grouping, is_first_turn(state))
    return ended, (Declared(winner, fold, grouping.groups), *events)


def end_round(
    state: State,
    winner: int | None,
    arranger: Arranger,
    fold: Card | None = None,
    grouping: Arrangement | None = None,
    first_turn: bool = False,
) -> tuple[State, tuple[Event, ...]]:
    """Score the round, and end the match if it was the last. `winner` is None where the turns have run out.

    Raises `Undecided` where the arranger cannot prove a loser's points.
    """
    arranged = [
        (seat.status, grouping if number == winner else _best(state, seat, arranger))
        for number, seat in enumerate(state.seats)
    ]
    results = score_round(arranged, winner, halved(state, fold is not None, first_turn), state.rules)
    points = tuple(result.points for result in results)
    counted = [lost if was_dealt(seat) else None for seat, lost in zip(state.seats, points, strict=True)]
    match = after_round(state.match, state.rules.terms, counted, winner)
    paid = settlement(points, winner)
    scored = RoundScored(state.round, winner, first_turn, fold, results, match.totals, paid)
    ended = replace(
        state,
        turn=None,
        phase="match_over" if match.ending else "round_over",
        taken=None,
        match=match,
        last_round=RoundScore(state.round, winner, first_turn, fold, results, paid),
    )
    return ended, (scored, *eliminated(match), *match_over(match))


def _best(state: State, seat: Seat, arranger: Arranger) -> Arrangement | None:
    """What a loser is scored by, if it is still in."""
    return arranger.best(seat.hand, state.wild_rank, state.rules) if seat.status == "in" else None


def halved(state: State, declared: bool, first_turn: bool) -> tuple[bool, ...]:
    """Whose totals are halved where the round in `state` has ended so."""
    return halved_seats(first_turn, [not seat.turns for seat in state.seats], declared, state.rules)


def is_first_turn(state: State) -> bool:
    """Whether nobody but the starter has acted in the round, and the starter only once."""
    return round_turns(state) == 1 and all(seat.status == "in" for seat in state.seats if was_dealt(seat))

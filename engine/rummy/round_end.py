"""The end of a round and of a match (rules.md §1.5–§1.7)."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from engine.game import MatchOver, lowest
from engine.rummy.arrangement import Arrangement, Arranger
from engine.rummy.events import Declared, Event, RoundScored
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import score_round, settlement
from engine.rummy.state import RoundScore, Seat, State, round_turns


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
    results = score_round(arranged, winner, first_turn, state.rules)
    points = tuple(result.points for result in results)
    totals = tuple(total + lost for total, lost in zip(state.totals, points, strict=True))
    paid = settlement(points, winner)
    scored = RoundScored(state.round, winner, first_turn, fold, results, totals, paid)
    over = is_last_round(state.rules, len(totals), state.round, totals)
    ended = replace(
        state,
        turn=None,
        phase="match_over" if over else "round_over",
        taken=None,
        totals=totals,
        last_round=RoundScore(state.round, winner, first_turn, fold, results, paid),
    )
    return ended, (scored, MatchOver(lowest(totals), totals)) if over else (scored,)


def _best(state: State, seat: Seat, arranger: Arranger) -> Arrangement | None:
    """What a loser is scored by, if it is still in."""
    return arranger.best(seat.hand, state.wild_rank, state.rules) if seat.status == "in" else None


def is_first_turn(state: State) -> bool:
    """Whether nobody but the starter has acted in the round, and the starter only once."""
    return round_turns(state) == 1 and all(seat.status == "in" for seat in state.seats)


def is_last_round(rules: RummyRules, seats: int, number: int, totals: tuple[float, ...]) -> bool:
    """Whether a match ends with round `number` and these totals after it (rules.md §1.7)."""
    if rules.target_points is not None:
        return max(totals) >= rules.target_points
    return number >= (seats if rules.rounds is None else rules.rounds)

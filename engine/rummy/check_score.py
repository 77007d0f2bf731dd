"""Whether the scores in a state can be those of its rounds: totals, the last round, the end of the match."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check_match import match_flaws
from engine.check_match_end import Moment
from engine.errors import Flaw
from engine.game import Points
from engine.rummy.declaration import WrongArrangement, verify_declaration, verify_scored
from engine.rummy.round_end import halved, is_first_turn
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import score_round, settlement
from engine.rummy.state import RoundScore, State, is_scored, round_turns, seats_in


def score_flaws(state: State) -> Iterator[Flaw]:
    """The first thing that is wrong with the scores, or nothing."""
    done = state.round if is_scored(state) else state.round - 1  # rounds scored
    last = state.last_round
    if (last.round if last is not None else 0) != done:
        yield Flaw("/last_round", "is not the round scored last")
        return
    if not all(_is_points(total, state.rules) for total in state.totals):
        yield Flaw("/totals", "are no sums of the points of so many rounds")
        return
    for seat, entrant in enumerate(state.match.entrants):
        if entrant.chips is not None and not _is_points(abs(entrant.chips), state.rules):
            yield Flaw(f"/match/entrants/{seat}/chips", "are no number of chips")
            return
    if last is not None:
        if (found := _record_flaw(state, last)) is not None:
            yield found
            return
        if is_scored(state) and (found := _result_flaw(state, last)) is not None:
            yield found
            return
    at = Moment(
        round=state.round,
        scored=is_scored(state),
        pause=state.phase == "round_over",
        aborted=state.aborted,
        statuses=tuple(seat.status for seat in state.seats),
        points=None if last is None else tuple(result.points for result in last.results),
    )
    yield from match_flaws(state.match, state.rules.terms, at, _dearest(state.rules))


def _dearest(rules: RummyRules) -> int:
    """The most that a round can cost a seat."""
    dearest = HAND_SIZE * max(rules.rank_points)
    return max(
        dearest,
        rules.full_count_without_pure or 0,
        rules.pack_first,
        rules.pack_later,
        rules.invalid_declaration_points,
    )


def _is_points(value: Points, rules: RummyRules) -> bool:
    """Whole, or with a half where the rules keep halves; never below zero."""
    halves = rules.first_turn_halves and rules.halve_rounding == "exact"
    return value >= 0 and (isinstance(value, int) or (halves and (2 * value).is_integer()))


def _record_flaw(state: State, last: RoundScore) -> Flaw | None:
    """What is wrong with a finished round by itself."""
    seats = len(state.seats)
    if len(last.results) != seats or (last.winner is not None and last.winner not in range(seats)):
        return Flaw("/last_round", "has one result for each seat, and one of them as winner or none")
    for number, result in enumerate(last.results):
        if not _is_points(result.points, state.rules) or (result.reason == "won") != (number == last.winner):
            return Flaw(f"/last_round/results/{number}", "does not fit the winner, or is no number of points")
    if last.settlement != settlement([result.points for result in last.results], last.winner):
        return Flaw("/last_round/settlement", "is not what the losers pay the winner")
    return None


def _result_flaw(state: State, last: RoundScore) -> Flaw | None:
    """What is wrong with the scores of the round in the state, whose hands can be looked at."""
    still_in = seats_in(state)
    if last.winner is None:
        ended = last.fold is None and len(still_in) > 1 and round_turns(state) == state.rules.max_turns
    elif last.fold is None:
        ended = still_in == (last.winner,)
    else:
        ended = last.winner in still_in and len(still_in) > 1
    if not ended:
        return Flaw("/last_round", "the round does not end so: a seat declares, one is left, or the turns run out")
    if last.first_turn != (last.fold is not None and is_first_turn(state)):
        return Flaw("/last_round/first_turn", "says whether the starter declared before anyone else acted")
    entries = []
    for number, (seat, result) in enumerate(zip(state.seats, last.results, strict=True)):
        at = f"/last_round/results/{number}/grouping"
        scored = seat.status == "in" and (number != last.winner or last.fold is not None)
        if scored != (result.grouping is not None):
            return Flaw(at, "is there for the hands that were scored or declared, and only for them")
        if result.grouping is not None:
            try:
                verify = verify_declaration if number == last.winner else verify_scored
                verify(seat.hand, result.grouping, state.wild_rank, state.rules)
            except WrongArrangement as wrong:
                return Flaw(at, str(wrong))
        entries.append((seat.status, result.grouping))
    halves = halved(state, last.fold is not None, last.first_turn)
    expected = score_round(entries, last.winner, halves, state.rules)
    for number, (due, result) in enumerate(zip(expected, last.results, strict=True)):
        if due != result:
            return Flaw(f"/last_round/results/{number}", "is not what the rules charge")
    return None

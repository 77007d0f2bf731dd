"""The stateless rummy calls: group, judge, score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from engine.cards import Card, Rank, without
from engine.errors import Flaw, ImpossibleHand, Invalid, Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import judge
from engine.rummy.hands import CopyLimits, check_copies, check_round, check_size, limits
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import charged, count, halved_seats, score_round, settlement
from engine.rummy.submitted import Submitted, as_sent
from service.json import codec
from service.schemas.common import Chosen
from service.schemas.rummy import BatchRequest, DeclarationRequest, GroupingRequest, ScoreRequest
from service.schemas.rummy_answers import (
    Alternative,
    Declaration,
    Grouping,
    JudgedGroup,
    ScoredSeat,
    Scores,
    SubmittedGroup,
    SubmittedGrouping,
)
from service.solving.admission import Asker
from service.solving.batches import Hand, Solvers
from service.solving.solver import Solver
from solver.limits import LIMITS, Limits
from solver.solve import Method, Solution, best_grouping

_SIZES = (HAND_SIZE, HAND_SIZE + 1)


def group(asked: GroupingRequest, solver: Solver, at: str = "/hand") -> Grouping:
    """The best grouping of a hand, and others of equal worth if they are asked for. `at`: where the hand stands. Raises `ImpossibleHand`."""
    _check_hand(asked.hand, _SIZES, _limits(asked.rules), at)
    rules = asked.rules.rules
    solution = solver.grouping(asked.hand, asked.wild_rank, rules)
    grouping = _grouping(solution, rules)
    return _with_alternatives(grouping, solution, asked, solver) if asked.alternatives else grouping


def solve(asked: GroupingRequest) -> Grouping:
    """The best grouping of a hand, found here and now: for those who run no service. Raises `ImpossibleHand`."""
    _check_hand(asked.hand, _SIZES, _limits(asked.rules), "/hand")
    rules = asked.rules.rules
    return _grouping(best_grouping(asked.hand, asked.wild_rank, rules, method=asked.proof), rules)


def _with_alternatives(grouping: Grouping, solution: Solution, asked: GroupingRequest, solver: Solver) -> Grouping:
    """The grouping with others of the same 13 cards; none are looked for where it is not proved what they must be worth."""
    if not solution.optimal:
        return replace(grouping, alternatives=(), alternatives_complete=False)
    kept = without(asked.hand, [solution.discard] if solution.discard else [])
    found = solver.alternatives(kept, asked.wild_rank, asked.rules.rules, solution.arrangement, asked.alternatives)
    listed = tuple(Alternative(each.groups, each.loose) for each in found.arrangements)
    return replace(grouping, alternatives=listed, alternatives_complete=found.complete)


def group_each(
    asked: BatchRequest, solver: Solver, solvers: Solvers, asker: Asker, problem_of: Callable[[Invalid], Any]
) -> list[Any]:
    """The best grouping of each hand as JSON, in order; in the place of a wrong hand, its problem."""
    checked = list(_checked(asked))
    right = [hand for hand in checked if not isinstance(hand, Invalid)]
    found = solvers.each(groupings, right, asked.wild_rank, asked.rules.rules, method=solver.method, asker=asker)
    answers = [one.json for one in found]
    solver.written(right, asked.wild_rank, asked.rules.rules, answers)
    grouped = iter(answers)
    return [problem_of(hand) if isinstance(hand, Invalid) else orjson.Fragment(next(grouped)) for hand in checked]


class Written(NamedTuple):
    """A grouping as JSON, and whether it is proved."""

    json: bytes
    optimal: bool


def groupings(
    hands: Sequence[Hand], wild_rank: Rank | None, rules: RummyRules, method: Method, limits: Limits = LIMITS
) -> list[Written]:
    """The best grouping of each hand, as JSON: written where it is solved, so that the process that asks only joins them."""
    solutions = (best_grouping(hand, wild_rank, rules, method=method, limits=limits) for hand in hands)
    return [Written(orjson.dumps(codec.write(_grouping(each, rules))), each.optimal) for each in solutions]


def _checked(asked: BatchRequest) -> Iterator[tuple[Card, ...] | Invalid]:
    """Each hand, or what is wrong with it."""
    most = _limits(asked.rules)
    for place, hand in enumerate(asked.hands):
        if isinstance(hand, Invalid):
            yield hand
            continue
        try:
            _check_hand(hand, _SIZES, most, f"/hands/{place}")
        except Invalid as wrong:
            yield wrong
        else:
            yield hand


def declare(asked: DeclarationRequest, solver: Solver) -> Declaration:
    """Judge groups as sent; if they fail, look whether their cards can be grouped otherwise. Raises `ImpossibleHand`, `Undecided`."""
    most, rules = _limits(asked.rules), asked.rules.rules
    if asked.hand is None:
        folded = [] if asked.fold is None else [("/fold", asked.fold)]
        check_copies([*_places(asked.groups, "/groups"), *folded], most)
    else:
        _check_hand(asked.hand, _SIZES, most, "/hand")
    verdict = judge(asked.groups, asked.wild_rank, rules, asked.hand, asked.fold)
    groups = tuple(
        JudgedGroup(
            cards=each.cards,
            kind=each.group.kind if each.group else None,
            kinds=each.kinds,
            stands_for=each.group.stands_for if each.group else None,
            fault=each.fault,
        )
        for each in verdict.groups
    )
    if verdict.valid or verdict.remaining is None:
        return Declaration(verdict.valid, groups, verdict.faults, regroup=None, proof=None)
    found = solver.declared(verdict.remaining, asked.wild_rank, rules)
    regroup = tuple(each.cards for each in found.arrangement.groups) if found.arrangement else None
    return Declaration(False, groups, verdict.faults, regroup, found.proof)


def score(asked: ScoreRequest, solver: Solver) -> Scores:
    """Score a finished round. Raises `Invalid` for contradictions, `ImpossibleHand`, `Undecided`."""
    rules = asked.rules.rules
    told = [seat.no_turn for seat in asked.seats]
    check_round([(seat.status, seat.hand) for seat in asked.seats], asked.winner, asked.first_turn, rules, told)
    sent = [_submitted(asked, place) for place in range(len(asked.seats))]
    solutions = [
        _proved(solver.lost(seat.hand, asked.wild_rank, rules))
        if seat.hand is not None and seat.status == "in" and place != asked.winner
        else None
        for place, seat in enumerate(asked.seats)
    ]
    no_turn = [asked.first_turn if none is None else none for none in told]
    results = score_round(
        [
            (seat.status, _counted(solution, own, rules) if solution else None)
            for seat, solution, own in zip(asked.seats, solutions, sent, strict=True)
        ],
        asked.winner,
        halved_seats(asked.first_turn, no_turn, asked.winner is not None, rules),
        rules,
    )
    seats = tuple(
        ScoredSeat(
            points=result.points,
            reason=result.reason,
            grouping=_grouping(solution, rules) if solution else None,
            submitted=_told(own, rules) if own else None,
        )
        for result, solution, own in zip(results, solutions, sent, strict=True)
    )
    return Scores(seats, settlement([seat.points for seat in seats], asked.winner))


def _submitted(asked: ScoreRequest, place: int) -> Submitted | None:
    """A seat's own grouping, if it sent one. Raises `Invalid` where no loser's hand can be grouped so."""
    seat, at = asked.seats[place], f"/seats/{place}"
    if seat.groups is None:
        return None
    if seat.hand is None or seat.status != "in" or place == asked.winner:
        raise Invalid(Flaw(f"{at}/groups", "are for a loser who is still in, beside its hand"))
    try:
        return as_sent(seat.groups, seat.hand, asked.wild_rank, asked.rules.rules)
    except ImpossibleHand as wrong:
        raise ImpossibleHand(*(Flaw(at + flaw.pointer, flaw.detail) for flaw in wrong.flaws)) from wrong


def _counted(best: Solution, own: Submitted | None, rules: RummyRules) -> Arrangement:
    """What a loser is scored by."""
    return best.arrangement if own is None or rules.loser_grouping == "best" else own.arrangement


def _told(own: Submitted, rules: RummyRules) -> SubmittedGrouping:
    counted = count(own.arrangement, rules)
    groups = (
        SubmittedGroup(
            cards=each.cards,
            kind=each.group.kind if each.group else None,
            stands_for=each.group.stands_for if each.group else None,
            fault=each.fault,
        )
        for each in own.groups
    )
    return SubmittedGrouping(charged(counted, halve=False, rules=rules), counted, tuple(groups), own.arrangement.loose)


def _proved(solution: Solution) -> Solution:
    if not solution.optimal:
        raise Undecided("the fewest points of a hand")
    return solution


def _grouping(solution: Solution, rules: RummyRules) -> Grouping:
    arrangement, lost = solution.arrangement, solution.loser_points
    counted = count(arrangement, rules)
    return Grouping(
        points=charged(counted, halve=False, rules=rules),
        points_uncapped=counted,
        declarable=solution.declarable,
        optimal=solution.optimal,
        groups=arrangement.groups,
        loose=arrangement.loose,
        discard=solution.discard,
        proof=solution.proof,
        loser_points=None if lost is None else charged(lost, halve=False, rules=rules),
    )


def _limits(chosen: Chosen[RummyRules]) -> CopyLimits:
    return limits(chosen.rules, jokers_given="printed_jokers_per_deck" in chosen.given)


def _check_hand(hand: Sequence[Card], sizes: Sequence[int], most: CopyLimits, at: str) -> None:
    check_size(hand, sizes, at)
    check_copies([(f"{at}/{place}", card) for place, card in enumerate(hand)], most)


def _places(zones: Sequence[Sequence[Card]], at: str) -> list[tuple[str, Card]]:
    return [(f"{at}/{zone}/{place}", card) for zone, cards in enumerate(zones) for place, card in enumerate(cards)]

"""Where an answer of the solver differs from what brute force says of the same hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.cards import Card, Rank, without
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import WrongArrangement, verify_declaration, verify_scored
from engine.rummy.rules import HAND_SIZE, RummyRules
from solver.solve import Method, Solution, best_grouping, fewest_points, loser_grouping, winning_folds
from tests.solver import oracle
from tests.solver.oracle import Answer

Truth = Mapping[Card | None, Answer]  # by the card that is let go; None: all are kept


def truth_of(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Truth:
    """What brute force says of a hand of 13, or of each discard of a hand of 14."""
    if len(hand) > HAND_SIZE:
        return dict(oracle.discards(hand, wild_rank, rules).items())
    return {None: oracle.solve(hand, wild_rank, rules)}


def differences(
    hand: Sequence[Card],
    wild_rank: Rank | None,
    rules: RummyRules,
    solution: Solution,
    truth: Truth,
) -> list[str]:
    """What is wrong with a solution, in words: nothing, if it is proved, accepted by the engine and as good as the truth."""
    wins = any(answer.declarable for answer in truth.values())
    # A declaration leaves no card loose, whatever its groups would be worth to a loser.
    fewest = (False, 0) if wins else min((answer.full, answer.loose) for answer in truth.values())
    found = []
    if not solution.optimal:
        found.append("not proved")
    if solution.declarable is not wins or solution.arrangement.declarable is not wins:
        found.append(f"declarable: {solution.declarable}, truth {wins}")
    if solution.arrangement.points != fewest[1]:
        found.append(f"points: {solution.arrangement.points}, truth {fewest}")
    if solution.discard not in truth:
        found.append(f"discard: {solution.discard}, of {sorted(map(str, truth))}")
    else:
        kept = truth[solution.discard]
        if (kept.declarable, (False, 0) if kept.declarable else (kept.full, kept.loose)) != (wins, fewest):
            found.append(f"discard: {solution.discard} leaves {kept}")
        if solution.loser_points != kept.points:
            found.append(f"loser_points: {solution.loser_points}, truth {kept.points}")
        rest = without(hand, [solution.discard] if solution.discard else [])
        found += _refused(rest, solution.arrangement, wild_rank, rules, declared=wins)
    return found


def loser_differences(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, truth: Answer, cp_sat: bool = False
) -> list[str]:
    """What is wrong with what the solver says a hand of 13 costs its loser."""
    method: Method = "cp-sat" if cp_sat else "auto"
    scored = fewest_points(hand, wild_rank, rules, method=method)
    solution = loser_grouping(hand, wild_rank, rules, method=method)
    found = _refused(hand, scored.arrangement, wild_rank, rules, declared=False)
    if scored.proof is None or scored.arrangement.points != truth.loose:
        found.append(f"fewest points: {scored.arrangement.points} by {scored.proof}, truth {truth.loose}")
    if solution.arrangement != scored.arrangement:
        found.append(f"the grouping of a loser is {solution.arrangement}, not {scored.arrangement}")
    if (solution.loser_points, solution.declarable, solution.optimal) != (truth.points, truth.declarable, True):
        found.append(f"of a loser: {solution.loser_points} {solution.declarable} {solution.optimal}, truth {truth}")
    return found


def fold_differences(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, truth: Truth) -> list[str]:
    """What is wrong with the solver's winning folds of a hand of 14."""
    folds = winning_folds(hand, wild_rank, rules)
    wanted = {card for card, answer in truth.items() if answer.declarable}
    found = [f"folds: {sorted(folds)}, truth {sorted(map(str, wanted))}"] if set(folds) != wanted else []
    for card, arrangement in folds.items():
        found += _refused(without(hand, [card]), arrangement, wild_rank, rules, declared=True)
    return found


def solved(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, cp_sat: bool = False) -> Solution:
    """The solver's answer, by the method it chooses or by CP-SAT."""
    return best_grouping(hand, wild_rank, rules, method="cp-sat" if cp_sat else "auto")


def _refused(
    rest: Sequence[Card], arrangement: Arrangement, wild_rank: Rank | None, rules: RummyRules, *, declared: bool
) -> list[str]:
    try:
        (verify_declaration if declared else verify_scored)(rest, arrangement, wild_rank, rules)
    except WrongArrangement as wrong:
        return [f"the engine refuses it: {wrong}"]
    return []

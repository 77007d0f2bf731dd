"""The best grouping of a hand, proved: the one public face of the solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import FACES, Card, Rank
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import WrongArrangement
from engine.rummy.rules import HAND_SIZE, RummyRules
from solver.answer import Answer, Found, settle
from solver.candidates import Candidates, candidates
from solver.gates import declaration_gates, scoring_gates
from solver.model import by_cp_sat
from solver.problem import Problem, less, problem
from solver.reduction import OutOfWork, Search

Method = Literal["auto", "cp-sat"]
Proof = Literal["reduction", "cp-sat"]
_MORE_THAN_ANY = 1 << 20  # hand of cards costs


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work one question may cost, in units that no clock changes: states of the reduction before CP-SAT takes
    over, and CP-SAT's deterministic time (about seconds)."""

    states: int = 2_000
    deterministic_time: float = 5.0


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer. `optimal`: proved the best, and `declarable` proved either way, by `proof`. If not, `proof` is None, and
    `declarable` is unless it is proved all the same. `discard` is the card let go of a hand of fourteen; the arrangement is that of the others."""

    arrangement: Arrangement
    discard: Card | None
    optimal: bool
    declarable: bool | None
    proof: Proof | None


def best_grouping(
    hand: Sequence[Card],
    wild_rank: Rank | None,
    rules: RummyRules,
    *,
    limits: Limits = LIMITS,
    method: Method = "auto",
) -> Solution:
    """The grouping that leaves the fewest loose points before any cap (rules.md §1.6), a declaration (§1.3) if one can be made.

    Of fourteen cards one is let go so that the others come out best; a hand of any other size, from 7 to 26 cards, is
    grouped whole. Where several groupings are equally good the answer depends on the cards alone, not on their order.
    `method` "cp-sat" skips the reduction. Raises ValueError for a hand of another size.
    """
    given = problem(hand, wild_rank, rules, fold=len(hand) == HAND_SIZE + 1)
    choices = candidates(given)
    declared, first_proof = _ask(given, choices, True, limits, method)
    if declared.found is not None:
        arrangement, discard = _declaration(given, declared.found)
        return Solution(arrangement, discard, True, True, first_proof)
    scored, proof = _ask(given, choices, False, limits, method)
    proof = "cp-sat" if "cp-sat" in (first_proof, proof) else "reduction"
    arrangement, discard = settle(given, scored.found or _all_loose(given))
    if arrangement.declarable:  # found while points were counted, after the search for one had been given up
        return Solution(arrangement, discard, True, True, proof)
    optimal = declared.proved and scored.proved
    return Solution(arrangement, discard, optimal, False if declared.proved else None, proof if optimal else None)


def winning_folds(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Mapping[Card, Arrangement]:
    """Each face of the hand whose fold leaves a declaration of the other cards, with one. Raises `Undecided`."""
    given = problem(hand, wild_rank, rules)
    choices = candidates(given)
    search = _search(given, choices, True, limits.states * len(given.counts))
    folds = {}
    for face in search.foldable():
        card = FACES[face]
        rest = less(given, card)
        answer = _reduced(search.covered_without, face) if method == "auto" else None
        answer = answer or by_cp_sat(rest, choices.exact, covering=True, deterministic_time=limits.deterministic_time)
        if not answer.proved:
            raise Undecided(f"whether {card} can be folded to declare could not be proved within the work limit")
        if answer.found is not None:
            folds[card], _ = _declaration(rest, answer.found)
    return folds


def _ask(given: Problem, choices: Candidates, covering: bool, limits: Limits, method: Method) -> tuple[Answer, Proof]:
    """The best choice of groups, by the reduction if it gets there within its limit, else by CP-SAT."""
    if method == "auto":
        search = _search(given, choices, covering, limits.states)
        if answer := _reduced(search.best, 1 if covering else _MORE_THAN_ANY):
            return answer, "reduction"
    some = choices.exact if covering else choices.lean
    return by_cp_sat(given, some, covering=covering, deterministic_time=limits.deterministic_time), "cp-sat"


def _reduced(search: Callable[[int], Found | None], about: int) -> Answer | None:
    """What a search proves, or None if it is too long for its limit."""
    try:
        return Answer(search(about), True)
    except OutOfWork:
        return None


def _search(given: Problem, choices: Candidates, covering: bool, limit: int) -> Search:
    gates = declaration_gates(given.rules) if covering else scoring_gates(given.rules)
    return Search(given, choices.exact if covering else choices.lean, gates, covering=covering, limit=limit)


def _all_loose(given: Problem) -> Found:
    """The answer that needs no search: no groups, and the dearest card let go."""
    total = sum(count * given.points(face) for face, count in given.counts.items())
    fold = max(given.counts, key=given.points)
    if not given.fold or given.is_wild(fold):
        return Found(total, (), None)
    return Found(total - given.points(fold), (), fold)


def _declaration(given: Problem, found: Found) -> tuple[Arrangement, Card | None]:
    arrangement, discard = settle(given, found)
    if not arrangement.declarable:
        raise WrongArrangement("it was to be a declaration")
    return arrangement, discard


@dataclass(frozen=True, slots=True)
class SolverArranger:
    """The solver as the engine's `Arranger`; an answer that is not proved raises `Undecided`."""

    limits: Limits = LIMITS
    method: Method = "auto"

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """The proved best arrangement of a hand."""
        solution = best_grouping(hand, wild_rank, rules, limits=self.limits, method=self.method)
        if not solution.optimal:
            raise Undecided("the best grouping could not be proved within the work limit")
        return solution.arrangement

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """The winning folds of fourteen cards."""
        return winning_folds(hand, wild_rank, rules, limits=self.limits, method=self.method)

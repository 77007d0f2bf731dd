"""What a hand costs its loser, and whether it can be declared, proved: the one public face of the solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.cards import FACES, Card, Rank
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import count, counting
from solver.alternatives import Alternatives as Alternatives
from solver.alternatives import alternatives as alternatives
from solver.answer import Answer, Found, settle
from solver.candidates import Candidates, candidates
from solver.gates import declaration_gates, scoring_gates
from solver.limits import LIMITS, Limits, Pot
from solver.problem import Problem, less, problem
from solver.reduction import OutOfWork, Search

Method = Literal["auto", "cp-sat"]
Proof = Literal["reduction", "cp-sat"]
_MORE_THAN_ANY = 1 << 20  # hand of cards costs


@dataclass(frozen=True, slots=True)
class Scored:
    """What a hand costs its loser. `discard` is the card let go of a hand of fourteen, and the arrangement is that of the
    others. `proof` says what proved that none leaves fewer points; None: nothing did."""

    arrangement: Arrangement
    discard: Card | None
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class Declared:
    """Whether a hand can be declared: a declaration, with the card folded of fourteen, or none. `proof` says what found it
    or proved that there is none; None: nothing did."""

    arrangement: Arrangement | None
    discard: Card | None
    proof: Proof | None

    @property
    def possible(self) -> bool | None:
        """Whether there is a declaration; None where that is not proved."""
        return None if self.proof is None else self.arrangement is not None


@dataclass(frozen=True, slots=True)
class Solution:
    """Both answers about one hand. `declarable`: whether it can be declared, None where that is not proved; `loser_points`:
    what it costs its loser before any cap, likewise. `arrangement` answers one of them: see who made it. `optimal`: all of it
    is proved, by `proof`. `discard` is the card let go of a hand of fourteen; the rest is about the other cards."""

    arrangement: Arrangement
    discard: Card | None
    optimal: bool
    declarable: bool | None
    loser_points: int | None
    proof: Proof | None


def best_grouping(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Solution:
    """A declaration (rules.md §1.3) if one can be made, else the grouping that a loser is scored by (§1.6).

    Of fourteen cards one is let go so that the others come out best; a hand of any other size, from 7 to 26 cards, is
    grouped whole. Where several groupings are equally good the answer depends on the cards alone, not on their order.
    `method` "cp-sat" skips the reduction. Raises ValueError for a hand of another size.
    """
    given, choices = _posed(hand, wild_rank, rules)
    declared = _declared(given, choices, limits, method)
    if declared.arrangement is None:
        return _solution(declared, _scored(given, choices, limits, method), rules)
    if (
        counting(declared.arrangement.groups, rules) == declared.arrangement.groups
    ):  # then it costs its loser nothing, too
        return Solution(declared.arrangement, declared.discard, True, True, 0, declared.proof)
    if declared.discard is not None:
        given = less(given, declared.discard)
        choices = candidates(given)
    scored = _scored(given, choices, limits, method)
    return replace(_solution(declared, scored, rules), arrangement=declared.arrangement, discard=declared.discard)


def loser_grouping(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Solution:
    """The grouping that a loser of these cards is scored by (rules.md §1.6), and whether they could have been declared; none
    is let go. Here `optimal` is about the score alone. Raises ValueError for fewer than 7 or more than 26 cards."""
    given = problem(hand, wild_rank, rules)
    choices = candidates(given)
    scored = _scored(given, choices, limits, method)
    solution = _solution(_declared(given, choices, limits, method), scored, rules)
    return replace(solution, optimal=scored.proof is not None, proof=solution.proof or scored.proof)


def fewest_points(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Scored:
    """The grouping that leaves the fewest loose points before any cap, by the rules of scoring alone (rules.md §1.6).

    Hands and methods as for `best_grouping`.
    """
    return _scored(*_posed(hand, wild_rank, rules), limits, method)


def find_declaration(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Declared:
    """A declaration of all cards, of fourteen of all but one (rules.md §1.3), or the proof that there is none.

    Hands and methods as for `best_grouping`.
    """
    return _declared(*_posed(hand, wild_rank, rules), limits, method)


def winning_folds(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Mapping[Card, Arrangement]:
    """Each face of the hand whose fold leaves a declaration of the other cards, with one. Raises `Undecided`."""
    given = problem(hand, wild_rank, rules)
    choices = candidates(given)
    limits = replace(
        limits, pot=limits.pot or Pot(limits.states, limits.deterministic_time)
    )  # one question, many solves
    search = _search(given, choices, True, limits)
    folds = {}
    for face in search.foldable():
        card = FACES[face]
        rest = less(given, card)
        answer = _reduced(search.covered_without, face) if method == "auto" else None
        answer = answer or limits.by_cp_sat(rest, choices.exact, covering=True)
        if not answer.proved:
            raise Undecided(f"whether {card} can be folded to declare could not be proved within the work limit")
        if answer.found is not None:
            folds[card], _ = settle(rest, answer.found, covering=True)
    limits.searched(search)
    return folds


def _posed(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> tuple[Problem, Candidates]:
    given = problem(hand, wild_rank, rules, fold=len(hand) == HAND_SIZE + 1)
    return given, candidates(given)


def _scored(given: Problem, choices: Candidates, limits: Limits, method: Method) -> Scored:
    answer, proof = _ask(given, choices, False, limits, method)
    arrangement, discard = settle(given, answer.found or _all_loose(given), covering=False)
    return Scored(arrangement, discard, proof if answer.proved or not count(arrangement, given.rules) else None)


def _declared(given: Problem, choices: Candidates, limits: Limits, method: Method) -> Declared:
    answer, proof = _ask(given, choices, True, limits, method)
    if answer.found is None:
        return Declared(None, None, proof if answer.proved else None)
    return Declared(*settle(given, answer.found, covering=True), proof)


def _solution(declared: Declared, scored: Scored, rules: RummyRules) -> Solution:
    """Both answers, with the arrangement that is scored."""
    # a declaration may come up while points are counted, after the search for one has been given up
    declarable = True if scored.arrangement.declarable else declared.possible
    optimal = declarable is not None and scored.proof is not None
    return Solution(
        arrangement=scored.arrangement,
        discard=scored.discard,
        optimal=optimal,
        declarable=declarable,
        loser_points=None if scored.proof is None else count(scored.arrangement, rules),
        proof=None if not optimal else "cp-sat" if "cp-sat" in (declared.proof, scored.proof) else "reduction",
    )


def _ask(given: Problem, choices: Candidates, covering: bool, limits: Limits, method: Method) -> tuple[Answer, Proof]:
    """The best choice of groups, by the reduction if it gets there within its limit, else by CP-SAT."""
    if method == "auto":
        search = _search(given, choices, covering, limits)
        answer = _reduced(search.best, 1 if covering else _MORE_THAN_ANY)
        limits.searched(search)
        if answer:
            return answer, "reduction"
    return limits.by_cp_sat(given, choices.exact if covering else choices.lean, covering=covering), "cp-sat"


def _reduced(search: Callable[[int], Found | None], about: int) -> Answer | None:
    """What a search proves, or None if it is too long for its limit."""
    try:
        return Answer(search(about), True)
    except OutOfWork:
        return None


def _search(given: Problem, choices: Candidates, covering: bool, limits: Limits) -> Search:
    gates = declaration_gates(given.rules) if covering else scoring_gates(given.rules)
    return limits.search(given, choices.exact if covering else choices.lean, gates, covering=covering)


def _all_loose(given: Problem) -> Found:
    """The answer that needs no search: no groups, and the dearest card let go."""
    total = sum(count * given.points(face) for face, count in given.counts.items())
    fold = max(given.counts, key=given.points)
    if not given.fold or given.is_wild(fold):
        return Found(total, (), None)
    return Found(total - given.points(fold), (), fold)


@dataclass(frozen=True, slots=True)
class SolverArranger:
    """The solver as the engine's `Arranger`; an answer that is not proved raises `Undecided`."""

    limits: Limits = LIMITS
    method: Method = "auto"

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """The arrangement that leaves the fewest points to a loser."""
        scored = fewest_points(hand, wild_rank, rules, limits=self.limits, method=self.method)
        if scored.proof is None:
            raise Undecided("the fewest points of a hand could not be proved within the work limit")
        return scored.arrangement

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        """A declaration of all cards of a hand, or None."""
        declared = find_declaration(hand, wild_rank, rules, limits=self.limits, method=self.method)
        if declared.possible is None:
            raise Undecided("whether a hand can be declared could not be proved within the work limit")
        return declared.arrangement

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """The winning folds of fourteen cards."""
        return winning_folds(hand, wild_rank, rules, limits=self.limits, method=self.method)

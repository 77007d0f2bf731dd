"""What a hand costs its loser, and whether it can be declared, proved: the one public face of the solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import FACES, Card, Rank
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import count, counting
from solver.answer import Answer, Found, settle
from solver.candidates import Candidates, Choices
from solver.gates import declaration_gates, declared_is_free, scoring_gates
from solver.limits import LIMITS, Limits, Pot
from solver.problem import Problem, less, problem
from solver.reduction import OutOfWork, Search
from solver.solution import Declared as Declared
from solver.solution import Method as Method
from solver.solution import Proof as Proof
from solver.solution import Scored as Scored
from solver.solution import Solution as Solution

_MORE_THAN_ANY = 1 << 20  # hand of cards costs


def best_grouping(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Solution:
    """A declaration (rules.md §1.3) if one can be made, else the grouping that a loser is scored by (§1.6).

    Of fourteen cards one is let go so that the others come out best; a hand of any other size, from 7 to 26 cards, is
    grouped whole. Where several groupings are equally good the answer depends on the cards alone, not on their order.
    `method` "cp-sat" skips the reduction. Raises ValueError for a hand of another size.
    """
    given, choices = _posed(hand, wild_rank, rules)
    if not given.fold and declared_is_free(rules):
        scored = _scored(given, choices, limits, method)
        declared = _declared_beside(scored, given, choices, limits, method)
        if declared.arrangement is None:
            return _solution(declared, scored, rules)
        return Solution(declared.arrangement, None, True, True, 0, declared.proof)
    declared = _declared(given, choices, limits, method)
    if declared.arrangement is None:
        return _solution(declared, _scored(given, choices, limits, method), rules)
    if (
        counting(declared.arrangement.groups, rules) == declared.arrangement.groups
    ):  # then it costs its loser nothing, too
        return Solution(declared.arrangement, declared.discard, True, True, 0, declared.proof)
    if declared.discard is not None:
        given = less(given, declared.discard)
        choices = Candidates(given)
    scored = _scored(given, choices, limits, method)
    return replace(_solution(declared, scored, rules), arrangement=declared.arrangement, discard=declared.discard)


def loser_grouping(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, limits: Limits = LIMITS, method: Method = "auto"
) -> Solution:
    """The grouping that a loser of these cards is scored by (rules.md §1.6), and whether they could have been declared; none
    is let go. Here `optimal` is about the score alone. Raises ValueError for fewer than 7 or more than 26 cards."""
    given = problem(hand, wild_rank, rules)
    choices = Candidates(given)
    scored = _scored(given, choices, limits, method)
    solution = _solution(_declared_beside(scored, given, choices, limits, method), scored, rules)
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
    given = problem(hand, wild_rank, rules, fold=True)
    choices = Candidates(given)
    limits = replace(
        limits, pot=limits.pot or Pot(limits.states, limits.deterministic_time)
    )  # one question, many solves
    folds: dict[Card, Arrangement] = {}
    if choices.uncovered > 1:
        return folds
    search = _search(given, choices, True, limits)
    if method == "auto":
        some = _reduced(search.best, 1)
        if some is not None and some.found is None:
            limits.searched(search)
            return folds
    for slot in search.foldable():
        card = FACES[given.faces[slot]]
        rest = given
        answer = _reduced(search.covered_without, slot) if method == "auto" else None
        if answer is None:
            rest = less(given, card)
            answer = limits.by_cp_sat(rest, Choices(rest, True), covering=True)
        if not answer.proved:
            raise Undecided(f"whether {card} can be folded to declare could not be proved within the work limit")
        if answer.found is not None:
            folds[card], _ = settle(rest, answer.found, covering=True)
    limits.searched(search)
    return folds


def _posed(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> tuple[Problem, Candidates]:
    given = problem(hand, wild_rank, rules, fold=len(hand) == HAND_SIZE + 1)
    return given, Candidates(given)


def _scored(given: Problem, choices: Candidates, limits: Limits, method: Method) -> Scored:
    answer, proof = _ask(given, choices, False, limits, method)
    arrangement, discard = settle(given, answer.found or _all_loose(given), covering=False)
    return Scored(arrangement, discard, proof if answer.proved or not count(arrangement, given.rules) else None)


def _declared(given: Problem, choices: Candidates, limits: Limits, method: Method) -> Declared:
    answer, proof = _ask(given, choices, True, limits, method)
    if answer.found is None:
        return Declared(None, None, proof if answer.proved else None)
    return Declared(*settle(given, answer.found, covering=True), proof)


def _declared_beside(scored: Scored, given: Problem, choices: Candidates, limits: Limits, method: Method) -> Declared:
    """The same of a hand of which it is known what it costs its loser, none let go: in most cases that answers it."""
    if scored.proof is not None and declared_is_free(given.rules):
        if count(scored.arrangement, given.rules):
            return Declared(None, None, scored.proof)
        if scored.arrangement.declarable:
            return Declared(scored.arrangement, None, scored.proof)
    return _declared(given, choices, limits, method)


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
        if covering and choices.uncovered > given.fold:
            return Answer(None, True), "reduction"
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
    if not given.fold or not given.plain:
        return Found(given.points(), (), None)
    slot = max(range(given.plain), key=given.costs.__getitem__)
    return Found(given.points() - given.costs[slot], (), given.faces[slot])


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

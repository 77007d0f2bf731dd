"""The solver as a call asks it: by which method, and with a share of its answers proved again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

import orjson

from engine.cards import Card, Rank, without
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import charged, count
from service.solving.admission import Asker
from service.solving.batches import Solvers
from solver.alternatives import Alternatives, alternatives
from solver.limits import Limits
from solver.solve import (
    Declared,
    Method,
    Scored,
    Solution,
    SolverArranger,
    best_grouping,
    fewest_points,
    find_declaration,
    loser_grouping,
    winning_folds,
)

T = TypeVar("T")
Hand = Sequence[Card]
Facts = Mapping[str, Any]  # what of an answer can be compared
_AGAIN = Limits(deterministic_time=0.5)  # a proof again is given less work than an answer
_MODEL = SolverArranger(_AGAIN, "cp-sat")


@dataclass(frozen=True, slots=True)
class Check:
    """An answer to prove again: what it says, and what finds the same by CP-SAT or raises `Undecided`."""

    question: str
    rules: RummyRules
    request_id: str
    said: Facts
    prove: Callable[[], Facts]


class Auditor(Protocol):
    """Who proves answers again."""

    def wants(self) -> bool:
        """Whether the next answer is one to prove again."""

    def add(self, check: Check) -> None:
        """Prove an answer again, later. Neither waits nor fails."""


@dataclass(frozen=True, slots=True)
class Solver:
    """The solver for one call, the engine's `Arranger` among others. What the model has proved is not proved again."""

    method: Method
    auditor: Auditor
    request_id: str
    solvers: Solvers
    asker: Callable[[], Asker]

    def _ask(self, question: Callable[..., T], proved: Callable[[T], bool], *given: Any) -> T:
        return self.solvers.one(question, *given, method=self.method, proved=proved, asker=self.asker)

    def grouping(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Solution:
        """The best grouping of a hand."""
        solution = self._ask(best_grouping, _optimal, hand, wild_rank, rules)
        if solution.optimal and self._audits():
            said = _facts(solution, rules)
            self._check("grouping", rules, said, partial(_grouped, hand, wild_rank, rules, solution.discard))
        return solution

    def written(
        self, hands: Iterable[Hand], wild_rank: Rank | None, rules: RummyRules, answers: Iterable[bytes]
    ) -> None:
        """Take note of groupings that were made and written as JSON in another process."""
        for hand, answer in zip(hands, answers, strict=True):
            if self._audits() and (told := orjson.loads(answer))["optimal"]:
                said = {"points": told["points_uncapped"]} | {
                    name: told[name] for name in ("declarable", "loser_points")
                }
                discard = None if told["discard"] is None else Card(told["discard"])
                self._check("grouping", rules, said, partial(_grouped, hand, wild_rank, rules, discard))

    def lost(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Solution:
        """What a hand costs its loser."""
        solution = self._ask(loser_grouping, _both, hand, wild_rank, rules)
        if solution.optimal and solution.declarable is not None and self._audits():
            self._check("score", rules, _facts(solution, rules), partial(_lost, hand, wild_rank, rules))
        return solution

    def declared(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Declared:
        """Whether a hand can be declared. Raises `Undecided`."""
        declared = self._ask(find_declaration, _decided, hand, wild_rank, rules)
        if declared.possible is None:
            raise Undecided("whether a hand can be declared could not be proved within the work limit")
        if self._audits():
            said = {"declarable": declared.possible}
            self._check("declaration", rules, said, partial(_declarable, hand, wild_rank, rules))
        return declared

    def best(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """As the engine asks: what a hand costs its loser."""
        scored = self._ask(fewest_points, _counted, hand, wild_rank, rules)
        if scored.proof is None:
            raise Undecided("the fewest points of a hand could not be proved within the work limit")
        arrangement = scored.arrangement
        if self._audits():
            self._check(
                "points", rules, {"points": count(arrangement, rules)}, partial(_fewest, hand, wild_rank, rules)
            )
        return arrangement

    def declaration(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        """As the engine asks: a declaration of all cards."""
        return self.declared(hand, wild_rank, rules).arrangement

    def folds(self, hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """As the engine asks: the winning folds of fourteen cards."""
        folds = self._ask(winning_folds, _always, hand, wild_rank, rules)
        if self._audits():
            self._check("folds", rules, {"folds": frozenset(folds)}, partial(_folds, hand, wild_rank, rules))
        return folds

    def alternatives(
        self, hand: Hand, wild_rank: Rank | None, rules: RummyRules, best: Arrangement, most: int
    ) -> Alternatives:
        """Other groupings of equal worth. They are long work."""
        return self.solvers.long(alternatives, hand, wild_rank, rules, best, most, asker=self.asker())

    def _audits(self) -> bool:
        return self.method == "auto" and self.auditor.wants()

    def _check(self, question: str, rules: RummyRules, said: Facts, prove: Callable[[], Facts]) -> None:
        self.auditor.add(Check(question, rules, self.request_id, said, prove))


def _optimal(solution: Solution) -> bool:
    return solution.optimal


def _both(solution: Solution) -> bool:
    return solution.optimal and solution.declarable is not None


def _decided(declared: Declared) -> bool:
    return declared.possible is not None


def _counted(scored: Scored) -> bool:
    return scored.proof is not None


def _always(_: object) -> bool:
    return True


def _facts(solution: Solution, rules: RummyRules) -> Facts:
    lost = solution.loser_points
    return {
        "points": count(solution.arrangement, rules),
        "declarable": solution.declarable,
        "loser_points": None if lost is None else charged(lost, halve=False, rules=rules),
    }


def _grouped(hand: Hand, wild_rank: Rank | None, rules: RummyRules, discard: Card | None) -> Facts:
    """What the model says of a hand, and where a card is let go also of the others: the choice has to be one of the best."""
    whole = _proved(hand, wild_rank, rules)
    if discard is None:
        return _facts(whole, rules)
    kept = _facts(_proved(without(hand, [discard]), wild_rank, rules), rules)
    best = (count(whole.arrangement, rules), whole.declarable)
    return kept if (kept["points"], kept["declarable"]) == best else _facts(whole, rules)


def _proved(hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Solution:
    solution = best_grouping(hand, wild_rank, rules, limits=_AGAIN, method="cp-sat")
    if not solution.optimal:
        raise Undecided("the best grouping could not be proved again")
    return solution


def _lost(hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Facts:
    solution = loser_grouping(hand, wild_rank, rules, limits=_AGAIN, method="cp-sat")
    if not solution.optimal or solution.declarable is None:
        raise Undecided("what a hand costs its loser could not be proved again")
    return _facts(solution, rules)


def _fewest(hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Facts:
    return {"points": count(_MODEL.best(hand, wild_rank, rules), rules)}


def _declarable(hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Facts:
    return {"declarable": _MODEL.declaration(hand, wild_rank, rules) is not None}


def _folds(hand: Hand, wild_rank: Rank | None, rules: RummyRules) -> Facts:
    return {"folds": frozenset(_MODEL.folds(hand, wild_rank, rules))}

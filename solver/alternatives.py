"""Further groupings of equal worth, enumerated by the CP-SAT model.

Two groupings are the same if their groups hold the same cards, all wildcards taken for equal: which wildcard stands where
makes no difference, nor whether a card of the wild rank stands at its own place, nor as what such a group is read. Groups
are those of `solver.candidates`: long sequences stand in parts, and for points a wildcard that is not needed stays loose.

The order is that of the groups: by lowest face, those of the wild rank last, then pure before impure before trio, few wildcards before many, long before
short. First come the groupings with the first of the groups, among them first those with the second, and so on. So the
order, and which groupings are shown if there are more than asked for, depends on the cards alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.cards import Card, Rank, in_order
from engine.rummy.arrangement import Arrangement
from engine.rummy.melds import is_wild
from engine.rummy.rules import RummyRules
from solver.answer import Found, settle
from solver.candidates import Candidates
from solver.model import Built, build, times
from solver.problem import Candidate, Problem, problem

DETERMINISTIC_TIME = 0.5  # for all of them together: one or two seconds at the worst
Shape = tuple[
    tuple[Card, ...], int
]  # a group as it is told from others: the cards that are never wild, the number of others


class Alternatives(NamedTuple):
    """Further groupings, none the same as another. `complete`: as many as were asked for, or it is proved that there are no
    more; if not, the work limit was reached."""

    arrangements: tuple[Arrangement, ...]
    complete: bool


def alternatives(
    hand: Sequence[Card],
    wild_rank: Rank | None,
    rules: RummyRules,
    best: Arrangement,
    count: int,
    *,
    deterministic_time: float = DETERMINISTIC_TIME,
) -> Alternatives:
    """Up to `count` groupings of a hand that are worth as much as its proved best one, `best`, and are the same neither as
    that nor as each other: declarations if it is one, else such as leave as few points by the rules of scoring (rules.md
    §1.3, §1.6). They do not depend on the order of the cards, and of a larger `count` those of a smaller one are the first.
    """
    given = problem(hand, wild_rank, rules)
    choices = Candidates(given)
    usable = list(choices.exact if best.declarable else choices.equals())  # by lowest face, then in the order of trying
    built = build(given, usable, best.declarable)
    worth = given.points() - best.points
    if not best.declarable:
        built.model.between(worth, worth, built.chosen, [one.gain for one in usable])
    shapes = _Shapes(given, built)
    shapes.exclude([shape_of(group.cards, wild_rank) for group in best.groups])
    found: list[Arrangement] = []
    left = deterministic_time
    while len(found) < count:
        values, proved, spent = built.model.solve(left, "in order")
        left -= spent
        if values is None:
            return Alternatives(tuple(found), proved)
        groups = built.groups(values)
        shapes.go_on_after([_shape(given, one) for one in groups])
        arrangement, _ = settle(
            given, Found(best.points, tuple(one.option for one in groups), None), covering=best.declarable
        )
        found.append(arrangement)
    return Alternatives(tuple(found), True)


def shape_of(cards: Iterable[Card], wild_rank: Rank | None) -> Shape:
    """A group as it is told from others."""
    cards = in_order(cards)
    tame = tuple(card for card in cards if not is_wild(card, wild_rank))
    return tame, len(cards) - len(tame)


def _shape(given: Problem, one: Candidate) -> Shape:
    return shape_of(one.cards, given.wild_rank)[0], given.pool(one.need)


class _Shapes:
    """The shapes that groups of a model can have, as truth values in the order of deciding: whether one is there once or
    more often, twice or more often, and so on."""

    def __init__(self, given: Problem, built: Built) -> None:
        self._model = built.model
        of: dict[Shape, list[tuple[int, int]]] = {}
        for one, variable in zip(built.usable, built.chosen, strict=True):
            of.setdefault(_shape(given, one), []).append((variable, times(given, one)))
        self._truths = {shape: self._counted(variables) for shape, variables in of.items()}
        self._model.decide([truth for truths in self._truths.values() for truth in truths])
        self._model.decide(built.chosen)

    def _counted(self, variables: Sequence[tuple[int, int]]) -> list[int]:
        if len(variables) == 1 and variables[0][1] == 1:
            return [variables[0][0]]
        most = max(times for _, times in variables)
        truths = [self._model.variable() for _ in range(most)]
        chosen = [variable for variable, _ in variables]
        self._model.between(0, 0, [*truths, *chosen], [*([1] * most), *([-1] * len(chosen))])
        for more, fewer in pairwise(truths):
            self._model.between(0, 1, [more, fewer], [1, -1])
        return truths

    def exclude(self, shapes: Sequence[Shape]) -> None:
        """No solution has just these shapes."""
        self._model.differ(*self._values(shapes))

    def go_on_after(self, shapes: Sequence[Shape]) -> None:
        """All solutions come after the one with these shapes."""
        self._model.below(*self._values(shapes))

    def _values(self, shapes: Sequence[Shape]) -> tuple[list[int], list[int]]:
        """The truth values, and those that they have where the groups have these shapes."""
        values = [
            int(place < shapes.count(shape)) for shape, some in self._truths.items() for place in range(len(some))
        ]
        return [truth for some in self._truths.values() for truth in some], values

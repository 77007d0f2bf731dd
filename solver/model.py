"""The CP-SAT model of a problem.

Variables: for each candidate how often it is chosen (almost always zero or one); for each face that may be let go,
whether it is; and a few truth values for the gates. Constraints: each face, the printed jokers and the pool of wildcards
are taken no more often than they are held, exactly as often where a declaration must cover them; and the gates of
rules.md §1.6, or for a declaration §1.3. Objective: the most points covered or let go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.rummy.arrangement import Kind
from engine.rummy.rules import RummyRules
from solver.answer import Answer, Found
from solver.cp_sat import MANY, Model
from solver.problem import MAX_HAND, Candidate, Problem

_POOL = -1  # in the place of a slot: the pool


def by_cp_sat(
    given: Problem, choices: Iterable[Candidate], *, covering: bool, deterministic_time: float
) -> tuple[Answer, float]:
    """The best choice of groups, and the deterministic time that it took. `covering`: every card must be in a group, as in a
    declaration; otherwise the points of those in none are minimised."""
    usable = list(choices)
    if covering and not _coverable(given, usable):
        return Answer(None, True), 0.0
    built = build(given, usable, covering)
    if not covering:
        worth = [*(one.gain for one in usable), *(_cost(given, slot) for slot in built.folds)]
        built.model.maximise([*built.chosen, *built.gone], worth)
    # a linear relaxation bounds points, and leads to them; a declaration has none: any that is found is as good as another
    values, proved, spent = built.model.solve(deterministic_time, "free" if covering else "by relaxation")
    if values is None:
        return Answer(None, proved), spent
    groups = built.groups(values)
    fold = next((slot for slot, gone in zip(built.folds, built.gone, strict=True) if values[gone]), _POOL)
    cost = given.points() - sum(one.gain for one in groups) - _cost(given, fold)
    chosen = tuple(one.option for one in groups)
    return Answer(Found(cost, chosen, None if fold == _POOL else given.faces[fold]), covering or proved), spent


def _cost(given: Problem, slot: int) -> int:
    return 0 if slot == _POOL else given.costs[slot]


@dataclass(frozen=True, slots=True)
class Built:
    """A model with its variables: `chosen` says how often each of `usable` is, `gone` which of `folds` is let go."""

    model: Model
    usable: Sequence[Candidate]
    chosen: Sequence[int]
    folds: Sequence[int]
    gone: Sequence[int]

    def groups(self, values: Sequence[int]) -> tuple[Candidate, ...]:
        """The groups of a solution."""
        pairs = zip(self.usable, self.chosen, strict=True)
        return tuple(one for one, variable in pairs for _ in range(values[variable]))


def build(given: Problem, usable: Sequence[Candidate], covering: bool) -> Built:
    """The variables and the constraints; the objective is the caller's."""
    model = Model()
    chosen = [model.variable(times(given, one)) for one in usable]
    folds = [*range(given.plain), *([_POOL] if given.wilds else [])] if given.fold else []  # wildcards go from the pool
    gone = [model.variable() for _ in folds]
    if folds:
        model.between(1, 1, gone)
    _cards(model, given, usable, chosen, dict(zip(folds, gone, strict=True)), covering)
    of: dict[Kind, list[int]] = {"pure_sequence": [], "impure_sequence": [], "trio": []}
    for one, variable in zip(usable, chosen, strict=True):
        of[one.kind].append(variable)
    most_trios = given.rules.max_trios if covering else given.rules.max_trios_scored
    if most_trios is not None and of["trio"]:
        model.between(0, most_trios, of["trio"])
    if covering:
        _declaration(model, given.rules, usable, chosen, of)
    else:
        _scoring(model, given.rules, of)
    return Built(model, usable, chosen, folds, gone)


def _coverable(given: Problem, usable: Sequence[Candidate]) -> bool:
    """Whether every card that may not be let go is in some candidate."""
    covered = {slot for one in usable for slot, _ in given.taken(one.need)}
    alone = sum(given.counts[slot] for slot in range(given.plain) if slot not in covered)
    return alone <= given.fold


def times(given: Problem, one: Candidate) -> int:
    """How often a candidate fits into the hand."""
    times = 1
    while given.fits((times + 1) * one.need):
        times += 1
    return times


def _cards(
    model: Model,
    given: Problem,
    usable: Sequence[Candidate],
    chosen: Sequence[int],
    gone: Mapping[int, int],
    covering: bool,
) -> None:
    """No card is taken more often than it is held; in a declaration every card is taken."""
    taken: dict[int, dict[int, int]] = {slot: {} for slot in (*range(len(given.faces)), _POOL)}
    for one, variable in zip(usable, chosen, strict=True):
        for slot, count in given.taken(one.need):
            taken[slot][variable] = count
        if pool := given.pool(one.need):
            taken[_POOL][variable] = pool
    for slot, row in taken.items():
        held = given.wilds if slot == _POOL else given.counts[slot]
        if slot in gone:
            row[gone[slot]] = 1
        exact = covering and slot < given.plain  # the pool's place is below all others
        if row or (exact and held):
            model.between(held if exact else 0, held, [*row], [*row.values()])


def _scoring(model: Model, rules: RummyRules, of: Mapping[Kind, list[int]]) -> None:
    """Only groups that count are chosen (rules.md §1.6; `engine.rummy.scoring.counting`)."""
    pure, impure, trios = of["pure_sequence"], of["impure_sequence"], of["trio"]
    if rules.full_count_without_pure is not None:  # without one, nothing counts, which is no answer to search for
        model.between(1, MANY, pure)
        if rules.no_second_all_loose:
            model.between(2, MANY, [*pure, *impure])
    elif rules.no_pure_all_loose or rules.impure_needs_pure:
        has_pure = model.variable()
        model.enough(pure, 1, has_pure)
        model.only_if(impure, has_pure, MAX_HAND)
        if rules.no_pure_all_loose:
            model.only_if(trios, has_pure, MAX_HAND)
    if rules.no_second_all_loose and rules.full_count_without_pure is None:
        has_second = model.variable()
        model.enough([*pure, *impure], 2, has_second)
        model.only_if(pure, has_second, MAX_HAND)
    if trios and rules.trio_needs != "nothing":
        gate = model.variable()
        model.only_if(trios, gate, MAX_HAND)
        if rules.trio_needs == "impure_sequence":
            model.enough(impure, 1, gate)
        elif rules.trio_needs == "pure_and_second":
            model.enough(pure, 1, gate)
            model.enough([*pure, *impure], 2, gate)
        else:  # an impure sequence, or two pure ones
            model.between(0, MANY, [*impure, *pure, gate], [*([2] * len(impure)), *([1] * len(pure)), -2])


def _declaration(
    model: Model, rules: RummyRules, usable: Sequence[Candidate], chosen: Sequence[int], of: Mapping[Kind, list[int]]
) -> None:
    """A pure sequence, a second one, and two that open (rules.md §1.3; `engine.rummy.declaration.declaration_faults`)."""
    pure, impure = of["pure_sequence"], of["impure_sequence"]
    model.between(1, MANY, pure)
    model.between(2, MANY, [*pure, *impure])
    if rules.opening_cards is None:
        return
    least, most = rules.opening_cards
    sized: dict[tuple[Kind, int], list[int]] = {}
    for one, variable in zip(usable, chosen, strict=True):
        sized.setdefault((one.kind, one.size), []).append(variable)
    opened = []
    for (kind, size), first in sized.items():
        for (other, length), second in sized.items():
            if kind != "pure_sequence" or other == "trio" or not least <= size + length <= most:
                continue
            opened.append(model.variable())
            model.enough(first, 2 if first is second else 1, opened[-1])
            if first is not second:
                model.enough(second, 1, opened[-1])
    model.between(1, MANY, opened)

"""The CP-SAT model of a problem.

Variables: for each candidate how often it is chosen (almost always zero or one); for each face that may be let go,
whether it is; and a few truth values for the gates. Constraints: each face, the printed jokers and the pool of wildcards
are taken no more often than they are held, exactly as often where a declaration must cover them; and the gates of
rules.md §1.6, or for a declaration §1.3. Objective: the most points covered or let go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import JOKER
from engine.rummy.arrangement import Kind
from engine.rummy.rules import RummyRules
from solver.answer import Answer, Found
from solver.catalogue import Candidate
from solver.cp_sat import MANY, Model
from solver.problem import GUARDS, MAX_HAND, POOL_SHIFT, Problem

_POOL = JOKER.order + 1  # the pool's place after the faces and the joker


def by_cp_sat(
    given: Problem, choices: Iterable[Candidate], *, covering: bool, deterministic_time: float
) -> tuple[Answer, float]:
    """The best choice of groups, and the deterministic time that it took. `covering`: every card must be in a group, as in a
    declaration; otherwise the points of those in none are minimised."""
    usable = usable_of(given, choices)
    if covering and not _coverable(given, usable):
        return Answer(None, True), 0.0
    built = build(given, usable, covering)
    if not covering:
        worth = [*(one.gain for one in usable), *(0 if face == _POOL else given.points(face) for face in built.folds)]
        built.model.maximise([*built.chosen, *built.gone], worth)
    # a linear relaxation bounds points, and leads to them; a declaration has none: any that is found is as good as another
    values, proved, spent = built.model.solve(deterministic_time, "free" if covering else "by relaxation")
    if values is None:
        return Answer(None, proved), spent
    groups = built.groups(values)
    fold = next((face for face, gone in zip(built.folds, built.gone, strict=True) if values[gone]), _POOL)
    cost = sum(count * given.points(face) for face, count in given.counts.items()) - sum(one.gain for one in groups)
    if fold != _POOL:
        cost -= given.points(fold)
    return Answer(Found(cost, groups, None if fold == _POOL else fold), covering or proved), spent


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


def usable_of(given: Problem, choices: Iterable[Candidate]) -> list[Candidate]:
    """The candidates that the hand has the cards for."""
    return [one for one in choices if (given.held - one.need) & GUARDS == GUARDS]


def build(given: Problem, usable: Sequence[Candidate], covering: bool) -> Built:
    """The variables and the constraints; the objective is the caller's."""
    model = Model()
    chosen = [model.variable(times(given, one)) for one in usable]
    folds = [face for face in (*given.counts, _POOL) if _may_go(given, face)] if given.fold else []
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
    covered = {card.order for one in usable for card in one.cards}
    alone = sum(count for face, count in given.counts.items() if face not in covered and not given.is_wild(face))
    return alone <= given.fold


def times(given: Problem, one: Candidate) -> int:
    """How often a candidate fits into the hand."""
    times = 1
    while (given.held - (times + 1) * one.need) & GUARDS == GUARDS:
        times += 1
    return times


def _may_go(given: Problem, face: int) -> bool:
    """Whether a face is one to let go; wildcards are let go from the pool."""
    return given.wilds > 0 if face == _POOL else not given.is_wild(face)


def _cards(
    model: Model,
    given: Problem,
    usable: Sequence[Candidate],
    chosen: Sequence[int],
    gone: Mapping[int, int],
    covering: bool,
) -> None:
    """No card is taken more often than it is held; in a declaration every card is taken."""
    taken: dict[int, dict[int, int]] = {face: {} for face in (*given.counts, _POOL)}
    for one, variable in zip(usable, chosen, strict=True):
        for card in one.cards:
            row = taken[card.order]
            row[variable] = row.get(variable, 0) + 1
        if pool := one.need >> POOL_SHIFT:
            taken[_POOL][variable] = pool
    for face, row in taken.items():
        held = given.wilds if face == _POOL else given.counts[face]
        if face in gone:
            row[gone[face]] = 1
        exact = covering and (face == _POOL or not given.is_wild(face))
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

"""The CP-SAT model of a problem: the only place that knows OR-Tools.

Variables: for each candidate how often it is chosen (almost always zero or one); for each face that may be let go,
whether it is; and a few truth values for the gates. Constraints: each face, the printed jokers and the pool of wildcards
are taken no more often than they are held, exactly as often where a declaration must cover them; and the gates of
rules.md §1.6, or for a declaration §1.3. Objective: the most points covered or let go.

The protobuf is built directly and solved by one worker without presolve: for models of this size the wrappers and the
presolve cost more than the search (docs/solver.md has the figures).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ortools.sat.python import cp_model_helper as cp

from engine.cards import JOKER
from engine.rummy.arrangement import Kind
from engine.rummy.rules import RummyRules
from solver.answer import Answer, Found
from solver.catalogue import Candidate
from solver.problem import GUARDS, MAX_HAND, POOL_SHIFT, Problem

_POOL = JOKER.order + 1  # the pool's place after the faces and the joker
_MANY: Final = 1 << 20


def by_cp_sat(given: Problem, choices: Iterable[Candidate], *, covering: bool, deterministic_time: float) -> Answer:
    """The best choice of groups. `covering`: every card must be in a group, as in a declaration; otherwise the points of
    those in none are minimised."""
    usable = [one for one in choices if (given.held - one.need) & GUARDS == GUARDS]
    if covering and not _coverable(given, usable):
        return Answer(None, True)
    model = _Model()
    chosen = [model.variable(_times(given, one)) for one in usable]
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
        objective = model.proto.objective
        worth = [*(one.gain for one in usable), *(0 if face == _POOL else given.points(face) for face in folds)]
        objective.vars.extend([*chosen, *gone])
        objective.coeffs.extend([-points for points in worth])
    return _answer(model, given, usable, folds, covering, deterministic_time)


class _Model:
    """A CP-SAT model under construction: variables are numbers, constraints are sums between two bounds."""

    def __init__(self) -> None:
        self.proto = cp.CpModelProto()
        self._variables = self.proto.variables
        self._constraints = self.proto.constraints
        self._count = 0

    def variable(self, most: int = 1) -> int:
        """A new variable from 0 to `most`."""
        self._variables.add().domain.extend((0, most))
        self._count += 1
        return self._count - 1

    def between(self, least: int, most: int, variables: Sequence[int], factors: Sequence[int] | None = None) -> None:
        """The sum of the variables, each times its factor (1), is in these bounds."""
        linear = self._constraints.add().linear
        linear.vars.extend(variables)
        linear.coeffs.extend(factors or [1] * len(variables))
        linear.domain.extend((least, most))

    def enough(self, total: Sequence[int], least: int, condition: int) -> None:
        """The truth value `condition` holds only if the sum of `total` is `least` or more."""
        self.between(0, _MANY, [*total, condition], [*([1] * len(total)), -least])

    def only_if(self, total: Sequence[int], condition: int) -> None:
        """The sum of `total` is more than nothing only if `condition` holds."""
        if total:
            self.between(-_MANY, 0, [*total, condition], [*([1] * len(total)), -MAX_HAND])


def _coverable(given: Problem, usable: Sequence[Candidate]) -> bool:
    """Whether every card that may not be let go is in some candidate."""
    covered = {card.order for one in usable for card in one.cards}
    alone = sum(count for face, count in given.counts.items() if face not in covered and not given.is_wild(face))
    return alone <= given.fold


def _times(given: Problem, one: Candidate) -> int:
    """How often a candidate fits into the hand."""
    times = 1
    while (given.held - (times + 1) * one.need) & GUARDS == GUARDS:
        times += 1
    return times


def _may_go(given: Problem, face: int) -> bool:
    """Whether a face is one to let go; wildcards are let go from the pool."""
    return given.wilds > 0 if face == _POOL else not given.is_wild(face)


def _cards(
    model: _Model,
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


def _scoring(model: _Model, rules: RummyRules, of: Mapping[Kind, list[int]]) -> None:
    """Only groups that count are chosen (rules.md §1.6; `engine.rummy.scoring.counting`)."""
    pure, impure, trios = of["pure_sequence"], of["impure_sequence"], of["trio"]
    if rules.no_pure_all_loose or rules.impure_needs_pure:
        has_pure = model.variable()
        model.enough(pure, 1, has_pure)
        model.only_if(impure, has_pure)
        if rules.no_pure_all_loose:
            model.only_if(trios, has_pure)
    if rules.no_second_all_loose:
        has_second = model.variable()
        model.enough([*pure, *impure], 2, has_second)
        model.only_if(pure, has_second)
    if trios and rules.trio_needs != "nothing":
        gate = model.variable()
        model.only_if(trios, gate)
        if rules.trio_needs == "impure_sequence":
            model.enough(impure, 1, gate)
        elif rules.trio_needs == "pure_and_second":
            model.enough(pure, 1, gate)
            model.enough([*pure, *impure], 2, gate)
        else:  # an impure sequence, or two pure ones
            model.between(0, _MANY, [*impure, *pure, gate], [*([2] * len(impure)), *([1] * len(pure)), -2])


def _declaration(
    model: _Model, rules: RummyRules, usable: Sequence[Candidate], chosen: Sequence[int], of: Mapping[Kind, list[int]]
) -> None:
    """A pure sequence, a second one, and two that open (rules.md §1.3; `engine.rummy.declaration.declaration_faults`)."""
    pure, impure = of["pure_sequence"], of["impure_sequence"]
    model.between(1, _MANY, pure)
    model.between(2, _MANY, [*pure, *impure])
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
    model.between(1, _MANY, opened)


def _answer(
    model: _Model,
    given: Problem,
    usable: Sequence[Candidate],
    folds: Sequence[int],
    covering: bool,
    deterministic_time: float,
) -> Answer:
    solver = cp.SolveWrapper()
    solver.set_parameters(_parameters(covering, deterministic_time))
    response: cp.CpSolverResponse = solver.solve(model.proto)
    if response.status not in (cp.OPTIMAL, cp.FEASIBLE):
        return Answer(None, response.status == cp.INFEASIBLE)
    values = list(response.solution)
    groups = tuple(one for one, times in zip(usable, values, strict=False) for _ in range(times))
    fold = next((face for face, gone in zip(folds, values[len(usable) :], strict=False) if gone), _POOL)
    cost = sum(count * given.points(face) for face, count in given.counts.items()) - sum(one.gain for one in groups)
    if fold != _POOL:
        cost -= given.points(fold)
    # a declaration has no objective: any that is found is as good as another
    return Answer(Found(cost, groups, None if fold == _POOL else fold), covering or response.status == cp.OPTIMAL)


def _parameters(covering: bool, deterministic_time: float) -> cp.SatParameters:
    parameters = cp.SatParameters()
    parameters.catch_sigint_signal = False  # else the process loses its own handler, and Ctrl-C cuts callers off
    parameters.num_workers = 1
    parameters.random_seed = 1
    # what prepares a long search costs more than it saves in a short one (docs/solver.md)
    parameters.cp_model_presolve = False
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    parameters.cut_level = 0
    parameters.use_sat_inprocessing = False
    # a linear relaxation bounds points, and leads to them; a declaration has none
    parameters.linearization_level = 0 if covering else 1
    branching = cp.SatParameters.SearchBranching
    parameters.search_branching = branching.AUTOMATIC_SEARCH if covering else branching.LP_SEARCH
    parameters.max_deterministic_time = deterministic_time
    return parameters

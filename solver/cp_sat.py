"""A CP-SAT model under construction, and how it is solved: the only place that knows OR-Tools.

The protobuf is built directly and solved by one worker without presolve: for models of this size the wrappers and the
presolve cost more than the search (docs/solver.md has the figures).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from ortools.sat.python import cp_model_helper as cp

MANY: Final = 1 << 20
Branching = Literal["free", "by relaxation", "in order"]

_BRANCHINGS = {
    "free": cp.SatParameters.SearchBranching.AUTOMATIC_SEARCH,
    "by relaxation": cp.SatParameters.SearchBranching.LP_SEARCH,
    "in order": cp.SatParameters.SearchBranching.FIXED_SEARCH,
}


class Outcome(NamedTuple):
    """What a solve found: a value for each variable, None if nothing; whether that is proved the best (or that there is
    nothing); and what it cost in deterministic time."""

    values: Sequence[int] | None
    proved: bool
    spent: float


class Model:
    """Variables are numbers, constraints are sums between two bounds."""

    def __init__(self) -> None:
        self._proto = cp.CpModelProto()
        self._variables = self._proto.variables
        self._constraints = self._proto.constraints
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
        self.between(0, MANY, [*total, condition], [*([1] * len(total)), -least])

    def only_if(self, total: Sequence[int], condition: int, most: int) -> None:
        """The sum of `total`, at most `most`, is more than nothing only if `condition` holds."""
        if total:
            self.between(-MANY, 0, [*total, condition], [*([1] * len(total)), -most])

    def differ(self, truths: Sequence[int], values: Sequence[int]) -> None:
        """At least one of the truth values is another than in `values`."""
        self._any(~truth if value else truth for truth, value in zip(truths, values, strict=True))

    def below(self, truths: Sequence[int], values: Sequence[int]) -> None:
        """The truth values come after `values` in lexicographic order, the greatest first: one that is set there is not, and
        before it no other is set."""
        cleared: list[int] = []
        for truth, value in zip(truths, values, strict=True):
            if value:
                cleared.append(~truth)
            else:
                self._any((*cleared, ~truth))
        self._any(cleared)

    def _any(self, literals: Iterable[int]) -> None:
        self._constraints.add().bool_or.literals.extend(list(literals))

    def maximise(self, variables: Sequence[int], factors: Sequence[int]) -> None:
        """The objective: the sum of the variables, each times its factor."""
        self._proto.objective.vars.extend(variables)
        self._proto.objective.coeffs.extend([-factor for factor in factors])

    def decide(self, variables: Sequence[int]) -> None:
        """The order "in order": the first variable that is open gets its highest value.

        Whatever else is learnt and wherever the search starts anew, a variable gets a lower value only where the values of
        those before it force that. So what is found is the lexicographically greatest solution, if there is no objective.
        """
        strategy = self._proto.search_strategy.add()
        strategy.variables.extend(variables)
        strategy.variable_selection_strategy = strategy.CHOOSE_FIRST
        strategy.domain_reduction_strategy = strategy.SELECT_MAX_VALUE

    def solve(self, deterministic_time: float, branching: Branching) -> Outcome:
        """Solve it, within so much time."""
        solver = cp.SolveWrapper()
        solver.set_parameters(_parameters(deterministic_time, branching))
        response: cp.CpSolverResponse = solver.solve(self._proto)
        found = response.status in (cp.OPTIMAL, cp.FEASIBLE)
        proved = response.status in (cp.OPTIMAL, cp.INFEASIBLE)
        return Outcome(list(response.solution) if found else None, proved, response.deterministic_time)


def _parameters(deterministic_time: float, branching: Branching) -> cp.SatParameters:
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
    # a linear relaxation costs little, and saves the worst where there is an order or an objective to keep to
    parameters.linearization_level = 0 if branching == "free" else 1
    parameters.search_branching = _BRANCHINGS[branching]
    parameters.max_deterministic_time = deterministic_time
    return parameters

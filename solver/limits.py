"""How much work an answer may cost, and the two methods held to it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.answer import Answer
from solver.candidates import Choices
from solver.gates import Gates
from solver.problem import Problem
from solver.reduction import Search


@dataclass(slots=True)
class Pot:
    """What several questions together may still cost, in the units of `Limits`; what each takes is taken out."""

    states: int
    deterministic_time: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work one question may cost, in units that no clock changes: states of the reduction before CP-SAT takes
    over, and CP-SAT's deterministic time (about seconds). It costs no more than is left in the pot, either."""

    states: int = 10_000
    deterministic_time: float = 2.0
    pot: Pot | None = None

    def search(self, given: Problem, choices: Choices, gates: Gates, *, covering: bool) -> Search:
        """The reduction within these limits."""
        states = self.states if self.pot is None else min(self.states, self.pot.states)
        return Search(given, choices, gates, covering=covering, limit=states)

    def searched(self, search: Search) -> None:
        """Take out of the pot what a search has cost."""
        if self.pot is not None:
            self.pot.states -= search.states

    def by_cp_sat(self, given: Problem, choices: Choices, *, covering: bool) -> Answer:
        """What CP-SAT finds within these limits."""
        time = (
            self.deterministic_time if self.pot is None else min(self.deterministic_time, self.pot.deterministic_time)
        )
        if time <= 0:
            return Answer(None, False)
        from solver.model import by_cp_sat  # OR-Tools takes longer to load than most processes ever need it for

        answer, spent = by_cp_sat(given, choices, covering=covering, deterministic_time=time)
        if self.pot is not None:
            self.pot.deterministic_time -= spent
        return answer


LIMITS = Limits()

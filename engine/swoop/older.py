"""States as they were written before they held a match: what those apps and stores still hold is read as it was meant."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Points
from engine.match import Match
from engine.match_steps import from_totals
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Phase, RoundScore


@dataclass(frozen=True, slots=True)
class Older:
    """The fields of such a state that tell of its match; it had its totals alone."""

    rules: SwoopRules
    totals: tuple[Points, ...]
    last_round: RoundScore | None
    phase: Phase
    aborted: bool

    @property
    def match(self) -> Match:
        """The match of the state."""
        over = self.phase == "match_over" and not self.aborted
        return from_totals(self.totals, self.rules.terms, self.last_round.round if self.last_round else 0, over=over)

"""States with other totals than they had."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.game import Points
from engine.match import Match


def totalling(match: Match, *totals: Points) -> Match:
    """The match with other totals; seats that are not named are gone."""
    entrants = (replace(each, total=total) for each, total in zip(match.entrants, totals, strict=False))
    return replace(match, entrants=tuple(entrants))


def with_totals(state: Any, *totals: Points) -> Any:
    return replace(state, match=totalling(state.match, *totals))

"""The laws (tests/engine/laws.py) over random matches of every game, under random rules (the long run is `make fuzz`)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.games import GAMES
from tests.engine.laws import play_match
from tests.engine.registry import HABITS


@pytest.mark.parametrize("name", GAMES)
def test_laws_hold_over_random_matches(name: str) -> None:
    """And they are held to every kind of event, not to a quiet game."""
    game, habits = GAMES[name], HABITS[name]
    seen: Counter[str] = Counter()
    types = set()
    for number in range(30):
        rng = random.Random(f"laws 1/{number}")
        for event in play_match(game, habits, habits.arranger, rng, habits.depth):
            types.add(type(event))
            seen[habits.kind(event)] += 1

    assert {event.type for event in {*game.events} - types} == {"timed_out"}  # made by who keeps the clock
    rare = {kind: seen[kind] for kind, wanted in habits.common.items() if seen[kind] < wanted}
    assert not rare

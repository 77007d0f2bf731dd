"""The laws (tests/engine/laws.py) over random matches of Swoop, with random options (the long run is `make fuzz`)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.swoop import GAME
from tests.engine.laws import play_match
from tests.engine.swoop.habits import SwoopHabits


@pytest.mark.parametrize("batch", range(4))
def test_laws_hold_over_random_matches(batch: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(15):
        rng = random.Random(f"laws {batch}/{number}")
        seen.update(event.type for event in play_match(GAME, SwoopHabits(), None, rng, 0.2))

    common = {"dealt", "played", "cleared", "picked_up", "flipped", "went_out", "round_scored"}
    assert common <= set(seen)

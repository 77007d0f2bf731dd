"""The games that the laws are tested with, by name: a new game adds its habits here."""

from __future__ import annotations

from collections.abc import Mapping

from tests.engine.habits import Habits
from tests.engine.rummy.habits import RummyHabits
from tests.engine.swoop.habits import SwoopHabits

HABITS: Mapping[str, Habits] = {"rummy": RummyHabits(), "swoop": SwoopHabits()}

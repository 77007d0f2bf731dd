"""Rules as keys: equal rules are one key, whatever they were made by, and the kept hash goes nowhere."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from engine.rummy.rules import HOUSE, INDIAN, RummyRules


def test_equal_rules_are_one_key() -> None:
    assert (
        hash(HOUSE)
        == hash(RummyRules())
        == hash(replace(INDIAN, **{name: getattr(HOUSE, name) for name in HOUSE.__dataclass_fields__}))
    )
    assert {HOUSE: 1}[RummyRules()] == 1
    assert hash(replace(HOUSE, deals=2)) != hash(HOUSE)
    assert HOUSE != INDIAN


def test_a_hash_is_not_carried_into_another_process() -> None:
    """Texts hash otherwise in each process."""
    hash(HOUSE)
    program = "import pickle, sys; from engine.rummy.rules import HOUSE; rules = pickle.load(sys.stdin.buffer); print(hash(rules) == hash(HOUSE))"
    told = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(HOUSE),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert told.stdout == b"True\n"

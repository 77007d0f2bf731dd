"""Threads that solve at the same time: what they share (solver/gates.py) must not come out otherwise for that."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from threading import Barrier

import pytest

from bench.hands import hands
from engine.rummy.melds import KINDS
from engine.rummy.rules import HOUSE, PRESETS, RummyRules
from solver.gates import REFUSED, Gates, declaration_gates, scoring_gates, symbol
from solver.solve import best_grouping

THREADS = 8
ROUNDS = 15
WORDS = [word for length in (1, 2, 3) for word in product([symbol(kind, size) for kind in KINDS for size in (3, 4)], repeat=length)]  # fmt: skip


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads that take turns after almost every step."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def accepts(gates: Gates, word: tuple[int, ...]) -> bool:
    state = 0
    for read in word:
        state = gates.step(state, read)
        if state == REFUSED:
            return False
    return gates.accepting[state]


@pytest.mark.parametrize("make", [scoring_gates, declaration_gates])
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.usefixtures("hurried")
def test_an_automaton_that_many_threads_fill_in(make: Callable[[RummyRules], Gates], rules: RummyRules) -> None:
    new = make.__wrapped__
    alone = new(rules)
    expected = {word: accepts(alone, word) for word in WORDS}
    for number in range(ROUNDS):
        shared = new(rules)
        gate = Barrier(THREADS)

        def walk(seed: int, shared: Gates = shared, gate: Barrier = gate) -> dict[tuple[int, ...], bool]:
            words = WORDS.copy()
            random.Random(seed).shuffle(words)
            gate.wait()
            return {word: accepts(shared, word) for word in words}

        with ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(walk, range(number * THREADS, (number + 1) * THREADS)))
        assert found == [expected] * THREADS
        assert {word: accepts(shared, word) for word in WORDS} == expected
        assert len(shared.rows) == len(alone.rows)


@pytest.mark.usefixtures("hurried")
def test_hands_under_rules_that_are_new_to_all_threads() -> None:
    rules = [
        replace(HOUSE, max_trios=number % 4, trio_sizes=sizes) for number, sizes in enumerate([(3, 4), (3,), (4,)] * 4)
    ]
    asked = [(dealt, rules[place % len(rules)]) for place, dealt in enumerate(hands("near", 48, seed=7))]
    expected = [best_grouping(dealt.hand, dealt.wild_rank, chosen) for dealt, chosen in asked]
    scoring_gates.cache_clear()
    declaration_gates.cache_clear()
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda one: best_grouping(one[0].hand, one[0].wild_rank, one[1]), asked))
    assert found == expected

"""`python -m bench.mutate --seconds 600`: search by mutation for the hands and rules that the solver is slowest on.

From adversarial hands under any options on, the slowest known ones are changed a little, hand or rules, and what is slower
takes a place among them; every core searches on its own. Slow is the processor time of one question: the best grouping, or
for fourteen cards all winning folds. With `--keep` the worst go to tests/cases/slow-hands.json, where tests hold the solver
to right and proved answers, and to a bound on its states (never to times).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count
from typing import Any

from tqdm import tqdm

from bench.figures import milliseconds, setting
from bench.hands import Dealt, adversarial, mutated, near_complete, option_mix, options_mutated, wilds_rich
from bench.solve import SLOW_HANDS, unseen
from engine.cards import Card, in_order
from engine.errors import Undecided
from engine.options import resolve, to_json
from engine.rummy.rules import HAND_SIZE, HOUSE, PRESETS, RummyRules
from solver.solve import best_grouping, winning_folds

POPULATION, KEPT = 30, 8
SURE = 3  # solves before a time is believed: a pause of the machine is not the hand's
SIZES = (HAND_SIZE, HAND_SIZE + 1)
WHOSE = (*PRESETS, "any")  # rules: each preset alone, and any options


@dataclass(frozen=True, slots=True, order=True)
class Slow:
    """A hand, its rules, and how long it took; one that is not proved counts as slower than any that is."""

    unproved: bool
    time: float
    told: str
    dealt: Dealt
    rules: RummyRules


def timed(dealt: Dealt, rules: RummyRules, repeats: int = 1) -> Slow:
    """The hand solved as if it were the first ever."""
    proved: list[bool] = []

    def grouping() -> None:
        proved.append(best_grouping(dealt.hand, dealt.wild_rank, unseen(rules)).optimal)

    def folds() -> None:
        try:
            winning_folds(dealt.hand, dealt.wild_rank, unseen(rules))
        except Undecided:
            proved.append(False)

    asked = (grouping, folds) if len(dealt.hand) > HAND_SIZE else (grouping,)
    taken = max(milliseconds(question, repeats) for question in asked)
    return Slow(not all(proved), taken, f"{dealt} {changes(rules)}", dealt, rules)


def changes(rules: RummyRules) -> dict[str, Any]:
    """The options in which rules are not the preset house."""
    return {name: value for name, value in to_json(rules).items() if value != to_json(HOUSE)[name]}


def search(seconds: float, whose: str, size: int, seed: str) -> tuple[list[Slow], int]:
    """The slowest found in so many seconds from the kept ones on, slowest first, and how many were tried."""
    rng = random.Random(f"mutate {whose} {size} {seed}")
    end, tried = time.perf_counter() + seconds, 0
    slowest = {slow.told: slow for slow in (timed(dealt, rules, SURE) for dealt, rules in kept(whose, size))}
    while time.perf_counter() < end:
        tried += 1
        dealt, rules = _next(rng, whose, size, list(slowest.values()))
        least = min(slowest.values()) if len(slowest) >= POPULATION else None
        slow = timed(dealt, rules)
        if slow.told in slowest or (least and slow < least):
            continue
        slow = timed(dealt, rules, SURE)
        if least is None or slow > least:
            slowest[slow.told] = slow
            if least is not None:
                del slowest[least.told]
    return sorted(slowest.values(), reverse=True), tried


def _next(rng: random.Random, whose: str, size: int, slowest: list[Slow]) -> tuple[Dealt, RummyRules]:
    """A new hand and rules, or one of the slowest changed."""
    if len(slowest) < POPULATION or rng.random() < 0.1:
        dealt = rng.choice((adversarial, adversarial, wilds_rich, near_complete))(rng, size)
        rules = PRESETS[whose] if whose in PRESETS else option_mix(rng, 0.5)
    else:
        one = rng.choice(slowest)
        dealt, rules = one.dealt, one.rules
        if whose not in PRESETS and rng.random() < 0.4:
            rules = options_mutated(rng, rules)
        if rules == one.rules or rng.random() < 0.5:
            dealt = mutated(rng, dealt)
    return Dealt(in_order(dealt.hand), dealt.wild_rank), rules


def kept(whose: str, size: int) -> list[tuple[Dealt, RummyRules]]:
    """The hands of slow-hands.json of one size under a preset, or under other options."""
    rows = json.loads(SLOW_HANDS.read_text()) if SLOW_HANDS.exists() else []
    return [
        (Dealt(tuple(map(Card, row["hand"])), row["wild_rank"]), resolve(RummyRules, row["rules"]))
        for row in rows
        if (row["rules"] if row["rules"] in PRESETS else "any") == whose and len(row["hand"]) == size
    ]


def kept_row(slow: Slow, number: int) -> dict[str, object]:
    """One line of slow-hands.json."""
    preset = next((name for name, rules in PRESETS.items() if rules == slow.rules), None)
    return {
        "id": f"slow-{preset or 'any'}-{len(slow.dealt.hand)}-{number}",
        "rules": preset or changes(slow.rules),
        "hand": list(slow.dealt.hand),
        "wild_rank": slow.dealt.wild_rank,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="altogether; half of it for any options")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="write tests/cases/slow-hands.json")
    options = parser.parse_args()
    parts = [(whose, size) for whose in WHOSE for size in SIZES]
    workers = cpu_count() or 1
    rows = []
    print(setting())
    with get_context("spawn").Pool(workers) as pool:
        for whose, size in tqdm(parts, unit="search", disable=None):
            seconds = options.seconds / (4 if whose == "any" else 4 * len(PRESETS))
            jobs = [(seconds, whose, size, f"{options.seed}/{worker}") for worker in range(workers)]
            results = pool.starmap(search, jobs)
            worst = [timed(slow.dealt, slow.rules, 2 * SURE + 1) for found, _ in results for slow in found[:KEPT]]
            worst = sorted({slow.told: slow for slow in worst}.values(), reverse=True)[:KEPT]
            tried = sum(count for _, count in results)
            print(f"{whose}, {size} cards: slowest of {tried} tried in {seconds:.0f} s on {workers} cores")
            for slow in worst:
                print(f"  {slow.time:8.2f} ms  {'NOT PROVED  ' if slow.unproved else ''}{slow.told}")
            rows += [kept_row(slow, number) for number, slow in enumerate(worst)]
    if options.keep:
        SLOW_HANDS.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()

"""`python -m bench.mutate --seconds 600`: search by mutation for the hands that the solver is slowest on.

From adversarial hands on, the slowest known ones are changed a little, and a hand that is slower takes a place among
them; every core searches on its own. With `--keep` the worst go to tests/cases/slow-hands.json with what brute force
says of them, where tests hold the solver to right and proved answers (never to times).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count

from tqdm import tqdm

from bench.figures import milliseconds, setting
from bench.hands import Dealt, adversarial, mutated
from bench.solve import SLOW_HANDS, unseen
from engine.cards import Card, in_order
from engine.rummy.rules import HAND_SIZE, PRESETS
from solver.solve import best_grouping
from tests.solver.agreement import truth_of

POPULATION, KEPT = 30, 8
SURE = 5  # solves before a time is believed: a pause of the machine is not the hand's
SIZES = (HAND_SIZE, HAND_SIZE + 1)


@dataclass(frozen=True, slots=True, order=True)
class Slow:
    """A hand and how long it took; a hand that is not proved counts as slower than any that is."""

    unproved: bool
    time: float
    cards: str
    dealt: Dealt
    preset: str


def timed(dealt: Dealt, preset: str, repeats: int = 1) -> Slow:
    """The hand solved as if it were the first ever."""
    solutions = []

    def call() -> None:
        solutions.append(best_grouping(dealt.hand, dealt.wild_rank, unseen(PRESETS[preset])))

    time_taken = milliseconds(call, repeats)
    return Slow(not solutions[0].optimal, time_taken, str(dealt), dealt, preset)


def search(seconds: float, preset: str, size: int, seed: str) -> tuple[list[Slow], int]:
    """The slowest hands found in so many seconds from the kept ones on, slowest first, and how many were tried."""
    rng = random.Random(f"mutate {preset} {size} {seed}")
    end, tried = time.perf_counter() + seconds, 0
    slowest = {str(dealt): timed(dealt, preset, SURE) for dealt in kept(preset, size)}
    while time.perf_counter() < end:
        tried += 1
        if len(slowest) < POPULATION or rng.random() < 0.1:
            dealt = adversarial(rng, size)
        else:
            dealt = mutated(rng, rng.choice(list(slowest.values())).dealt)
        dealt = Dealt(in_order(dealt.hand), dealt.wild_rank)
        least = min(slowest.values()) if len(slowest) >= POPULATION else None
        if str(dealt) in slowest or (least and timed(dealt, preset) < least):
            continue
        slow = timed(dealt, preset, SURE)
        if least is None or slow > least:
            slowest[slow.cards] = slow
            if least is not None:
                del slowest[least.cards]
    return sorted(slowest.values(), reverse=True), tried


def kept(preset: str, size: int) -> list[Dealt]:
    """The hands of slow-hands.json under a preset, of one size."""
    rows = json.loads(SLOW_HANDS.read_text()) if SLOW_HANDS.exists() else []
    return [
        Dealt(tuple(map(Card, row["hand"])), row["wild_rank"])
        for row in rows
        if row["rules"] == preset and len(row["hand"]) == size
    ]


def kept_row(slow: Slow, number: int) -> dict[str, object]:
    """One line of slow-hands.json: points before the cap, of 14 cards after the best discard."""
    truth = truth_of(slow.dealt.hand, slow.dealt.wild_rank, PRESETS[slow.preset]).values()
    return {
        "id": f"slow-{slow.preset}-{len(slow.dealt.hand)}-{number}",
        "rules": slow.preset,
        "hand": list(slow.dealt.hand),
        "wild_rank": slow.dealt.wild_rank,
        "points": min(answer.points for answer in truth),
        "declarable": any(answer.declarable for answer in truth),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="altogether, shared by presets and hand sizes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="write tests/cases/slow-hands.json")
    options = parser.parse_args()
    parts = [(preset, size) for preset in PRESETS for size in SIZES]
    workers = cpu_count() or 1
    seconds = options.seconds / len(parts)
    rows = []
    print(setting())
    with get_context("spawn").Pool(workers) as pool:
        for preset, size in tqdm(parts, unit="search", disable=None):
            jobs = [(seconds, preset, size, f"{options.seed}/{worker}") for worker in range(workers)]
            results = pool.starmap(search, jobs)
            worst = [timed(slow.dealt, preset, 2 * SURE + 1) for found, _ in results for slow in found[:KEPT]]
            worst = sorted({slow.cards: slow for slow in worst}.values(), reverse=True)[:KEPT]
            tried = sum(count for _, count in results)
            print(f"{preset}, {size} cards: slowest of {tried} tried in {seconds:.0f} s on {workers} cores")
            for slow in worst:
                print(f"  {slow.time:8.2f} ms  {'NOT PROVED  ' if slow.unproved else ''}{slow.cards}")
            rows += [kept_row(slow, number) for number, slow in enumerate(worst)]
    if options.keep:
        SLOW_HANDS.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()

"""`python -m bench.fuzz_proofs --hands 100000`: each hand proved both ways, by the search and by CP-SAT, on every core.

Random hands, one in five of 14 cards, each under random options. Both questions are asked: what a loser pays, and whether
(of 14 cards: by which folds) it can be declared. Hand number n of a seed is always the same. A difference is printed with
the seed, the number and the hand, and the exit code is 1; `--seed S --only N` runs that one again.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from os import cpu_count

from tqdm import tqdm

from bench.fuzz_hands import FOURTEEN_EVERY, changes
from bench.hands import KINDS, Dealt, hand, option_mix
from engine.errors import Undecided
from engine.rummy.declaration import WrongArrangement
from engine.rummy.rules import HAND_SIZE, RummyRules
from solver.limits import Limits
from solver.solve import Method, fewest_points, find_declaration, winning_folds

PATIENT = Limits(states=1_000_000, deterministic_time=30)  # so that the search does not hand over to CP-SAT


@dataclass(frozen=True, slots=True)
class Proved:
    """What one way proves of a hand."""

    points: int
    declarable: bool | None
    folds: frozenset[str]
    ways: frozenset[str | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One hand: its kind, whether it can be declared, whether the search proved all of its own answer, what differs."""

    number: int
    kind: str
    wins: bool
    reduced: bool
    told: str


def case(seed: int, number: int) -> tuple[str, Dealt, RummyRules]:
    """The kind, the hand and the rules of one number."""
    kind = tuple(KINDS)[number % len(KINDS)]
    size = HAND_SIZE + 1 if number // len(KINDS) % FOURTEEN_EVERY == 0 else HAND_SIZE
    return kind, hand(kind, size, f"proofs/{seed}/{number}"), option_mix(random.Random(f"proofs {seed}/{number}"))


def proved(dealt: Dealt, rules: RummyRules, method: Method) -> Proved:
    """What a method proves of a hand; the engine checks what it finds."""
    asked = (dealt.hand, dealt.wild_rank, rules)
    scored = fewest_points(*asked, limits=PATIENT, method=method)
    declared = find_declaration(*asked, limits=PATIENT, method=method)
    folds = winning_folds(*asked, limits=PATIENT, method=method) if len(dealt.hand) > HAND_SIZE else ()
    return Proved(
        scored.arrangement.points, declared.possible, frozenset(folds), frozenset((scored.proof, declared.proof))
    )


def compare(seed: int, number: int) -> Outcome:
    """One hand both ways."""
    kind, dealt, rules = case(seed, number)
    try:
        one, other = proved(dealt, rules, "auto"), proved(dealt, rules, "cp-sat")
    except (WrongArrangement, Undecided) as error:
        return Outcome(
            number, kind, False, False, f"{dealt} under {changes(rules)}\n    {type(error).__name__}: {error}"
        )
    same = (one.points, one.declarable, one.folds) == (other.points, other.declarable, other.folds)
    same = same and other.ways == {"cp-sat"} and None not in one.ways
    told = "" if same else f"{dealt} under {changes(rules)}\n    search: {one}\n    model: {other}"
    return Outcome(number, kind, bool(one.declarable), one.ways == {"reduction"}, told)


def compared(seed: int, numbers: range, workers: int, seconds: float) -> Iterator[Outcome]:
    """The hands of these numbers, with a bar, until the time is over."""
    started = time.perf_counter()
    with get_context("spawn").Pool(workers) as pool:
        results = pool.imap_unordered(partial(compare, seed), numbers, chunksize=50)
        for outcome in tqdm(results, total=len(numbers), unit="hand", disable=None):
            yield outcome
            if time.perf_counter() - started > seconds:
                return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, help="the same as --hands")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first hand")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so long, with what was compared")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="this one hand, in this process")
    parser.add_argument("--workers", type=int, default=cpu_count())
    options = parser.parse_args()
    numbers = range(options.first, options.first + (options.count or options.hands))
    if options.only is not None:
        return report([compare(options.seed, options.only)], options.seed)
    return report(compared(options.seed, numbers, options.workers, options.seconds), options.seed)


def report(outcomes: Iterable[Outcome], seed: int) -> int:
    """Print every difference and what was compared; 1 if there is a difference."""
    started = time.perf_counter()
    count = wins = reduced = wrong = 0
    for outcome in outcomes:
        count, wins, reduced = count + 1, wins + outcome.wins, reduced + outcome.reduced
        if outcome.told:
            wrong += 1
            tqdm.write(f"--seed {seed} --only {outcome.number}: {outcome.told}")
    print(
        f"{count} hands proved both ways in {time.perf_counter() - started:.0f} s, seed {seed}: {wins} can be declared, "
        f"{reduced} proved by the search alone, {wrong} with a difference"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

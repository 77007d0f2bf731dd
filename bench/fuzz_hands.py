"""`python -m bench.fuzz_hands --hands 20000`: the solver, by both engines, against brute force, on every core.

Hand number n of a seed is always the same. A difference is printed with the seed, the number and the hand, and the exit
code is 1; `--seed S --only N` runs that one again.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from os import cpu_count

from tqdm import tqdm

from bench.hands import KINDS, Dealt, hand, option_mix
from engine.errors import Undecided
from engine.options import to_json
from engine.rummy.declaration import WrongArrangement
from engine.rummy.rules import HAND_SIZE, HOUSE, INDIAN, RummyRules
from solver.solve import Proof
from tests.solver.agreement import Truth, differences, fold_differences, loser_differences, solved, truth_of

FOURTEEN_EVERY = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """One hand compared: what it was, what was wrong with the answers, and by what the automatic engine proved its own."""

    number: int
    kind: str
    which: str
    size: int
    wins: bool
    proof: Proof | None
    told: str
    wrong: tuple[str, ...]


def case(seed: int, number: int) -> tuple[str, str, Dealt, RummyRules]:
    """The kind, the name of the rules, the hand and the rules of one number."""
    rng = random.Random(f"fuzz {seed}/{number}")
    kind = tuple(KINDS)[number % len(KINDS)]
    which = ("house", "indian", "mixed")[number // len(KINDS) % 3]
    size = HAND_SIZE + 1 if number % FOURTEEN_EVERY == 0 else HAND_SIZE
    rules = {"house": HOUSE, "indian": INDIAN}.get(which) or option_mix(rng)
    return kind, which, hand(kind, size, f"{seed}/{number}"), rules


def compare(seed: int, number: int) -> Outcome:
    """One hand by brute force and by the solver."""
    kind, which, dealt, rules = case(seed, number)
    truth = truth_of(dealt.hand, dealt.wild_rank, rules)
    try:
        proof, wrong = wrongs(dealt, rules, truth)
    except (WrongArrangement, Undecided) as error:
        proof, wrong = None, [f"{type(error).__name__}: {error}"]
    told = f"{dealt} under {changes(rules)}" if wrong else ""
    wins = any(answer.declarable for answer in truth.values())
    return Outcome(number, kind, which, len(dealt.hand), wins, proof, told, tuple(wrong))


def wrongs(dealt: Dealt, rules: RummyRules, truth: Truth) -> tuple[Proof | None, list[str]]:
    """What is wrong with the answers of both engines, the winning folds of fourteen cards, and the cards in another order;
    and by what the automatic engine proved its answer."""
    cards, wild_rank = dealt.hand, dealt.wild_rank
    solution = solved(cards, wild_rank, rules)
    wrong = [f"auto: {text}" for text in differences(cards, wild_rank, rules, solution, truth)]
    by_cp_sat = solved(cards, wild_rank, rules, cp_sat=True)
    wrong += [f"cp-sat: {text}" for text in differences(cards, wild_rank, rules, by_cp_sat, truth)]
    if by_cp_sat.proof != "cp-sat":
        wrong.append(f"cp-sat: proved by {by_cp_sat.proof}")
    if solved(cards[::-1], wild_rank, rules) != solution:
        wrong.append("auto: the order of the cards changes the answer")
    if len(cards) > HAND_SIZE:
        wrong += fold_differences(cards, wild_rank, rules, truth)
    else:
        for method, cp_sat in (("auto", False), ("cp-sat", True)):
            told = loser_differences(cards, wild_rank, rules, truth[None], cp_sat)
            wrong += [f"{method}, a loser's: {text}" for text in told]
    return solution.proof, wrong


def changes(rules: RummyRules) -> dict[str, object]:
    """The fields of the rules in which they are not the preset house."""
    return {name: value for name, value in to_json(rules).items() if value != to_json(HOUSE)[name]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, help="the same as --hands")
    parser.add_argument("--hands", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so long, with what was compared")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="this one hand, in this process")
    parser.add_argument("--workers", type=int, default=cpu_count())
    options = parser.parse_args()
    count = options.count or options.hands
    started = time.perf_counter()
    if options.only is not None:
        outcomes = [compare(options.seed, options.only)]
    else:
        with get_context("spawn").Pool(options.workers) as pool:
            results = pool.imap_unordered(partial(compare, options.seed), range(count), chunksize=20)
            outcomes = []
            for outcome in tqdm(results, total=count, unit="hand", disable=None):
                outcomes.append(outcome)
                if time.perf_counter() - started > options.seconds:
                    break
    return report(outcomes, options.seed, time.perf_counter() - started)


def report(outcomes: list[Outcome], seed: int, seconds: float) -> int:
    """Print what was compared and every difference; 1 if there is one."""
    rows = Counter((outcome.kind, outcome.which) for outcome in outcomes)
    print(f"{'hands':<14}{'rules':<8}{'count':>7}{'declarable':>12}{'by reduction':>14}{'wrong':>7}")
    for kind, which in sorted(rows):
        of_row = [outcome for outcome in outcomes if (outcome.kind, outcome.which) == (kind, which)]
        won, reduced = (sum(flags) for flags in zip(*((o.wins, o.proof == "reduction") for o in of_row), strict=True))
        wrong = sum(bool(outcome.wrong) for outcome in of_row)
        print(f"{kind:<14}{which:<8}{len(of_row):>7}{won:>12}{reduced:>14}{wrong:>7}")
    bad = sorted((outcome for outcome in outcomes if outcome.wrong), key=lambda outcome: outcome.number)
    fourteen = sum(outcome.size > HAND_SIZE for outcome in outcomes)
    print(
        f"{len(outcomes)} hands ({fourteen} of 14 cards) by both engines against brute force in {seconds:.0f} s, "
        f"seed {seed}: {len(bad)} with a difference"
    )
    for outcome in bad[:20]:
        print(f"--seed {seed} --only {outcome.number}: {outcome.told}\n    " + "\n    ".join(outcome.wrong))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bench.solve`: how long one hand takes, by the reduction and by CP-SAT, beside a plain memoised search.

A hand counts with its first solve, for a service sees most hands once, in a process that has solved many others; "again"
is the median of three more, when the solver still knows the groups of each suit. Half of the hands are judged under each
preset. The slowest hands are solved as if they were the first ever. Times are processor time, single-threaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

from tqdm import tqdm

from bench.figures import Figure, milliseconds, percentile, setting, table
from bench.hands import Dealt, hands
from bench.memo_search import memo_search
from engine.cards import Card, Rank
from engine.options import resolve
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from solver.solve import Method, Proof, Solution, best_grouping

SLOW_HANDS = Path(__file__).parent.parent / "tests" / "cases" / "slow-hands.json"
SEED = 20
COUNT, COUNT_CP_SAT, COUNT_WORST = 1000, 400, 5000
_UNSEEN = count()


@dataclass(frozen=True, slots=True)
class Timed:
    """Hands of one kind solved one by one: milliseconds a hand at first and again, and what proved each answer."""

    times: tuple[float, ...]
    again: tuple[float, ...]
    proofs: tuple[Proof | None, ...]
    optimal: bool

    def at(self, share: float) -> float:
        return percentile(self.times, share)

    def share(self, proof: Proof) -> float:
        return 100 * self.proofs.count(proof) / len(self.proofs)


def presets_in_turn(number: int) -> RummyRules:
    return (HOUSE, INDIAN)[number % 2]


def unseen(rules: RummyRules) -> RummyRules:
    """The same rules of grouping as a value never asked about before: nothing the solver has kept can help."""
    return replace(rules, invalid_declaration_points=next(_UNSEEN) % 1000)


def _keep(call: Callable[[], Solution], solutions: list[Solution]) -> None:
    solutions.append(call())


def time_solver(dealt: Sequence[Dealt], cp_sat: bool, told: str, repeats: int = 3) -> Timed:
    """Each hand by the method the solver chooses, or by CP-SAT."""
    times, again, solutions = [], [], list[Solution]()
    for number, one in enumerate(tqdm(dealt, desc=told, unit="hand", disable=None, leave=False)):
        rules = presets_in_turn(number)
        method: Method = "cp-sat" if cp_sat else "auto"
        call = partial(best_grouping, one.hand, one.wild_rank, rules, method=method)
        times.append(milliseconds(partial(_keep, call, solutions), 1))
        if repeats:
            again.append(milliseconds(call, repeats))
    proofs = tuple(solution.proof for solution in solutions)
    return Timed(tuple(times), tuple(again), proofs, all(solution.optimal for solution in solutions))


def time_memo(dealt: Sequence[Dealt], told: str) -> tuple[float, ...]:
    """The same hands by the baseline."""
    return tuple(
        milliseconds(partial(memo_search, one.hand, one.wild_rank, presets_in_turn(number)))
        for number, one in enumerate(tqdm(dealt, desc=told, unit="hand", disable=None, leave=False))
    )


def figures() -> Iterator[Figure]:
    """The figures of the solver that have a bound, and what explains them."""
    for kind in ("random", "near", "adversarial"):
        time_solver(list(hands(kind, COUNT, seed=SEED - 1)), False, "warming up", repeats=0)
    time_solver(list(hands("near", 20, seed=SEED - 1)), True, "warming up", repeats=0)
    bounds = {"random": (0.35, 3.0, 1.2, None), "near": (0.55, 8.0, 2.0, 40.0), "adversarial": (None,) * 4}
    medians = {}
    for kind, (p50, p99, cp_p50, cp_p99) in bounds.items():
        dealt = list(hands(kind, COUNT, seed=SEED))
        auto, memo = time_solver(dealt, False, kind), time_memo(dealt, f"{kind}, memoised search")
        forced = time_solver(dealt[:COUNT_CP_SAT], True, f"{kind}, cp-sat")
        medians[kind] = auto.at(0.5)
        yield Figure(f"solve, {kind} hands: p50", auto.at(0.5), "ms", p50)
        yield Figure(f"solve, {kind} hands: p95", auto.at(0.95), "ms")
        yield Figure(f"solve, {kind} hands: p99", auto.at(0.99), "ms", p99)
        yield Figure(f"solve, {kind} hands: slowest", max(auto.times), "ms")
        yield Figure(f"solve, {kind} hands: p50 again", median(auto.again), "ms")
        yield Figure(f"solve, {kind} hands: rate", 1000 * len(auto.times) / sum(auto.times), "/s")
        yield Figure(f"solve, {kind} hands: proved by reduction", auto.share("reduction"), "%")
        yield Figure(f"CP-SAT forced, {kind} hands: p50", forced.at(0.5), "ms", cp_p50)
        yield Figure(f"CP-SAT forced, {kind} hands: p99", forced.at(0.99), "ms", cp_p99)
        yield Figure(f"CP-SAT forced, {kind} hands: slowest", max(forced.times), "ms")
        yield Figure(f"memoised search, {kind} hands: p50", median(memo), "ms")
        faster = median(memo) / auto.at(0.5)
        yield Figure(f"times faster than it, {kind} hands, p50", faster, "×", 2.0 if kind == "near" else None, True)
    fourteen = time_solver(list(hands("near", COUNT, 14, SEED)), False, "fourteen cards")
    yield Figure("14 cards to 13, near hands: p50", fourteen.at(0.5) / medians["near"], "×", 2.0)
    yield Figure("14 cards, near hands: p99", fourteen.at(0.99), "ms")
    for kind in ("near", "adversarial"):
        many = time_solver(list(hands(kind, COUNT // 4, 21, SEED)), False, f"21 cards, {kind}")
        yield Figure(f"21 cards, {kind} hands: p50", many.at(0.5), "ms", 10.0)
        yield Figure(f"21 cards, {kind} hands: p99", many.at(0.99), "ms", 150.0)
    yield from worst_figures()


def worst_figures() -> Iterator[Figure]:
    """The slowest of many adversarial hands, and of those that the mutation search has found; timed again on their own."""
    dealt = list(hands("adversarial", COUNT_WORST, seed=SEED + 1))
    once = time_solver(dealt, False, "worst of many", repeats=0)
    slowest = sorted(range(len(dealt)), key=lambda number: -once.times[number])[:20]
    again = [_time_one(dealt[number].hand, dealt[number].wild_rank, presets_in_turn(number)) for number in slowest]
    yield Figure(f"slowest of {COUNT_WORST} adversarial hands, all proved: {once.optimal}", max(again), "ms", 250.0)
    kept = json.loads(SLOW_HANDS.read_text())
    times = [
        _time_one(tuple(map(Card, row["hand"])), row["wild_rank"], resolve(RummyRules, row["rules"]))
        for row in tqdm(kept, desc="kept slow hands", disable=None, leave=False)
    ]
    yield Figure(f"slowest of {len(kept)} hands found by mutation", max(times), "ms", 100.0)


def _time_one(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> float:
    return milliseconds(lambda: best_grouping(hand, wild_rank, unseen(rules)), 5)


def main() -> None:
    print(f"{setting()}\n{table(figures())}")


if __name__ == "__main__":
    main()

"""A batch of 1,000 hands on all cores beside the same hands one after the other: ``python -m bench.batches``.

Both are run in turn, wall time, the median of the ratios; the processes are started before the first round.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

from tqdm import tqdm

from bench.figures import Figure, setting, table
from bench.hands import hands
from engine.rummy.rules import HOUSE
from service.process.cores import cores
from service.solving.batches import Solvers
from service.use_cases.rummy import groupings

HANDS, ROUNDS = 1000, 25
WILD_RANK = "7"


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def figures() -> Iterator[Figure]:
    """How much faster the batch is, and its rate."""
    some = [dealt.hand for dealt in hands("near", HANDS)]
    alone, all_cores = Solvers(1, places=2), Solvers(cores(), places=2)

    def solve(solvers: Solvers) -> float:
        return seconds(lambda: solvers.each(groupings, some, WILD_RANK, HOUSE, method="auto"))

    solve(alone), solve(all_cores)
    gc.collect()
    gc.freeze()  # as in the service, whose processes are all spared the search for garbage in what is loaded once
    rounds = tqdm(range(ROUNDS), desc="batches", disable=not sys.stderr.isatty())
    times = [(solve(alone), solve(all_cores)) for _ in rounds]
    yield Figure(
        f"batch of 1,000 near-complete hands on {cores()} cores: gain", median(a / b for a, b in times), "×", 1.6, True
    )
    yield Figure("batch of 1,000 near-complete hands: a second", HANDS / median(b for _, b in times), "/s")


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")

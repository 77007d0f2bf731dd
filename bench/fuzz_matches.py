"""Random matches counted twice, played at the table and told round by round: ``python -m bench.fuzz_matches 1000``.

The second counter is written from rules.md alone (tests/service/match_counter.py) and is told what each round cost; both are
asked after each step, refusals included. Match number n of a seed is always the same: a failure names it, and ``--only n``
takes it up again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping

from tqdm import tqdm

from tests.service import played_matches, told_matches

MATCHES = 1_000


def told(format: str, seed: int) -> Counter[str]:
    """How a match ends that is told."""
    match = told_matches.compare(format, seed)
    return Counter([f"end: {match.ending.reason if match and match.ending else 'cut off'}"])


WAYS: Mapping[str, Callable[[str, int], Counter[str]]] = {"played": played_matches.compare, "told": told}

Job = tuple[str, str, int]


def one_match(job: Job) -> tuple[Job, Counter[str], str | None]:
    """Take the match of a job: what happened in it, and the error where the two differ."""
    way, format, seed = job
    try:
        return job, WAYS[way](format, seed), None
    except Exception:  # noqa: BLE001 - whatever breaks is a finding, and is reported with its match
        return job, Counter(), traceback.format_exc()


def main() -> int:
    """Play and tell, print what happened and every difference; the exit code says whether there was one."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("number", type=int, nargs="?", default=MATCHES, help="matches of each format, in each way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="take this match of each format again, and no other")
    given = parser.parse_args()
    first = given.seed * 10**9
    numbers = range(given.number) if given.only is None else [given.only]
    kinds = [(way, format) for way in WAYS for format in told_matches.FORMATS]
    jobs: list[Job] = [(*kind, first + number) for kind in kinds for number in numbers]
    start = time.perf_counter()
    found = {kind: Counter[str]() for kind in kinds}
    broken = 0
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        results = pool.imap_unordered(one_match, jobs, chunksize=8)
        for (way, format, seed), happened, error in tqdm(
            results, total=len(jobs), desc="matches", disable=not sys.stderr.isatty()
        ):
            found[way, format] += happened
            if error is not None:
                broken += 1
                print(f"BROKEN: {way} {format} --seed {given.seed} --only {seed - first}\n{error}")
    for (way, format), happened in found.items():
        counts = ", ".join(f"{what} {times:,}" for what, times in sorted(happened.items()))
        print(f"{format}, {way}: {len(numbers):,} matches: {counts}")
    print(f"{broken} differences; {time.perf_counter() - start:.0f} s; seed {given.seed}")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())

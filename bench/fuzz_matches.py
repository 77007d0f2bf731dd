"""Random matches played at the table, counted twice: ``python -m bench.fuzz_matches 1000``.

The second counter is written from rules.md alone (tests/service/match_counter.py) and is told what each round cost; both are
asked after each step. Match number n of a seed is always the same: a failure names it, and ``--only n`` plays it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
import traceback
from collections import Counter

from tests.service.played_matches import compare
from tests.service.told_matches import FORMATS

MATCHES = 1_000

Job = tuple[str, int]


def one_match(job: Job) -> tuple[Job, Counter[str], str | None]:
    """Play the match of a job: what happened in it, and the error where the two differ."""
    try:
        return job, compare(*job), None
    except Exception:  # noqa: BLE001 - whatever breaks is a finding, and is reported with its match
        return job, Counter(), traceback.format_exc()


def main() -> int:
    """Play, print what happened in the matches and every difference; the exit code says whether there was one."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("number", type=int, nargs="?", default=MATCHES, help="matches of each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="play this match of each format again, and no other")
    given = parser.parse_args()
    first = given.seed * 10**9
    numbers = range(given.number) if given.only is None else [given.only]
    jobs: list[Job] = [(format, first + number) for format in FORMATS for number in numbers]
    start = time.perf_counter()
    found = {format: Counter[str]() for format in FORMATS}
    broken = 0
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        for (format, number), happened, error in pool.imap_unordered(one_match, jobs, chunksize=4):
            found[format] += happened
            if error is not None:
                broken += 1
                print(f"BROKEN: {format} --seed {given.seed} --only {number - first}\n{error}", flush=True)
    for format, happened in found.items():
        told = ", ".join(f"{what} {times:,}" for what, times in sorted(happened.items()))
        print(f"{format}: {len(numbers):,} matches: {told}")
    print(f"{broken} differences; {time.perf_counter() - start:.0f} s; seed {given.seed}")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Random matches told round by round, counted twice: ``python -m bench.fuzz_settlements 1000``.

The second counter is written from rules.md alone (tests/service/match_counter.py); both are asked after each step, refusals
included. Match number n of a seed is always the same: a failure names it, and ``--only n`` tells it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
import traceback
from collections import Counter

from tests.service.told_matches import FORMATS, compare

MATCHES = 1_000

Job = tuple[str, int]


def one_match(job: Job) -> tuple[Job, str, str | None]:
    """Tell the match of a job: how it ended, and the error where the counters differ."""
    try:
        match = compare(*job)
    except Exception:  # noqa: BLE001 - whatever breaks is a finding, and is reported with its match
        return job, "broken", traceback.format_exc()
    return job, match.ending.reason if match and match.ending else "cut off", None


def main() -> int:
    """Tell, print how the matches ended and every difference; the exit code says whether there was one."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("number", type=int, nargs="?", default=MATCHES, help="matches of each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="tell this match of each format again, and no other")
    given = parser.parse_args()
    first = given.seed * 10**9
    numbers = range(given.number) if given.only is None else [given.only]
    jobs: list[Job] = [(format, first + number) for format in FORMATS for number in numbers]
    start = time.perf_counter()
    ends: Counter[tuple[str, str]] = Counter()
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        for (format, number), end, error in pool.imap_unordered(one_match, jobs, chunksize=16):
            ends[format, end] += 1
            if error is not None:
                print(f"BROKEN: {format} --seed {given.seed} --only {number - first}\n{error}")
    for format in FORMATS:
        told = ", ".join(f"{end} {times:,}" for (which, end), times in sorted(ends.items()) if which == format)
        print(f"{format}: {len(numbers):,} matches: {told}")
    broken = sum(times for (_, end), times in ends.items() if end == "broken")
    print(f"{broken} differences; {time.perf_counter() - start:.0f} s; seed {given.seed}")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())

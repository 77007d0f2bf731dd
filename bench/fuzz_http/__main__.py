"""`make fuzz-http`: mutants of valid calls of every route, to the app in process and to a running service.

No answer may be a 5xx (but a documented 503), or anything but JSON or a problem where no page is asked for, or take longer than
half a second: of processor time in process, of the clock over HTTP. Neither may grow by more than 20 MB once it is warm. Blocks of
500 mutants are the same for the same seed; a finding says how to run its block again, and is printed as small as it can be made.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from math import inf

from bench.fuzz_http.blocks import BLOCK
from bench.fuzz_http.runs import inside, over_http

MUTANTS = 1_000_000
OVER_HTTP = 20  # in process for each one over HTTP


def main() -> int:
    """Run both parts; 1 if anything is not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz_http", description=__doc__)
    parser.add_argument(
        "number", type=int, nargs="?", default=MUTANTS, help="mutants in process; a twentieth over HTTP"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="BLOCK", help="run this block again, and no other")
    parser.add_argument("--seconds", type=float, default=inf, help="of each part, at most")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--inside-only", action="store_true", help="nothing over HTTP")
    part.add_argument("--http-only", action="store_true", help="nothing in process")
    given = parser.parse_args()

    def numbers(mutants: int) -> Iterable[int]:
        return range(max(1, mutants // BLOCK)) if given.only is None else [given.only]

    started = time.perf_counter()
    totals = []
    if not given.http_only:
        totals.append(inside(given.seed, numbers(given.number), given.seconds))
    if not given.inside_only:
        totals.append(over_http(given.seed, numbers(given.number // OVER_HTTP), given.seconds))
    print(*totals, sep="\n")
    print(f"seed {given.seed}; {time.perf_counter() - started:.0f} s")
    return int(any(total.failed for total in totals))


if __name__ == "__main__":
    raise SystemExit(main())

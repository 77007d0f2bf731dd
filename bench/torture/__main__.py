"""`make torture`: every scenario, or those named, and one table of what they found: ``python -m bench.torture [NAME…]``.

Each starts its own service and stores on loopback, and ends them. ``--times`` makes a scenario shorter or longer.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import tempfile
import time
from pathlib import Path

from tqdm import tqdm

from bench.torture.client import Fault
from bench.torture.report import Finding, table

SCENARIOS = (
    "race",
    "repeats",
    "lost_replies",
    "kills",
    "redis_kills",
    "failovers",
    "outages",
    "evictions",
    "cluster",
    "leaks",
    "restarts",
)


def main() -> int:
    """Run them; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.torture", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(SCENARIOS)}")
    parser.add_argument("--times", type=int, help="how often, instead of the scenario's own number")
    given = parser.parse_args()
    if unknown := set(given.names) - set(SCENARIOS):
        parser.error(f"no scenario {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(number))  # so that everything started here ends, too
    findings: list[Finding] = []
    started = time.monotonic()
    for name in given.names or SCENARIOS:
        findings += run(name, given.times)
    print(f"\n{table(findings)}\n{time.monotonic() - started:.0f} s")
    return int(any(finding.wrong for finding in findings))


def run(name: str, times: int | None = None) -> list[Finding]:
    """What one scenario finds, on each of its stores."""
    scenario = importlib.import_module(f"bench.torture.{name}")
    times = times or scenario.LONG
    findings: list[Finding] = []
    for store in scenario.STORES:
        bar = tqdm(total=times, desc=f"{name} ({store})", file=sys.stderr, disable=not sys.stderr.isatty())
        with bar, tempfile.TemporaryDirectory(prefix="cardref-torture-") as folder:
            try:
                findings += scenario.run(store, Path(folder), times, bar.update)
            except (Fault, RuntimeError, TimeoutError) as fault:
                findings.append(Finding(name, store, "broken off", "", (str(fault),)))
        if not sys.stderr.isatty():
            print(f"{name} ({store}): {'; '.join(each.figure for each in findings[-1:])}", file=sys.stderr)
    return findings


if __name__ == "__main__":
    raise SystemExit(main())

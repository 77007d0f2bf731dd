"""`make soak`: the service as it is meant to be used, for as long as you like: ``python -m bench.soak 600``.

Two workers and a Redis, started and ended here. So many moves a second over so many live games, each at its time whether the
one before is answered or not; watchers who wait for each game's next version; groupings beside them. A game gives way to another
after thirty moves, so that what is stored stays as much as it is. Latencies count from when a call was due. The plot goes to
bench/out/; with ``--docs`` it replaces the one in docs/.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from bench.figures import Figure, percentile, setting, table
from bench.fuzz_http.blocks import resident
from bench.plot import plot
from bench.soak.measured import Measured
from bench.soak.players import Players
from bench.torture.service import Ground, ground
from tests.servers import wait_for

ROOT = Path(__file__).parents[2]
NAME = "soak.svg"
WORKERS = 2
SLICES = 20
FILES = 8192
WARM = 60.0  # seconds, or a fifth of a shorter run
BOUND = 50.0  # milliseconds: the p99 of moves
GROWTH = 10.0  # megabytes of a process after the warm-up
KEPT_UP = 0.98  # of the moves and groupings wanted, and of the watchers


@dataclass(frozen=True)
class Wish:
    """What is called for."""

    seconds: float = 600.0
    moves: float = 500.0  # a second
    games: int = 1_000
    watchers: int = 2_000
    groupings: float = 50.0  # a second


def main() -> int:
    """Run it; 1 if a figure is over its bound or anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=Wish.seconds)
    parser.add_argument("--moves", type=float, default=Wish.moves, help="a second")
    parser.add_argument("--games", type=int, default=Wish.games)
    parser.add_argument("--watchers", type=int, default=Wish.watchers, help="open long polls")
    parser.add_argument("--groupings", type=float, default=Wish.groupings, help="a second")
    parser.add_argument("--docs", action="store_true", help=f"replace docs/{NAME}")
    asked = vars(parser.parse_args())
    is_for_docs = asked.pop("docs")
    given = Wish(**asked)
    raise_limit_of_files()
    with tempfile.TemporaryDirectory(prefix="cardref-soak-") as folder, ground("redis", Path(folder), WORKERS) as here:
        measured = asyncio.run(soak(here, given))
    figures = list(_figures(measured, given))
    print(f"{setting()}; {given.seconds:.0f} s\n{table(figures)}")
    print(", ".join(f"{what} × {times:,}" for what, times in sorted(measured.statuses.items())))
    for what, times in measured.wrong.most_common(10):
        print(f"WRONG, {times:,} times: {what}")
    plotted = ROOT / ("docs" if is_for_docs else "bench/out") / NAME
    plotted.parent.mkdir(parents=True, exist_ok=True)
    places = [round((at + 1) * given.seconds / SLICES) for at in range(SLICES)]
    plotted.write_text(plot("Milliseconds of calls, megabytes of processes, by the second", places, measured.lines()))
    over = [figure.name for figure in figures if figure.ratio is not None and figure.ratio > 1]
    return int(bool(over or measured.wrong))


async def soak(here: Ground, given: Wish) -> Measured:
    """Call the service on this ground as is wished, and measure it."""
    measured = Measured(given.seconds, SLICES)
    players = Players(here.port, measured, given.games)
    processes = _processes(here)
    await players.sit_down()
    measured.begin()
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(players.watch(given.watchers))
        group.create_task(players.move(given.moves))
        group.create_task(players.group(given.groupings))
        with tqdm(total=int(given.seconds), desc="seconds", file=sys.stderr, disable=not sys.stderr.isatty()) as bar:
            while measured.elapsed < given.seconds:
                await asyncio.sleep(1)
                bar.update()
                for name, process in processes.items():
                    measured.memory[name][measured.slice] = resident(process) / 1024
                if measured.elapsed > _warm(given):
                    measured.waiting.append(players.waiting)
        watching.cancel()  # nobody makes the moves that they wait for any more
    players.close()
    if _processes(here) != processes:
        measured.wrong["a worker has ended"] += 1
    return measured


def _processes(here: Ground) -> Mapping[str, int]:
    assert here.redis is not None
    wait_for(lambda: len(here.service.workers()) == WORKERS, "all workers")  # the service is ready with the first
    with here.redis.client() as client:
        redis = int(client.info("server")["process_id"])
    return {**{f"worker {number}": pid for number, pid in enumerate(here.service.workers(), 1)}, "Redis": redis}


def _warm(given: Wish) -> float:
    return min(WARM, given.seconds / 5)


def _figures(measured: Measured, given: Wish) -> list[Figure]:
    found = []
    for kind, rate in (("move", given.moves), ("grouping", given.groupings)):
        values = measured.all_of(kind)
        kept_up = sum(map(len, measured.latencies[kind].values())) / given.seconds
        found.append(Figure(f"{kind}s", kept_up, "/s", rate * KEPT_UP, at_least=True))
        found.append(Figure(f"{kind}s: p50", percentile(values, 0.5), "ms"))
        found.append(Figure(f"{kind}s: p99", percentile(values, 0.99), "ms", BOUND if kind == "move" else None))
    if news := measured.all_of("news"):
        found.append(Figure("a move's news to those who wait: p50", percentile(news, 0.5), "ms"))
        found.append(Figure("a move's news to those who wait: p99", percentile(news, 0.99), "ms"))
    if measured.waiting:
        waiting = percentile(measured.waiting, 0.5)
        found.append(Figure("watchers who wait at the same time", waiting, "", given.watchers * KEPT_UP, at_least=True))
    found += [
        Figure(f"{name}: growth after {_warm(given):.0f} s", measured.growth(name, _warm(given)), "MB", GROWTH)
        for name in measured.memory
    ]
    return found


def raise_limit_of_files() -> None:
    """Room for thousands of connections, where the system allows it; the service inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (FILES if hard == resource.RLIM_INFINITY else min(FILES, hard), hard)
        )


if __name__ == "__main__":
    raise SystemExit(main())

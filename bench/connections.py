"""Whether more callers get fewer answers, and each its share: ``python -m bench.connections``.

One worker, in turn with 1, 8 and 64 connections that group random hands, in short slices, so that what else the machine does
falls on all alike; a ratio is the median over the slices.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import mean, median

from tqdm import tqdm

from bench.figures import Figure, setting, table
from bench.http import grouping_player, serving
from bench.load import Player, run
from tests.servers import free_port

CROWDS = (1, 8, 64)
SLICES, SECONDS = 8, 1.5


def figures() -> Iterator[Figure]:
    """The rates, against the rate of one alone, and the widest share of 64."""
    port = free_port()
    rates: dict[int, list[float]] = {crowd: [] for crowd in CROWDS}
    widest: list[float] = []
    limits = {"CARDREF_LIMITS": "requests=none,solves=none", "CARDREF_DRAIN_SECONDS": "0"}
    with tempfile.TemporaryDirectory() as folder:
        settings = {"CARDREF_PORT": str(port), "CARDREF_WORKERS": "1", "CARDREF_DATA": folder, "CARDREF_LOG": "errors"}
        with serving(["-m", "service"], port, **settings, **limits):
            for _ in tqdm(range(SLICES), desc="connections", disable=not sys.stderr.isatty()):
                for crowd in CROWDS:
                    answered = Counter(dict.fromkeys(range(crowd), 0))
                    rates[crowd].append(run(port, _counting(answered), crowd, SECONDS).rate)
                    fair = mean(answered.values())
                    widest.append(max(max(answered.values()) / fair, fair / max(min(answered.values()), 1)))
    for crowd in CROWDS[1:]:
        ratio = median(many / one for many, one in zip(rates[crowd], rates[1], strict=True))
        yield Figure(f"groupings, {crowd} connections: rate beside that of 1", ratio, "", 1.0, at_least=True)
    for crowd in CROWDS:
        yield Figure(f"groupings, {crowd} connections: a second", median(rates[crowd]), "/s")
    yield Figure("groupings, 64 connections: widest share, of the mean", median(widest[2::3]), "", 2.0)


def _counting(answered: Counter[int]) -> Callable[[int], Player]:
    return lambda number: _counted(number, answered)


def _counted(number: int, answered: Counter[int]) -> Player:
    player = grouping_player(number)
    asked = next(player)
    while True:
        answer = yield asked
        answered[number] += 1
        asked = player.send(answer)


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")

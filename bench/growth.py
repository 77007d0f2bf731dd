"""`python -m bench.growth`: what a solve costs over hand sizes 7 to 26, as a Markdown table and as a plot.

The plot goes to bench/out/; with ``--docs`` it replaces the one in docs/, beside which the table belongs.

At each size half of the hands are near-complete, half adversarial; each is solved once by the engine the solver chooses
and once by CP-SAT.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure, setting
from bench.hands import hands
from bench.plot import Line, plot
from bench.solve import SEED, Timed, time_solver

ROOT = Path(__file__).parent.parent
NAME = "solver-growth.svg"
SIZES = range(7, 27)
COUNT = 40  # hands of each kind at each size


def measure() -> tuple[list[Timed], list[Timed]]:
    """At each size: by the engine the solver chooses, and by CP-SAT."""
    autos, forceds = [], []
    for size in SIZES:
        dealt = [one for kind in ("near", "adversarial") for one in hands(kind, COUNT, size, SEED)]
        autos.append(time_solver(dealt, False, f"{size} cards", repeats=0))
        forceds.append(time_solver(dealt, True, f"{size} cards, cp-sat", repeats=0))
    return autos, forceds


def markdown(autos: list[Timed], forceds: list[Timed]) -> str:
    """Milliseconds at each size."""
    rows = [
        "| cards | auto p50 | p95 | slowest | by reduction | CP-SAT p50 | p95 | slowest | all proved |",
        "|--:" * 9 + "|",
    ]
    for size, auto, forced in zip(SIZES, autos, forceds, strict=True):
        ours, theirs = (" | ".join(f"{timed.at(share):.2f}" for share in (0.5, 0.95, 1)) for timed in (auto, forced))
        proved = "yes" if auto.optimal and forced.optimal else "no"
        rows.append(f"| {size} | {ours} | {auto.share('reduction'):.0f} % | {theirs} | {proved} |")
    return "\n".join(rows)


def figures(docs: bool = False) -> Iterator[Figure]:
    """The ends of the curve; prints the table and draws the plot, into docs/ only if told."""
    autos, forceds = measure()
    print(markdown(autos, forceds))
    lines = [
        Line(f"{name}, {label}", [timed.at(share) for timed in of], colour, share > 0.5)
        for name, of, colour in (("auto", autos, "#1b6ca8"), ("CP-SAT", forceds, "#c8553d"))
        for label, share in (("p50", 0.5), ("p95", 0.95))
    ]
    plotted = ROOT / ("docs" if docs else "bench/out") / NAME
    plotted.parent.mkdir(parents=True, exist_ok=True)
    plotted.write_text(plot("Milliseconds to solve a hand, by its number of cards", list(SIZES), lines))
    yield Figure(f"{SIZES[-1]} cards: p50", autos[-1].at(0.5), "ms")
    yield Figure(f"{SIZES[-1]} cards: slowest", autos[-1].at(1), "ms")
    yield Figure(f"{SIZES[-1]} cards, CP-SAT forced: p50", forceds[-1].at(0.5), "ms")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.growth")
    parser.add_argument("--docs", action="store_true", help=f"replace docs/{NAME}")
    given = parser.parse_args()
    print(setting())
    for figure in figures(given.docs):
        print(f"{figure.name}: {figure.value:.2f} {figure.unit}")


if __name__ == "__main__":
    main()

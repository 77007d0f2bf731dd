"""`make bench`: every benchmark of this package, then all figures as one table.

A benchmark is a module with a function `figures` that yields `Figure`s. Names of modules as arguments run only those.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench
from bench.figures import Figure, setting, table


def main() -> None:
    wanted = sys.argv[1:] or sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    figures: list[Figure] = []
    for name in wanted:
        if name != "__main__":
            measure = getattr(importlib.import_module(f"bench.{name}"), "figures", None)
            if callable(measure):
                print(f"bench.{name} …", file=sys.stderr, flush=True)
                figures.extend(measure())
    print(f"\n{setting()}\n{table(figures)}")


if __name__ == "__main__":
    main()

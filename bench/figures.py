"""What a benchmark reports: figures against their bounds, and the table of them."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value; `bound` is the most it should be, or with `at_least` the least, or None where there is none."""

    name: str
    value: float
    unit: str
    bound: float | None = None
    at_least: bool = False

    @property
    def ratio(self) -> float | None:
        """Value to bound, turned so that 1 or less means that the bound is met."""
        if self.bound is None:
            return None
        return self.bound / self.value if self.at_least else self.value / self.bound


def table(figures: Iterable[Figure]) -> str:
    """One line a figure: name, value, bound, ratio, and whether the bound is met."""
    lines = [f"{'figure':<58}{'value':>16}{'bound':>16}{'ratio':>8}"]
    for figure in figures:
        line = f"{figure.name:<58}{_amount(figure.value, figure.unit):>16}"
        if figure.bound is not None and figure.ratio is not None:
            sign = "≥" if figure.at_least else "≤"
            bound = f"{sign} {_amount(figure.bound, figure.unit)}"
            line += f"{bound:>16}{figure.ratio:>8.2f}{'' if figure.ratio <= 1 else '  over'}"
        lines.append(line)
    return "\n".join(lines)


def setting() -> str:
    """What the figures were measured with."""
    return f"Python {platform.python_version()}, ortools {version('ortools')}, {platform.machine()}"


def milliseconds(call: Callable[[], object], repeats: int = 3) -> float:
    """The median of some calls, in processor time: what else runs on the machine does not count."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return median(times) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def _amount(value: float, unit: str) -> str:
    return f"{value:,.{0 if value >= 1000 else 1 if value >= 100 else 2}f} {unit}".strip()

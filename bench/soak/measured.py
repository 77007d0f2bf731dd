"""What is measured during a soak, by slices of time."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.figures import percentile
from bench.plot import Line

KINDS = ("move", "news", "grouping")


@dataclass
class Measured:
    """Latencies in milliseconds by kind and slice, statuses, memory, and what must not be."""

    seconds: float  # how long it lasts
    slices: int
    began: float = field(default_factory=time.monotonic)
    latencies: dict[str, dict[int, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    statuses: Counter[str] = field(default_factory=Counter)
    memory: dict[str, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))  # megabytes, by process
    waiting: list[int] = field(default_factory=list)  # open waiters, at each sample
    wrong: Counter[str] = field(default_factory=Counter)

    def begin(self) -> None:
        """Now: what was before was setting up."""
        self.began = time.monotonic()
        self.statuses.clear()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    @property
    def slice(self) -> int:
        """The one it is."""
        return min(int(self.elapsed / self.seconds * self.slices), self.slices - 1)

    def note(self, kind: str, status: int, began: float) -> None:
        """An answer that came now, to what was due at `began`."""
        self.statuses[f"{kind} {status}"] += 1
        self.latencies[kind][self.slice].append((time.monotonic() - began) * 1000)
        if status >= 500:
            self.wrong[f"{kind}: status {status}"] += 1

    def all_of(self, kind: str) -> list[float]:
        """Every latency of a kind, the first slice aside: it warms up."""
        return [value for at, values in self.latencies[kind].items() if at or self.slices == 1 for value in values]

    def growth(self, process: str, warm: float) -> float:
        """Megabytes by which a process grew between the end of the warm-up (seconds) and the end."""
        samples = self.memory[process]
        first = min((at for at in samples if at >= warm * self.slices / self.seconds), default=max(samples))
        return samples[max(samples)] - samples[first]

    def lines(self) -> list[Line]:
        """For the plot: latencies and memory at each slice."""
        found = [
            Line(
                f"{kind}s, p{round(share * 100)}, ms".replace("newss", "news"),
                self._line(kind, share),
                colour,
                share < 0.9,
            )
            for kind, share, colour in (
                ("move", 0.5, "#1b6ca8"),
                ("move", 0.99, "#1b6ca8"),
                ("news", 0.99, "#2a9d5c"),
                ("grouping", 0.99, "#8a6d3b"),
            )
            if self.latencies[kind]
        ]
        return found + [
            Line(f"{name}, MB", _filled(values, self.slices), colour, dashed=True)
            for (name, values), colour in zip(self.memory.items(), ("#c8553d", "#e09f3e", "#7b2d8b"), strict=False)
        ]

    def _line(self, kind: str, share: float) -> Sequence[float]:
        values = {at: max(percentile(some, share), 0.1) for at, some in self.latencies[kind].items() if some}
        return _filled(values, self.slices)


def _filled(values: Mapping[int, float], slices: int) -> Sequence[float]:
    """A value for each slice; where there is none, that of the one before."""
    last = values[min(values)]
    found = []
    for at in range(slices):
        last = values.get(at, last)
        found.append(last)
    return found

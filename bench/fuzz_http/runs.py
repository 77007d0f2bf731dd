"""Runs of many blocks, in process on every core and over HTTP, and what they came to."""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from bench.fuzz_http.blocks import BLOCK, Block, resident, run_block
from bench.fuzz_http.calls import KEYS, Answer, Call
from bench.fuzz_http.inside import App
from bench.fuzz_http.verdict import SLOWEST, Finding, wrong_status
from bench.fuzz_http.wire import Line, encoded, spoilt
from bench.torture.service import serving

OF_NO_HTTP = (501, 503, 505)  # what may be said of what is not HTTP/1.1
SPOILT = 0.2  # of those over HTTP are not even HTTP
GROWTH = 20  # megabytes
WARM = 0.2  # of a run is for warming up

T = TypeVar("T")
_app: App | None = None  # of a process that runs blocks


@dataclass
class Total:
    """All blocks of a run."""

    name: str
    mutants: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)
    slowest: float = 0.0
    slowest_call: str = ""
    memory: dict[int, list[int]] = field(default_factory=dict)  # by process, after each of its blocks

    def add(self, done: Block) -> None:
        """Another block."""
        self.mutants += done.mutants
        self.statuses += done.statuses
        self.memory.setdefault(done.process, []).append(done.memory)
        if done.slowest > self.slowest:
            self.slowest, self.slowest_call = done.slowest, done.slowest_call
        for finding in done.findings:
            if finding.kind not in self.findings:
                self.findings[finding.kind] = finding
                tqdm.write(f"FOUND: {finding}")

    @property
    def growth(self) -> float:
        """The megabytes by which the process that grew most did so after its warm-up."""
        return max((after[-1] - after[int(len(after) * WARM)]) / 1024 for after in self.memory.values())

    @property
    def failed(self) -> bool:
        """Whether anything is not as it must be."""
        return bool(self.findings) or self.growth > GROWTH

    def __str__(self) -> str:
        statuses = ", ".join(f"{status} × {times:,}" for status, times in sorted(self.statuses.items()))
        return (
            f"{self.name}: {self.mutants:,} mutants, {len(self.findings)} findings; slowest {self.slowest:.3f} s (≤ {SLOWEST}); "
            f"memory +{self.growth:.1f} MB (≤ {GROWTH})\n    {statuses}\n    {self.slowest_call}"
        )


def block_inside(job: tuple[int, int]) -> Block:
    """One block in this process, on a store of its own."""
    global _app
    _app = _app or App()
    _app.renew()
    seed, number = job
    return run_block(_app.send, f"--seed {seed}", number, later=_app.later)


def inside(seed: int, numbers: Iterable[int], seconds: float = inf) -> Total:
    """Blocks in process, on all cores, for so many seconds at most."""
    jobs = [(seed, number) for number in numbers]
    total, end = Total("in process"), time.monotonic() + seconds
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        for done in _progress(pool.imap_unordered(block_inside, jobs), len(jobs), total.name):
            total.add(done)
            if time.monotonic() > end:
                break
    return total


def over_http(seed: int, numbers: Iterable[int], seconds: float = inf) -> Total:
    """Blocks sent to a service with two workers, one call after the other, for so many seconds at most; some are spoilt on
    their way."""
    numbers = list(numbers)
    total, end = Total("over HTTP"), time.monotonic() + seconds
    keys = ",".join(f"{name}:{digest.hex()}" for name, digest in KEYS)
    with (
        tempfile.TemporaryDirectory(prefix="cardref-fuzz-") as folder,
        serving(Path(folder), CARDREF_API_KEYS=keys, CARDREF_LIMITS="requests=none,solves=none") as service,
    ):
        line = Line(service.port)
        for number in _progress(numbers, len(numbers), total.name):
            done = run_block(line.send, f"--http-only --seed {seed}", number, int(BLOCK * (1 - SPOILT)))
            _spoil(line, done, seed)
            done.process, done.memory = 0, max(map(resident, service.workers()))
            total.add(done)
            if time.monotonic() > end:
                break
        line.close()
    return total


def _spoil(line: Line, done: Block, seed: int) -> None:
    rng = random.Random(f"spoilt --seed {seed} {done.number}")
    some = (
        Call("GET", "/healthz"),
        Call("GET", "/v1/rules", headers=(("Connection", "close"),)),
        Call("POST", "/v1/rummy/deals", "", (("Content-Type", "application/json"),), {"seats": 2}),
    )
    for _ in range(int(BLOCK * SPOILT)):
        request = spoilt(encoded(rng.choice(some)), rng)
        answer = line.send_spoilt(request)
        done.mutants += 1
        if answer is None:  # closed without a word
            continue
        done.statuses[answer.status] += 1
        if kind := answer.fault or wrong_status(answer, OF_NO_HTTP) or _wrong_kind(answer):
            done.found(kind, Call("(raw)", "", body=request), f"--http-only --seed {seed} --only {done.number}")


def _wrong_kind(answer: Answer) -> str:
    kind = answer.headers.get("content-type", "")
    wanted = "application/problem+json" if answer.status >= 400 else "application/json"
    return "" if kind == wanted else f"{answer.status} of the type {kind!r}"


def _progress(each: Iterable[T], number: int, name: str) -> Iterator[T]:
    return iter(
        tqdm(each, total=number, desc=f"{name}, blocks of {BLOCK}", file=sys.stderr, disable=not sys.stderr.isatty())
    )

"""Blocks of mutants: one world, so many mutants of valid calls in it, and what came of them. The same ones each time."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.fuzz_http.calls import Answer, Call, Send, World, pick
from bench.fuzz_http.minimal import smallest
from bench.fuzz_http.mutants import mutant
from bench.fuzz_http.verdict import SLOWEST, Finding, wrong, wrong_time

BLOCK = 500
SURE = 3  # times that a slow call is sent again: a pause of the machine is not the call's


@dataclass
class Block:
    """What came of one block."""

    number: int
    mutants: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    slowest: float = 0.0
    slowest_call: str = ""
    process: int = 0
    memory: int = 0  # kilobytes of this process afterwards

    def found(self, kind: str, call: Call, place: str) -> None:
        """Note a finding, the first of its kind."""
        if all(finding.kind != kind for finding in self.findings):
            self.findings.append(Finding(kind, call, place))


def run_block(
    send: Send, name: str, number: int, mutants: int = BLOCK, later: Callable[[float], object] | None = None
) -> Block:
    """Make a world and send mutants to it. `name` says how to run the block again, and is its randomness."""
    rng = random.Random(f"fuzz-http {name} {number}")
    done = Block(number)
    world = World(send, rng, later or (lambda seconds: None))
    for at in range(mutants):
        call = mutant(world.valid(pick(rng)), rng, world)
        place = f"{name} --only {number}, mutant {at}"
        answer = send(call)
        done.mutants += 1
        done.statuses[answer.status] += 1
        if answer.seconds > done.slowest:
            done.slowest, done.slowest_call = answer.seconds, str(Finding("the slowest", call, place))
        if kind := _judged(send, call, answer):
            done.found(kind, _smallest(send, call, kind), place)
    done.process, done.memory = os.getpid(), resident(os.getpid())
    return done


def _smallest(send: Send, call: Call, kind: str) -> Call:
    return smallest(call, lambda smaller: _judged(send, smaller, send(smaller)) == kind)


def _judged(send: Send, call: Call, answer: Answer) -> str:
    """What is wrong with an answer, where time is not held against it if the same call is quicker another time."""
    kind = wrong(call, answer)
    if kind and kind == wrong_time(answer) and min(send(call).seconds for _ in range(SURE)) <= SLOWEST:
        return ""
    return kind


def resident(process: int) -> int:
    """The kilobytes of memory that a process has."""
    with open(f"/proc/{process}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

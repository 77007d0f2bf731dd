"""Hands that are solved where they are asked for (service/solving/pace.py): they let others go first."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from types import SimpleNamespace

import pytest

from service.process import native
from service.solving import pace
from service.solving.pace import Pace

IN_A_WORKER = """
from service.process import native
native.patch()
import gevent, socket, time
from service.solving.pace import SLICE_SECONDS, Pace

caller, called = socket.socketpair()
paced, order = Pace(), []

def slow(number):
    if number == 0:
        caller.send(b"x")
    until = time.perf_counter() + 2 * SLICE_SECONDS
    while time.perf_counter() < until:
        pass
    order.append(f"slow {number}")

def cheap():
    called.recv(1)
    order.append("cheap")

gevent.joinall([gevent.spawn(cheap), *(gevent.spawn(paced.solve, slow, number) for number in range(4))])
print(*order, sep=", ")
"""


def test_only_who_comes_after_a_slice_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(pace, "SLICE_SECONDS", 2)
    monkeypatch.setattr(pace, "time", SimpleNamespace(perf_counter=lambda: next(clock)))  # half a slice each
    done: list[int] = []
    gave: list[int] = []
    monkeypatch.setattr(native, "give_way", lambda: gave.append(len(done)))
    paced = Pace()
    for number in range(6):
        paced.solve(done.append, number)
    assert done == [0, 1, 2, 3, 4, 5]
    assert gave == [2, 4]


def test_what_is_raised_goes_through_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    gave: list[bool] = []
    monkeypatch.setattr(native, "give_way", lambda: gave.append(True))
    monkeypatch.setattr(pace, "SLICE_SECONDS", 0.0)
    paced = Pace()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            paced.solve(divmod, 1, 0)
    assert gave == [True] * 2


def test_in_a_worker_a_cheap_call_goes_before_the_second_slow_hand() -> None:
    ran = subprocess.run([sys.executable, "-c", IN_A_WORKER], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "slow 0, cheap, slow 1, slow 2, slow 3\n"

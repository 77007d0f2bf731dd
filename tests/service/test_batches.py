"""Long batches are solved in processes of their own: the same answers, whatever happens to the processes."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.hands import hands
from engine.rummy.rules import HOUSE, INDIAN
from service import create_app
from service.batches import Solvers
from service.config import Settings
from service.use_cases import rummy
from service.use_cases.rummy import groupings
from tests.service.calls import HAND, refused

ROOT = Path(__file__).parents[2]
HANDS = [dealt.hand for dealt in hands("near", 150)]


@pytest.fixture(scope="module")
def solvers():
    return Solvers(2, places=1)


@pytest.mark.parametrize("rules", [HOUSE, INDIAN], ids=["house", "indian"])
@pytest.mark.parametrize("count", [0, 1, 59, 60, 61, 150])
def test_the_answers_are_those_of_one_hand_at_a_time_in_order(solvers, rules, count):
    some = HANDS[:count]
    assert solvers.each(groupings, some, "7", rules, "auto") == [
        groupings([hand], "7", rules, "auto")[0] for hand in some
    ]


def test_a_batch_outlives_its_processes(solvers):
    expected = groupings(HANDS, "7", HOUSE, "auto")
    assert solvers.each(groupings, HANDS, "7", HOUSE, "auto") == expected
    for pid in list(solvers._pool._processes):
        os.kill(pid, signal.SIGKILL)
    for _ in range(2):  # solved here, then by new processes
        assert solvers.each(groupings, HANDS, "7", HOUSE, "auto") == expected
    assert solvers.each(groupings, HANDS, "7", HOUSE, "auto") == expected
    assert solvers._pool is not None


def test_with_one_process_there_are_no_others():
    alone = Solvers(1, places=1)
    alone.each(groupings, HANDS, "7", HOUSE, "auto")
    assert alone._pool is None


def test_long_batches_leave_threads_for_other_calls(monkeypatch):
    """One more than may is refused at once, and taken again as soon as there is a place; short ones are never refused."""
    begun, go_on = threading.Event(), threading.Event()

    def solve(hands, *_):
        if len(hands) == 60:
            begun.set()
            assert go_on.wait(20)
        return list(hands)

    monkeypatch.setattr(rummy, "groupings", solve)
    app = create_app(Settings(threads=4, solvers=1))

    def post(count):
        body = {"hands": [HAND] * count, "wild_rank": "7"}
        return app.test_client().post("/v1/rummy/groupings/batch", json=body)

    solvers = app.config["SOLVERS"]
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(solvers.each, solve, HANDS[:60])
        assert begun.wait(20)
        answer = post(60)
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["Retry-After"]) > 0
        assert solvers.each(solve, HANDS[:59]) == HANDS[:59]
        go_on.set()
        assert first.result() == HANDS[:60]
    assert solvers.each(solve, HANDS[:60]) == HANDS[:60]


def test_they_end_with_the_process_that_asked_even_if_it_is_killed():
    asking = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent("""
                import time
                from tests.service.test_batches import HANDS, HOUSE, Solvers, groupings
                if __name__ == "__main__":
                    solvers = Solvers(2, places=1)
                    solvers.each(groupings, HANDS, "7", HOUSE, "auto")
                    print(*solvers._pool._processes, flush=True)
                    time.sleep(60)
            """),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    pids = [int(word) for word in asking.stdout.readline().split()]
    asking.kill()
    asking.wait()
    asking.stdout.close()
    assert pids
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < until, f"still running: {pids}"
        time.sleep(0.05)

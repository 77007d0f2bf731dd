"""Long batches are solved in processes of their own: the same answers, whatever happens to the processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.hands import hands
from engine.cards import Card
from engine.options import resolve
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from service import create_app
from service.config import Settings
from service.http import context
from service.solving import batches
from service.solving.admission import Asker, Gone
from service.solving.batches import QUICK, Solvers
from service.use_cases.rummy import groupings
from solver.limits import LIMITS
from tests.service.calls import HAND, refused

ROOT = Path(__file__).parents[2]
SLOW_HANDS = json.loads((ROOT / "tests/cases/slow-hands.json").read_text())
HANDS = [dealt.hand for dealt in hands("near", 150)]


@pytest.fixture(scope="module")
def solvers():
    return Solvers(2, places=2)


@pytest.mark.parametrize("rules", [HOUSE, INDIAN], ids=["house", "indian"])
@pytest.mark.parametrize("count", [0, 1, 59, 60, 61, 150])
def test_the_answers_are_those_of_one_hand_at_a_time_in_order(solvers, rules, count):
    some = HANDS[:count]
    assert solvers.each(groupings, some, "7", rules, method="auto") == [
        groupings([hand], "7", rules, "auto")[0] for hand in some
    ]


def test_a_batch_outlives_its_processes(solvers):
    expected = groupings(HANDS, "7", HOUSE, "auto")
    assert solvers.each(groupings, HANDS, "7", HOUSE, method="auto") == expected
    for pid in list(solvers._pool._processes):
        os.kill(pid, signal.SIGKILL)
    for _ in range(2):  # solved here, then by new processes
        assert solvers.each(groupings, HANDS, "7", HOUSE, method="auto") == expected
    assert solvers.each(groupings, HANDS, "7", HOUSE, method="auto") == expected
    assert solvers._pool is not None


def test_with_one_process_there_are_no_others():
    alone = Solvers(1, places=2)
    alone.each(groupings, HANDS, "7", HOUSE, method="auto")
    assert alone._pool is None


def test_a_list_for_which_there_is_no_place_is_refused():
    """Until there is one again. What is done in a moment is never refused."""
    begun, go_on = threading.Event(), threading.Event()

    def solve(hands, *_):
        begun.set()
        assert go_on.wait(20)
        return list(hands)

    app = create_app(Settings(solvers=1))
    app.config["SOLVERS"] = Solvers(1, places=2)

    def post(count):
        body = {"hands": [HAND] * count, "wild_rank": "7"}
        return app.test_client().post("/v1/rummy/groupings/batch", json=body)

    solvers, here = app.config["SOLVERS"], Asker(("many", "127.0.0.1"), lambda: False)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(solvers.each, solve, HANDS[:8], method="auto", asker=here)
        assert begun.wait(20)
        answer = post(8)
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["Retry-After"]) > 0
        assert post(7).status_code == 200
        go_on.set()
        assert first.result() == HANDS[:8]
    assert post(60).status_code == 200


def test_hands_that_take_long_are_solved_where_they_hold_nobody_up(solvers):
    row = next(row for row in SLOW_HANDS if row["id"] == "slow-any-14-first")
    hand, rules = tuple(map(Card, row["hand"])), resolve(RummyRules, row["rules"])
    few = (hand, HANDS[0])
    quick, found = (groupings(few, "A", rules, "auto", limits) for limits in (QUICK["auto"], LIMITS))
    assert [one.optimal for one in quick] == [False, True]
    assert solvers.each(groupings, few, "A", rules, method="auto") == found


@pytest.mark.parametrize("processes", [1, 2])
def test_the_hands_of_a_list_together_cost_a_bounded_amount(monkeypatch, processes):
    monkeypatch.setattr(batches, "STATES", 400)
    monkeypatch.setattr(batches, "DETERMINISTIC_TIME", 0.0)
    found = Solvers(processes, places=2).each(groupings, HANDS, "7", HOUSE, method="auto")
    assert not all(one.optimal for one in found)
    assert [one.json for one in found if one.optimal] == [
        wanted.json for one, wanted in zip(found, groupings(HANDS, "7", HOUSE, "auto"), strict=True) if one.optimal
    ]


@pytest.mark.parametrize("processes", [1, 2])
def test_work_ends_when_its_caller_has_gone(processes):
    begun = []

    def gone():
        begun.append(1)
        return len(begun) > 2

    solvers = Solvers(processes, places=2)
    with pytest.raises(Gone):
        solvers.each(groupings, HANDS * 4, "7", HOUSE, method="auto", asker=Asker("who", gone))
    assert len(begun) == 3
    expected = groupings(HANDS[:20], "7", HOUSE, "auto")
    assert solvers.each(groupings, HANDS[:20], "7", HOUSE, method="auto") == expected


def test_a_caller_who_hung_up_is_seen():
    ours, theirs = socket.socketpair()
    app = create_app(Settings())
    with ours, app.test_request_context(environ_base={"gunicorn.socket": ours}):
        who = context.asker("many")
        assert not who.gone()
        theirs.sendall(b"the next request")
        assert not who.gone()
        ours.recv(100)
        theirs.close()
        assert who.gone()
    with app.test_request_context():
        assert not context.asker("many").gone()


def test_they_end_with_the_process_that_asked_even_if_it_is_killed():
    asking = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent("""
                import time
                from tests.service.test_batches import HANDS, HOUSE, Solvers, groupings
                if __name__ == "__main__":
                    solvers = Solvers(2, places=2)
                    solvers.each(groupings, HANDS, "7", HOUSE, method="auto")
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

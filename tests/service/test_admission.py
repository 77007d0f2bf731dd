"""Long work: a place for each caller, turns by what each has had, and an end when nobody waits for it."""

import threading

import pytest

from engine.errors import Undecided
from service.problems.refusals import Refusal
from service.solving.admission import Admission, Asker, Gone


def asker(flow):
    return Asker(flow, lambda: False)


def test_one_caller_gets_half_of_the_places_and_others_find_room():
    admission = Admission(1, places=8)
    taken = {"a": 0, "b": 0, "c": 0}
    held = []

    def enter(flow):
        place = admission.place(flow)
        place.__enter__()
        held.append(place)
        taken[flow] += 1

    for flow in taken:
        with pytest.raises(Refusal) as refused:  # noqa: PT012
            while True:
                enter(flow)
        assert refused.value.problem.code == "rate_limited"
    assert taken == {"a": 4, "b": 2, "c": 1}
    for place in held:
        place.__exit__(None, None, None)
    assert not admission._held
    assert not admission._started
    assert admission._free == 8


def test_turns_go_to_who_has_had_the_least():
    admission = Admission(1, places=8)
    admission.wait(asker("first"), 1)
    order, waiting = [], []

    def take(flow, weight):
        admission.wait(asker(flow), weight)
        order.append(flow)
        admission.done()

    for flow, weight in [("greedy", 100)] * 3 + [("modest", 1)] * 2:
        thread = threading.Thread(target=take, args=(flow, weight))
        thread.start()
        waiting.append(thread)
        while len(admission._line) < len(waiting):
            thread.join(0.001)
    admission.done()
    for thread in waiting:
        thread.join(10)
    assert order == ["greedy", "modest", "modest", "greedy", "greedy"]


@pytest.mark.parametrize("waits", [False, True])
def test_who_has_gone_gets_no_turn_and_keeps_none(waits):
    admission = Admission(1, places=2)
    if waits:
        admission.wait(asker("busy"), 1)
    with pytest.raises(Gone):
        admission.wait(Asker("gone", lambda: True), 1)
    if waits:
        admission.done()
    admission.wait(asker("next"), 1)
    admission.done()
    assert admission._turns == 1


def test_an_ending_process_waits_for_a_while_only(monkeypatch):
    ending = threading.Event()
    admission = Admission(1, places=2, ending=ending)
    ending.set()
    admission.look(asker("who"))
    monkeypatch.setattr(admission, "_last", 1e-9)
    with pytest.raises(Undecided):
        admission.look(asker("who"))

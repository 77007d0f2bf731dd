"""Turns that run out (hosted.md, Time), by a clock that the test turns; once by a real one."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest

from engine.errors import Undecided
from service.solving.solver import Solver
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, SEED, Clock, Service, Table


@pytest.fixture
def table(here: Service) -> Table:
    return here.create("rummy", 3, seed=SEED, starter=0, turn_seconds=60)


@pytest.fixture
def clock(clocked: Clock) -> Clock:
    return clocked


def time_out(table: Table, **more: Any) -> Any:
    return table.app.post(f"{table.path}/timeouts", match=table.version(), **more)


def due(answer: Any) -> float:
    return datetime.fromisoformat(answer["deadline"]).timestamp()


def test_a_turn_is_taken_once_its_time_is_over(table: Table, clock: Clock) -> None:
    clock.pass_seconds(59)
    problem = refused(time_out(table), 409, "not_due")
    assert problem["deadline"] == table.created["deadline"]
    clock.pass_seconds(2)
    answer = time_out(table)
    assert answer.status_code == 201
    assert answer.json["version"] == 2
    assert answer.json["events"] == [
        {"type": "timed_out", "seat": 0},
        {"type": "drew", "seat": 0, "from": "stock", "card": None},
        {"type": "discarded", "seat": 0, "card": answer.json["view"]["discard"][-1]},
    ]
    assert answer.json["view"]["viewer"] is None
    assert answer.json["view"]["turn"] == 1
    events = table.app.get(f"{table.path}/events?after=1&seat=0").json["events"]
    assert {event["by"] for event in events} == {"timeout"}
    assert {event["version"] for event in events} == {2}
    assert events[1]["card"] == events[2]["card"]
    assert table.app.get(table.path).json["misses"] == [1, 0, 0]


def test_it_is_the_apps_call_and_takes_no_body(table: Table, clock: Clock) -> None:
    clock.pass_seconds(61)
    for caller in (*table.seats, table.spectator):
        refused(caller.post(f"{table.path}/timeouts", match=1), 403, "forbidden")
    refused(table.app.post(f"{table.path}/timeouts", {"seat": 0}, match=1), 422, "invalid_request", "/seat")
    assert table.app.post(f"{table.path}/timeouts", {}, match=1).status_code == 201


def test_a_repeat_takes_no_second_turn(table: Table, clock: Clock) -> None:
    clock.pass_seconds(61)
    first = time_out(table, key="k")
    clock.pass_seconds(61)
    assert time_out(table, key="k").data == first.data
    assert table.version() == 2


def test_a_late_move_stands(table: Table, clock: Clock) -> None:
    clock.pass_seconds(3600)
    assert table.move(DRAW).status_code == 201


def test_a_new_turn_has_new_time_and_a_move_within_a_turn_none(table: Table, clock: Clock) -> None:
    clock.pass_seconds(40)
    drawn = table.move(DRAW).json
    assert drawn["deadline"] == table.created["deadline"]
    clock.pass_seconds(5)
    card = table.state()["seats"][0]["hand"][0]
    discarded = table.move({"type": "discard", "card": card}).json
    assert 44 < due(discarded) - due(table.created) < 47
    forfeit = table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "forfeit", "seat": 2}}, match=3)
    assert forfeit.json["deadline"] == discarded["deadline"]


def test_the_turn_is_finished_where_it_stands(table: Table, clock: Clock) -> None:
    drawn = table.move(DRAW).json["events"][0]["card"]
    clock.pass_seconds(61)
    answer = time_out(table)
    assert [event["type"] for event in answer.json["events"]] == ["timed_out", "discarded"]
    assert answer.json["events"][1]["card"] == drawn


def test_a_card_from_the_pile_costs_no_group(here: Service, clock: Clock) -> None:
    """Three aces stay, and 37 points with them; without an ace it were 67."""
    table = here.create("rummy", 2, seed="0" * 63 + "2", starter=0, turn_seconds=1)
    assert table.move({"type": "draw", "from": "discard"}).json["events"][0]["card"] == "9S"
    clock.pass_seconds(2)
    answer = time_out(table)
    assert answer.json["events"][1] == {"type": "discarded", "seat": 0, "card": "TH"}
    state = table.state()
    asked = {"hand": state["seats"][0]["hand"], "wild_rank": state["wild_rank"]}
    assert table.app.post("/v1/rummy/groupings", asked).json["points"] == 37


def test_what_cannot_be_decided_takes_no_turn(here: Service, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    table = here.create("rummy", 2, seed="0" * 63 + "2", starter=0, turn_seconds=1)
    table.move({"type": "draw", "from": "discard"})
    clock.pass_seconds(2)
    before = table.state()

    def undecided(*_: Any, **__: Any) -> Any:
        raise Undecided("the fewest points of a hand")

    with monkeypatch.context() as patched:
        patched.setattr(Solver, "best", undecided)
        refused(time_out(table, key="k"), 503, "undecided")
    assert table.state() == before
    assert table.app.get(table.path).json["misses"] == [0, 0]
    assert time_out(table, key="k").json["version"] == 3


def test_no_limit_no_deadline(here: Service, clock: Clock) -> None:
    table = here.create()
    clock.pass_seconds(3600)
    assert refused(time_out(table), 409, "not_due")["deadline"] is None


def test_between_rounds_nobody_is_late(here: Service, clock: Clock) -> None:
    table = here.create(seed=SEED, starter=0, turn_seconds=60)
    over = table.move({"type": "pack"})
    assert over.json["deadline"] is None
    clock.pass_seconds(61)
    refused(time_out(table), 409, "not_due")
    dealt = table.app.post(f"{table.path}/rounds", match=2)
    assert due(dealt.json) > due(table.created) + 60


def test_misses_in_a_row_forfeit(here: Service, clock: Clock) -> None:
    table = here.create("rummy", 3, seed=SEED, starter=0, turn_seconds=60, miss_limit=2)

    def turn_of_others() -> None:
        for _ in range(2):
            card = table.move(DRAW).json["events"][0]["card"]
            assert table.move({"type": "discard", "card": card}).status_code == 201

    clock.pass_seconds(61)
    assert time_out(table).status_code == 201
    turn_of_others()
    clock.pass_seconds(61)
    answer = time_out(table)
    assert [event["type"] for event in answer.json["events"]][:2] == ["timed_out", "forfeited"]
    assert answer.json["view"]["seats"][0]["status"] == "packed_later"
    assert answer.json["view"]["turn"] == 1
    assert table.app.get(table.path).json["misses"] == [2, 0, 0]


def test_a_move_of_its_own_ends_the_row(here: Service, clock: Clock) -> None:
    table = here.create(seed=SEED, starter=0, turn_seconds=60, miss_limit=2)
    for late in (True, False, True):
        for seat in (0, 1):
            if seat == 0 and late:
                clock.pass_seconds(61)
                answer = time_out(table)
            else:
                card = table.move(DRAW).json["events"][0]["card"]
                answer = table.move({"type": "discard", "card": card})
            assert answer.status_code == 201
            assert "forfeited" not in {event["type"] for event in answer.json["events"]}
    assert table.app.get(table.path).json["misses"] == [1, 0]


def test_a_forfeit_that_ends_the_round(here: Service, clock: Clock) -> None:
    table = here.create(seed=SEED, starter=0, turn_seconds=60, miss_limit=1, rules={"rounds": 1})
    clock.pass_seconds(61)
    answer = time_out(table)
    assert [event["type"] for event in answer.json["events"]] == [
        "timed_out",
        "forfeited",
        "round_scored",
        "match_over",
    ]
    assert answer.json["outcome"]["winners"] == [1]
    assert answer.json["deadline"] is None


def test_swoop_plays_on_until_the_turn_passes(here: Service, clock: Clock) -> None:
    """Among a hundred late turns there are some of several moves, each one version."""
    longest = 0
    table = here.create("swoop", 2, seed=SEED, starter=0, turn_seconds=1)
    for _ in range(100):
        state = table.state()
        if state["phase"] != "play":
            break
        clock.pass_seconds(2)
        answer = time_out(table)
        kinds = [event["type"] for event in answer.json["events"]]
        assert kinds[0] == "timed_out"
        assert kinds.count("timed_out") == 1
        view = answer.json["view"]
        assert view["turn"] != state["turn"] or view["phase"] != "play"
        longest = max(longest, kinds.count("played"))
    assert longest > 1


def test_by_the_stores_own_clock(service: Service) -> None:
    table = service.create(seed=SEED, starter=0, turn_seconds=1)
    refused(time_out(table), 409, "not_due")
    time.sleep(1.1)
    assert time_out(table).status_code == 201

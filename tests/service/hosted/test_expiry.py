"""Games end by themselves: 410 for the owner, 404 for the others, then 404 for all (operations.md, How long things live)."""

from __future__ import annotations

from threading import Timer

from service.stores.lifetimes import DAY, HOUR, SECOND
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, SEED, Clock, Service, Table


def _is_gone(table: Table) -> None:
    refused(table.app.get(table.path), 410, "expired")
    refused(table.app.post(f"{table.path}/moves", {"seat": 0, "move": DRAW}, match=1), 410, "expired")
    refused(table.app.delete(table.path), 410, "expired")
    for stranger in (table.service.other, table.seats[0], table.spectator):
        refused(stranger.get(table.path), 404, "not_found")
        refused(stranger.post(f"{table.path}/moves", {"move": DRAW}, match=1), 404, "not_found")
    refused(table.service.as_(None).get(table.path), 401, "unauthenticated")
    assert table.app.get("/v1/games").json["games"] == []


def test_a_live_game_lives_a_day_from_its_last_change(here: Service, clocked: Clock) -> None:
    table = here.create(seed=SEED, starter=0)
    clocked.pass_seconds(23 * HOUR // SECOND)
    assert table.move(DRAW).status_code == 201
    clocked.pass_seconds(23 * HOUR // SECOND)
    assert table.app.get(table.path).status_code == 200
    clocked.pass_seconds(HOUR // SECOND + 1)
    _is_gone(table)
    clocked.pass_seconds(7 * DAY // SECOND)
    refused(table.app.get(table.path), 404, "not_found")


def test_a_match_that_is_over_lives_a_week(here: Service, clocked: Clock) -> None:
    table = here.create(seed=SEED, starter=0)
    table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=1)
    clocked.pass_seconds(7 * DAY // SECOND - 10)
    assert table.app.get(f"{table.path}/record").status_code == 200
    clocked.pass_seconds(20)
    _is_gone(table)


def test_keys_are_forgotten_after_a_day(here: Service, clocked: Clock) -> None:
    table = here.create(seed=SEED, starter=0)
    first = table.move(DRAW, key="k")
    clocked.pass_seconds(23 * HOUR // SECOND)
    assert table.move(DRAW, key="k").data == first.data
    table.move({"type": "discard", "card": first.json["events"][0]["card"]})
    clocked.pass_seconds(2 * HOUR // SECOND)
    refused(table.seats[0].post(f"{table.path}/moves", {"move": DRAW}, key="k", match=1), 412, "stale_version")


def test_a_game_that_ends_while_its_caller_waits(here: Service, clocked: Clock) -> None:
    for who, status, code in (("app", 410, "expired"), ("seat", 404, "not_found")):
        table = here.create(seed=SEED, starter=0)
        caller = table.app if who == "app" else table.seats[0]
        day = Timer(0.2, clocked.pass_seconds, [DAY // SECOND + 1])
        day.start()
        refused(caller.get(f"{table.path}/events?after=1&wait=1"), status, code)
        day.join()

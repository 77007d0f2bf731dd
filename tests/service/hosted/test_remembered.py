"""Moves on a game that the process remembers: a success needs no other look at the store, a refusal always takes one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from service.hosted.table import Table as Stored
from service.hosted.table import read_table, write_table
from service.stores.contract import Change, GameStore, Request
from service.stores.lifetimes import Lifetimes
from service.stores.redis_store import RedisStore
from service.stores.sqlite_store import SqliteStore
from tests.service.hosted.tables import DRAW, SEED, Caller, Clock, Service, Table
from tests.service.hosted.test_running import counted


@dataclass
class Loads:
    """How often the store was asked for a whole game."""

    count: int = 0


@pytest.fixture
def loads(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> Loads:
    found, load = Loads(), store.load

    def counting(*asked: Any) -> Any:
        found.count += 1
        return load(*asked)

    monkeypatch.setattr(store, "load", counting)
    return found


@pytest.fixture
def elsewhere(store: GameStore, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    """The service in another process, on the same games."""
    other: GameStore
    if isinstance(store, RedisStore):
        url = request.getfixturevalue("redis_url")
        other = RedisStore(url, lifetimes=Lifetimes(), prefix=store._prefix)
    else:
        other = SqliteStore(tmp_path / "games.sqlite3", lifetimes=Lifetimes())
    yield Service(other)
    other.close()


def at_table(service: Service, table: Table) -> Table:
    """The same game, asked about at another service."""
    return Table(service, table.created)


def remembered(service: Service, **more: Any) -> Table:
    """A game with seat 0 to draw, which the process has looked at."""
    table = service.create(seed=SEED, starter=0, **more)
    assert table.version() == 1
    return table


def send(caller: Caller, table: Table, move: Any, version: int, key: str | None = None, seat: int | None = None) -> Any:
    """A move and no other call: a look at the game would refresh what is remembered."""
    return caller.post(f"{table.path}/moves", {"seat": seat, "move": move}, match=version, key=key)


def discard(answer: Any) -> dict[str, str]:
    return {"type": "discard", "card": answer.json["events"][-1]["card"]}


def test_a_success_takes_no_other_look(service: Service, loads: Loads) -> None:
    table = remembered(service)
    loads.count = 0
    for version in range(1, 20, 2):
        seat = version // 2 % 2
        caller = table.app if version > 8 else table.seats[seat]
        drawn = send(caller, table, DRAW, version, seat=seat)
        assert (drawn.status_code, drawn.json["version"]) == (201, version + 1)
        left = send(caller, table, discard(drawn), version + 1, seat=seat)
        assert (left.status_code, left.json["version"]) == (201, version + 2)
    assert loads.count == 0
    assert left.json["view"] == table.app.get(f"{table.path}?seat={seat}").json["view"]


def test_the_whole_is_as_without_a_memory(
    service: Service, elsewhere: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same moves answered the same, byte for byte, by a process that remembers and by one that does not."""
    monkeypatch.setattr(elsewhere.store, "remembered", lambda id: None)
    first = remembered(service)
    second = Table(elsewhere, elsewhere.create(seed=SEED, starter=0).created)
    for version in range(1, 40, 2):
        answers = []
        for table in (first, second):
            seat = (version // 2) % 2
            drawn = send(table.seats[seat], table, DRAW, version)
            left = send(table.seats[seat], table, discard(drawn), version + 1)
            answers.append((drawn.data, left.data, drawn.status_code, left.status_code))
        assert answers[0] == answers[1]
    assert first.state() == second.state()


@pytest.mark.parametrize("by_app", [False, True])
def test_what_happened_elsewhere_is_found_out(service: Service, elsewhere: Service, loads: Loads, by_app: bool) -> None:
    table = remembered(service)
    there = at_table(elsewhere, table)
    caller = table.app if by_app else table.seats[0]
    drawn = send(there.seats[0], there, DRAW, 1)
    late = send(caller, table, DRAW, 1, seat=0)
    assert (late.status_code, late.json["code"], late.json["version"]) == (412, "stale_version", 2)
    left = send(there.seats[0], there, discard(drawn), 2)
    assert left.status_code == 201
    for match in (1, 2):
        late = send(caller, table, DRAW, match, seat=0)
        assert (late.status_code, late.json["version"]) == (412, 3)
    wrong = send(caller, table, DRAW, 3, seat=0)
    assert (wrong.status_code, wrong.json["code"]) == (409, "not_your_turn")
    at = send(table.seats[1], table, DRAW, 3)
    assert (at.status_code, at.json["version"]) == (201, 4)


@pytest.mark.parametrize(
    "move", [DRAW, {"type": "discard", "card": "XX"}, {"type": "declare"}, {"type": "pack", "x": 1}]
)
def test_a_game_that_is_gone_is_gone_whatever_is_sent(service: Service, elsewhere: Service, move: Any) -> None:
    table = remembered(service)
    assert elsewhere.shop.delete(table.path).status_code == 204
    for caller in (table.seats[0], table.app):
        answer = send(caller, table, move, 1, seat=0)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    assert table.seats[0].call("POST", f"{table.path}/moves", {"no": "move"}, match=1).status_code == 404


def test_a_replaced_token_is_worth_nothing_though_it_is_remembered(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    first = send(table.seats[0], table, DRAW, 1, "k")
    assert first.status_code == 201
    assert elsewhere.shop.post(f"{table.path}/seats/0/token").status_code == 201
    for move, match, key in ((discard(first), 2, None), (DRAW, 1, "k"), (discard(first), 2, "k"), (DRAW, 9, None)):
        answer = send(table.seats[0], table, move, match, key)
        assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert table.version() == 2


def test_an_expired_game_is_so_by_the_stores_clock(here: Service, clocked: Clock) -> None:
    table = remembered(here)
    clocked.pass_seconds(24 * 3600 + 1)
    assert send(table.app, table, DRAW, 1, seat=0).status_code == 410
    assert send(table.seats[0], table, DRAW, 1).status_code == 404


def test_a_repeat_is_answered_as_the_first_time(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    there = at_table(elsewhere, table)
    first = send(there.seats[0], there, DRAW, 1, "k")
    again = send(table.seats[0], table, DRAW, 1, "k")
    assert (again.status_code, again.data, again.headers["Idempotent-Replayed"]) == (201, first.data, "true")
    other = send(table.seats[0], table, {"type": "draw", "from": "discard"}, 1, "k")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")


def test_a_version_that_was_lost_and_made_anew_is_played_on_as_it_is(service: Service, elsewhere: Service) -> None:
    """After a fail-over the store may hold another state under the version that is remembered here."""
    table = remembered(service)
    drawn = send(table.seats[0], table, DRAW, 1)
    kept = elsewhere.store.load(table.id)
    state = read_table("rummy", kept.blob).state
    twin = replace(state, stock=state.stock[::-1])
    if isinstance(service.store, RedisStore):
        blob = write_table(Stored(read_table("rummy", kept.blob).game, twin, (0, 0)))
        service.store._redis.command("HSET", service.store._keys(table.id)[0], "blob", blob)
    else:
        assert isinstance(service.store, SqliteStore)
        blob = write_table(Stored(read_table("rummy", kept.blob).game, twin, (0, 0)))
        with service.store._file.writing() as db:
            db.execute("UPDATE games SET blob = ? WHERE id = ?", [blob, table.id])
    left = send(table.seats[0], table, discard(drawn), 2)
    assert (left.status_code, left.json["version"]) == (201, 3)
    assert table.state()["stock"] == list(twin.stock)


def test_a_game_with_a_clock_is_always_looked_at(service: Service, loads: Loads) -> None:
    """Its deadlines begin when the store says it is."""
    table = remembered(service, turn_seconds=30)
    before, loads.count = service.store.now(), 0
    drawn = send(table.seats[0], table, DRAW, 1)
    assert (drawn.status_code, loads.count) == (201, 1)
    send(table.seats[0], table, discard(drawn), 2)
    deadline = service.store.load(table.id).deadline
    assert deadline is not None
    assert before + 30_000 <= deadline <= service.store.now() + 30_000


def test_each_move_is_counted_once(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    there = at_table(elsewhere, table)
    before = counted(service)
    assert send(table.seats[1], table, DRAW, 1).status_code == 409
    assert send(there.seats[0], there, DRAW, 1).status_code == 201
    assert send(table.seats[0], table, DRAW, 1).status_code == 412
    grown = {name: value - before.get(name, 0) for name, value in counted(service).items()}
    assert {name[1]: value for name, value in grown.items() if value} == {"illegal": 1, "made": 1, "stale_version": 1}


def test_a_stored_change_by_another_release_is_no_success(service: Service, elsewhere: Service) -> None:
    """A commit without what was seen, as a release before this one makes it, is a change like any other."""
    table = remembered(service)
    kept = elsewhere.store.load(table.id)
    elsewhere.store.commit(table.id, 1, Change(kept.blob, b"[]", "live"), Request.fresh(), b"")
    assert send(table.seats[0], table, DRAW, 1).status_code == 412
    assert send(table.seats[0], table, DRAW, 2).status_code == 201


def test_a_token_that_is_replaced_while_a_move_is_decided(
    service: Service, elsewhere: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is decided anew, and refused as whoever has lost its token is; not by a version that has not changed."""
    table = service.create(seed=SEED, starter=0)
    load = service.store.load
    replaced: list[int] = []

    def and_then_replace(*asked: Any) -> Any:
        game = load(*asked)
        if not replaced:
            replaced.append(elsewhere.shop.post(f"{table.path}/seats/0/token").status_code)
        return game

    monkeypatch.setattr(service.store, "load", and_then_replace)
    answer = send(table.seats[0], table, DRAW, 1)
    assert replaced == [201]
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert elsewhere.store.load(table.id).version == 1


def test_a_game_that_came_in_the_place_of_the_remembered_one(service: Service, elsewhere: Service) -> None:
    """Made again with the key and the seed of one that the store has lost: the same id, version and cards."""
    asked = {"game": "rummy", "seats": ["a", "b"], "seed": SEED, "starter": 0}
    first = Table(service, service.shop.post("/v1/games", asked, key="nightly").json)
    assert first.version() == 1
    lose(service, first.id)
    clocked = {**asked, "turn_seconds": 60}
    second = Table(elsewhere, elsewhere.shop.post("/v1/games", clocked, key="nightly").json)
    assert second.id == first.id
    drawn = send(first.app, first, DRAW, 1, seat=0)
    assert drawn.status_code == 201
    assert drawn.json["deadline"] is not None
    assert elsewhere.store.load(first.id).deadline is not None


def lose(service: Service, id: str) -> None:
    """The store forgets a game and everything about it."""
    if isinstance(service.store, RedisStore):
        service.store._redis.command("DEL", *service.store._keys(id))
    else:
        assert isinstance(service.store, SqliteStore)
        with service.store._file.writing() as db:
            db.execute("DELETE FROM games WHERE id = ?", [id])


# The log ---------------------------------------------------------------------------------------------------------------


def events_of(answer: Any) -> list[Any]:
    """What happened, without when and by whom."""
    told = ("type", "seat", "from", "card")
    return [{name: event[name] for name in told} for event in answer.json["events"]]


def test_the_log_takes_no_other_look(service: Service, loads: Loads) -> None:
    table = remembered(service)
    drawn = send(table.seats[0], table, DRAW, 1)
    loads.count = 0
    for caller in (table.app, table.seats[0], table.spectator):
        assert caller.get(f"{table.path}/events?after=1").json["version"] == 2
    assert loads.count == 0
    assert events_of(table.seats[0].get(f"{table.path}/events?after=1")) == events_of(drawn)
    for seat in ("9", "referee"):
        assert table.seats[0].get(f"{table.path}/events?after=1&seat={seat}").status_code == 403
    assert table.app.get(f"{table.path}/events?after=1&seat=9").status_code == 422


def test_the_log_is_read_to_its_end_wherever_it_was_written(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    there = at_table(elsewhere, table)
    drawn = send(there.seats[0], there, DRAW, 1)
    both = "include=view,legal_moves"
    bodies = [caller.get(f"{table.path}/events?after=1&{both}").json for caller in (table.seats[0], there.seats[0])]
    assert bodies[0] == bodies[1]
    assert events_of(table.seats[0].get(f"{table.path}/events?after=1&{both}")) == events_of(drawn)
    assert bodies[0]["view"]["plies"] == 1


def test_the_log_of_a_game_is_for_those_who_may_know_of_it(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    assert elsewhere.shop.post(f"{table.path}/seats/0/token").status_code == 201
    for query in ("after=0", "after=1&wait=20"):
        answer = table.seats[0].get(f"{table.path}/events?{query}")
        assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
        for stranger in (service.other, service.as_("nobody")):
            assert stranger.get(f"{table.path}/events?{query}").status_code in (401, 404)
    lose(service, table.id)
    for caller in (table.app, table.seats[1], table.spectator):
        answer = caller.get(f"{table.path}/events?after=1&wait=20")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_the_log_of_a_game_that_came_in_the_place_of_the_remembered_one(service: Service, elsewhere: Service) -> None:
    asked: dict[str, Any] = {"game": "rummy", "seats": ["a", "b"], "seed": SEED, "starter": 0}
    first = Table(service, service.shop.post("/v1/games", asked, key="nightly").json)
    assert first.version() == 1
    lose(service, first.id)
    other = {**asked, "game": "swoop", "seats": ["a", "b", "c"]}
    second = Table(elsewhere, elsewhere.shop.post("/v1/games", other, key="nightly").json)
    assert second.id == first.id
    here, there = (table.app.get(f"{first.path}/events?seat=2") for table in (first, second))
    assert here.json == there.json
    assert here.json["game"] == "swoop"


def test_who_waits_on_what_is_known_hears_of_each_change(service: Service, elsewhere: Service, loads: Loads) -> None:
    """Two who wait in turn, of whom the second need not ask the store; then somebody moves elsewhere."""
    table = remembered(service)
    there = at_table(elsewhere, table)
    moves = {1: DRAW}
    for version in (1, 2, 3, 4):
        seat = (version - 1) // 2
        with ThreadPoolExecutor() as waiting:
            path = f"{table.path}/events?after={version}&wait=20"
            answers = [waiting.submit(caller.get, path) for caller in (table.app, table.seats[1 - seat])]
            time.sleep(0.3)
            made = send(there.seats[seat], there, moves.get(version, DRAW), version)
            assert made.status_code == 201
            for answer in answers:
                assert answer.result(5).json["version"] == version + 1
        if made.json["events"][-1]["type"] == "drew":
            moves[version + 1] = discard(made)
    assert loads.count == 1


def test_who_waits_on_what_is_known_and_loses_its_token_learns_nothing(service: Service, elsewhere: Service) -> None:
    table = remembered(service)
    path = f"{table.path}/events?after=1&wait=2"
    assert table.seats[0].get(f"{table.path}/events?after=1&wait=1").json["events"] == []
    assert table.seats[0].get(f"{table.path}/events?after=1").json["version"] == 1
    with ThreadPoolExecutor() as waiting:
        answer = waiting.submit(table.seats[0].get, path)
        time.sleep(0.3)
        assert elsewhere.shop.post(f"{table.path}/seats/0/token").status_code == 201
        assert (answer.result(5).status_code, answer.result(5).json["code"]) == (401, "unauthenticated")

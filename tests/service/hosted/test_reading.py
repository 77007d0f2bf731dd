"""What is read: views, legal moves, the log, lists; and deletion."""

from __future__ import annotations

import random
import re
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from service.schemas import cursors
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, SEED, Service, Table


@pytest.fixture
def table(service: Service) -> Table:
    return service.create(seed=SEED, starter=0)


@pytest.fixture
def one(here: Service) -> Table:
    return here.create(seed=SEED, starter=0)


def test_everyone_sees_the_game_with_their_own_eyes(table: Table) -> None:
    for seat, caller in enumerate(table.seats):
        body = caller.get(table.path).json
        assert body["view"]["viewer"] == seat
        assert body == table.app.get(f"{table.path}?seat={seat}").json
        assert caller.get(f"{table.path}?seat={seat}").json == body
        assert "state" not in body
    plain = table.app.get(table.path).json
    assert plain["view"]["viewer"] is None
    assert table.spectator.get(table.path).json == plain
    assert plain["seats"] == ["seat 0", "seat 1"]
    whole = table.app.get(f"{table.path}?seat=referee").json
    assert whole["state"]["seed"] == SEED
    assert "view" not in whole


def test_other_eyes_than_ones_own(one: Table) -> None:
    for caller, seat in (
        (one.seats[0], "1"),
        (one.seats[0], "referee"),
        (one.spectator, "0"),
        (one.spectator, "referee"),
    ):
        for path in (one.path, f"{one.path}/events"):
            refused(caller.get(f"{path}?seat={seat}"), 403, "forbidden")
    for path in (one.path, f"{one.path}/events", f"{one.path}/legal-moves"):
        for seat in ("2", "-1", "x", "", "00000", "²"):
            answer = one.app.get(f"{path}?seat={seat}", **{"If-None-Match": "*"})
            refused(answer, 422, "invalid_request", "?seat")
        refused(one.app.get(f"{path}?eyes=0"), 422, "invalid_request", "?eyes")
        refused(one.app.get(f"{path}?seat=0&seat=1"), 422, "invalid_request", "?seat")


def test_an_unchanged_game_is_not_sent_again(table: Table) -> None:
    for caller, path in ((table.seats[0], table.path), (table.app, f"{table.path}/legal-moves")):
        tag = caller.get(path).headers["ETag"]
        assert tag == f'"v{table.version()}"'
        for sent in (tag, f'W/{tag}, "x"', "*"):
            answer = caller.get(path, **{"If-None-Match": sent})
            assert (answer.status_code, answer.data, answer.headers["ETag"]) == (304, b"", tag)
        table.move(DRAW if table.version() == 1 else {"type": "discard", "card": table.state()["seats"][0]["hand"][0]})
        answer = caller.get(path, **{"If-None-Match": tag})
        assert answer.status_code == 200


def test_legal_moves_of_a_seat_of_the_referee_and_of_the_seat_to_move(one: Table) -> None:
    path = f"{one.path}/legal-moves"
    draws = [DRAW, {"type": "draw", "from": "discard"}, {"type": "pack"}]
    assert one.seats[0].get(path).json == {"game": "rummy", "seat": 0, "moves": draws}
    assert one.seats[1].get(path).json == {"game": "rummy", "seat": 1, "moves": []}
    assert one.app.get(path).json == {"game": "rummy", "seat": 0, "moves": draws}
    assert {"type": "abort"} in one.app.get(f"{path}?seat=referee").json["moves"]
    assert one.app.get(f"{path}?seat=referee").json["seat"] is None


def test_every_single_play(here: Service) -> None:
    table = here.create("swoop", 2, seed=SEED, starter=0, rules={"decks": 2, "hand_size": 26})
    path = f"{table.path}/legal-moves"
    seat = table.seats[0]
    short, every = seat.get(path).json, seat.get(f"{path}?all=true").json
    assert seat.get(f"{path}?all=false").json == short
    assert table.app.get(f"{path}?seat=0&all=true").json == every
    assert table.seats[1].get(f"{path}?all=true").json == {"game": "swoop", "seat": 1, "moves": []}
    assert short.keys() == every.keys() == {"game", "seat", "moves"}
    assert len(short["moves"]) < len(every["moves"]) < 1000
    assert [move for move in every["moves"] if move in short["moves"]] == short["moves"]
    for wrong in ("1", "True", "", "yes"):
        refused(seat.get(f"{path}?all={wrong}"), 422, "invalid_request", "?all")


def test_the_log_tells_everyone_what_they_may_know(table: Table) -> None:
    card = table.move(DRAW, **{"X-Request-Id": "draw-1"}).json["events"][0]["card"]
    table.app.post(f"{table.path}/moves", {"seat": 0, "move": {"type": "discard", "card": card}}, match=2)

    def log(caller: Any, query: str = "") -> Any:
        return caller.get(f"{table.path}/events{query}").json

    for caller, query, drawn in (
        (table.seats[0], "", card),
        (table.seats[1], "", None),
        (table.spectator, "", None),
        (table.app, "", None),
        (table.app, "?seat=0", card),
        (table.app, "?seat=referee", card),
    ):
        dealt, drew, discarded = log(caller, query)["events"]
        assert (dealt["type"], drew["type"], discarded["type"]) == ("dealt", "drew", "discarded")
        assert drew["card"] == drawn
        assert [event["version"] for event in (dealt, drew, discarded)] == [1, 2, 3]
        assert [event["by"] for event in (dealt, drew, discarded)] == ["app", "seat", "app"]
        assert drew["request_id"] == "draw-1"
        assert dealt["at"] <= drew["at"] <= discarded["at"]
        assert drew["at"].endswith("Z")
    assert len(log(table.seats[0])["events"][0]["hand"]) == 13
    assert "hand" not in log(table.spectator)["events"][0]


def test_the_log_is_read_in_pages(one: Table) -> None:
    one.play(random.Random(1), 12)
    whole = one.app.get(f"{one.path}/events").json
    assert whole["version"] == one.version() == 13
    found: list[Any] = []
    after = 0
    while after < 13:
        page = one.app.get(f"{one.path}/events?after={after}&limit=5")
        assert page.headers["ETag"] == f'"v{page.json["version"]}"'
        found += page.json["events"]
        after = page.json["version"]
    assert found == whole["events"]
    assert one.app.get(f"{one.path}/events?after=13").json == {"game": "rummy", "events": [], "version": 13}
    assert one.app.get(f"{one.path}/events?after=99").json == {"game": "rummy", "events": [], "version": 13}


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "wait=21", "wait=1.5", "limit=0", "limit=1001", "after=1e3", "after=²"]
)
def test_a_query_that_is_wrong(one: Table, query: str) -> None:
    refused(one.app.get(f"{one.path}/events?{query}"), 422, "invalid_request", f"?{query.split('=')[0]}")


def test_waiting_for_news(table: Table) -> None:
    path = f"{table.path}/events?after=1&wait=20"
    answers: list[Any] = []
    waiter = threading.Thread(target=lambda: answers.append(table.seats[1].get(path)))
    started = time.monotonic()
    waiter.start()
    time.sleep(0.3)
    assert not answers
    table.move(DRAW)
    waiter.join(10)
    assert time.monotonic() - started < 5
    assert [event["type"] for event in answers[0].json["events"]] == ["drew"]
    assert answers[0].json["version"] == 2


@pytest.mark.parametrize("wait", ["wait", "w%61it"])
def test_waiting_in_vain(table: Table, wait: str) -> None:
    started = time.monotonic()
    answer = table.spectator.get(f"{table.path}/events?after=1&{wait}=1")
    assert answer.json == {"game": "rummy", "events": [], "version": 1}
    assert 0.9 < time.monotonic() - started < 3


def test_too_many_waiters_are_answered_at_once(one: Table) -> None:
    path = f"{one.path}/events?after=1&wait=2"
    waiters = [threading.Thread(target=lambda: one.spectator.get(path)) for _ in range(4)]
    for waiter in waiters:
        waiter.start()
    time.sleep(0.3)
    started = time.monotonic()
    assert one.spectator.get(path).json == {"game": "rummy", "events": [], "version": 1}
    assert time.monotonic() - started < 0.5
    for waiter in waiters:
        waiter.join()


def test_who_loses_its_token_while_waiting_learns_nothing(one: Table) -> None:
    answers: list[Any] = []
    waiter = threading.Thread(target=lambda: answers.append(one.seats[1].get(f"{one.path}/events?after=1&wait=20")))
    waiter.start()
    time.sleep(0.3)
    one.app.post(f"{one.path}/seats/1/token")
    one.move(DRAW)
    waiter.join(10)
    refused(answers[0], 401, "unauthenticated")


def test_lists_are_paged_newest_first(service: Service) -> None:
    tables = [service.create(metadata={"number": number}) for number in range(5)]
    service.other.post("/v1/games", {"game": "swoop", "seats": ["x", "y"]})
    tables[3].app.post(f"{tables[3].path}/moves", {"seat": None, "move": {"type": "abort"}}, match=1)
    found: list[Any] = []
    after = ""
    while True:
        page = service.shop.get(f"/v1/games?limit=2{after}").json
        found += page["games"]
        if page["after"] is None:
            break
        after = f"&after={page['after']}"
    assert [game["metadata"]["number"] for game in found] == [4, 3, 2, 1, 0]
    assert [game["status"] for game in found] == ["live", "over", "live", "live", "live"]
    assert [game["id"] for game in service.shop.get("/v1/games?status=over").json["games"]] == [tables[3].id]
    assert len(service.shop.get("/v1/games?status=live").json["games"]) == 4
    assert found[0].keys() == {
        "id",
        "version",
        "game",
        "seats",
        "status",
        "created",
        "changed",
        "deadline",
        "commitment",
        "metadata",
    }


@given(integers(0, 2**63 - 1))
def test_a_cursor_leads_back_to_its_place(number: int) -> None:
    text = cursors.cursor(number)
    assert re.fullmatch(cursors.PATTERN, text)
    assert cursors.place(text) == number
    assert cursors.place(text[::-1]) in (None, number)


_CURSORS = ("x", "3", "1764745716000000", "A" * 16, "é" * 16, cursors.cursor(7)[:-1] + "=", cursors.cursor(7) + "A")


@pytest.mark.parametrize(
    "query", ["status=dead", "limit=0", "limit=101", "page=2", *(f"after={text}" for text in _CURSORS)]
)
def test_a_list_that_cannot_be(here: Service, query: str) -> None:
    refused(here.shop.get(f"/v1/games?{query}"), 422, "invalid_request", f"?{query.split('=')[0]}")


def test_a_deleted_game_is_gone_for_everyone(table: Table) -> None:
    answer = table.app.delete(table.path)
    assert (answer.status_code, answer.data) == (204, b"")
    for caller in (table.app, table.seats[0], table.spectator):
        refused(caller.get(table.path), 404, "not_found")
        refused(caller.post(f"{table.path}/moves", {"move": DRAW}, match=1), 404, "not_found")
    refused(table.app.delete(table.path), 404, "not_found")
    assert table.service.shop.get("/v1/games").json["games"] == []


def test_a_token_is_replaced(table: Table) -> None:
    first = table.app.post(f"{table.path}/seats/0/token", key="k")
    assert first.status_code == 201
    assert first.headers["ETag"] == '"v1"'
    refused(table.seats[0].get(table.path), 401, "unauthenticated")
    new = table.service.as_(first.json["token"])
    assert new.get(table.path).json["view"]["viewer"] == 0
    assert table.app.post(f"{table.path}/seats/0/token", key="k").data == first.data
    assert table.seats[1].get(table.path).status_code == 200
    assert table.app.post(f"{table.path}/seats/1/token", key="k").json["seat"] == 1
    refused(table.app.post(f"{table.path}/seats/0/token", {"x": 1}), 422, "invalid_request", "/x")
    for seat in ("2", "-1", "x", "00"):
        refused(table.app.post(f"{table.path}/seats/{seat}/token"), 404, "not_found")
    assert table.version() == 1


def test_the_spectators_token_is_replaced(table: Table) -> None:
    path = f"{table.path}/spectator/token"
    seat = table.app.post(f"{table.path}/seats/0/token", key="k")
    first = table.app.post(path, key="k")  # the key of another route
    assert (first.status_code, first.headers["ETag"], set(first.json)) == (201, '"v1"', {"token", "version"})
    assert first.json["token"].startswith("spectator.")
    refused(table.spectator.get(table.path), 401, "unauthenticated")
    new = table.service.as_(first.json["token"])
    assert new.get(table.path).json["view"]["viewer"] is None
    again = table.app.post(path, key="k")
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")
    other = table.app.post(path)
    assert other.json["token"] != first.json["token"]
    refused(new.get(table.path), 401, "unauthenticated")
    assert table.service.as_(seat.json["token"]).get(table.path).status_code == 200
    refused(table.service.as_(seat.json["token"]).post(path), 403, "forbidden")

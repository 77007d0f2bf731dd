"""Who is let in where: every route against every kind of caller, alike byte for byte within each class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.routes.games import OPERATIONS
from service.stores.contract import GameStore
from tests.service.calls import GROUPINGS, HAND, refused
from tests.service.hosted.tables import DRAW, SEED, Caller, Service, Table

# Each route as a caller could best send it: with a body, a version and a key that would do.
ROUTES: dict[str, tuple[str, str, Any]] = {
    "getGame": ("GET", "", None),
    "listLegalMoves": ("GET", "/legal-moves", None),
    "makeMove": ("POST", "/moves", {"move": DRAW}),
    "dealRound": ("POST", "/rounds", None),
    "timeOutTurn": ("POST", "/timeouts", None),
    "replaceSeatToken": ("POST", "/seats/0/token", None),
    "replaceSpectatorToken": ("POST", "/spectator/token", None),
    "waitForEvents": ("GET", "/events", None),
    "getRecord": ("GET", "/record", None),
    "deleteGame": ("DELETE", "", None),
}
FOR_SEATS = {
    "getGame",
    "listLegalMoves",
    "makeMove",
    "waitForEvents",
    "getRecord",
}
FOR_SPECTATORS = FOR_SEATS - {"listLegalMoves", "makeMove"}


def _stranger(table: Table) -> Caller:
    return table.service.create(seed=SEED).seats[0]


def _foreign_app_game(table: Table) -> Caller:
    created = table.service.other.post("/v1/games", {"game": "rummy", "seats": ["x", "y"]}).json
    return table.service.as_(created["seats"][0]["token"])


def _replaced(table: Table) -> Caller:
    old = table.seats[0]
    table.app.post(f"{table.path}/seats/0/token")
    return old


CALLERS: dict[str, tuple[int, Callable[[Table], Caller]]] = {
    "no token": (401, lambda table: table.service.as_(None)),
    "an unknown key": (401, lambda table: table.service.as_("no-key")),
    "a token cut short": (401, lambda table: table.service.as_((table.seats[0].token or "")[:-1])),
    "a replaced token": (401, _replaced),
    "a token of another game": (404, _stranger),
    "a token of another app's game": (404, _foreign_app_game),
    "a token for another seat's name": (404, lambda table: table.service.as_("s1" + (table.seats[0].token or "")[2:])),
    "another app": (404, lambda table: table.service.other),
}


def call(caller: Caller, table: Table, route: str) -> Any:
    method, below, body = ROUTES[route]
    return caller.call(method, table.path + below, body, match=1, key="k", **{"X-Request-Id": "same"})


def test_every_route_of_a_game_is_in_the_matrix() -> None:
    assert ROUTES.keys() == {operation.name for operation in OPERATIONS if "{id}" in operation.path}


@pytest.mark.parametrize("who", CALLERS)
def test_strangers_are_refused_alike_on_every_route(service: Service, who: str) -> None:
    status, make = CALLERS[who]
    table = service.create(seed=SEED, starter=0)
    table.app.post(f"{table.path}/seats/1/token", key="k")  # so that a known key is no help either
    caller = make(table)
    before = table.app.get(f"{table.path}?seat=referee").data
    answers = {(answer.status_code, answer.data) for answer in (call(caller, table, route) for route in ROUTES)}
    assert len(answers) == 1
    assert answers.pop()[0] == status
    assert table.app.get(f"{table.path}?seat=referee").data == before


def test_each_class_is_one_answer(here: Service) -> None:
    """All who get 401 get the same bytes; so do all who get 404, those who ask for what never was among them."""
    table = here.create(seed=SEED, starter=0)
    found: dict[int, set[tuple[bytes, str]]] = {401: set(), 404: set()}
    for status, make in CALLERS.values():
        answer = call(make(table), table, "getGame")
        headers = sorted((name, value) for name, value in answer.headers.items())
        found[status].add((answer.data, repr(headers)))
    for id in ("0" * len(table.id), "0" * 26, "x", "%00", "%F0%9F%98%80", table.id.upper() + "X", "x" * 2000):
        answer = here.shop.get(f"/v1/games/{id}", **{"X-Request-Id": "same"})
        found[404].add((answer.data, repr(sorted(answer.headers.items()))))
    assert {status: len(answers) for status, answers in found.items()} == {401: 1, 404: 1}


def test_seats_and_spectators_are_refused_alike_where_they_may_not(service: Service) -> None:
    table = service.create(seed=SEED, starter=0)
    refusals = set()
    for caller, allowed in ((table.seats[1], FOR_SEATS), (table.spectator, FOR_SPECTATORS)):
        for route in ROUTES:
            answer = call(caller, table, route)
            if route in allowed:
                assert answer.status_code in (200, 409), (route, answer.text)
            else:
                assert answer.status_code == 403, (route, answer.text)
                refusals.add(answer.data)
    moves = f"{table.path}/moves"
    other_seat = table.seats[1].post(moves, {"seat": 0, "move": DRAW}, match=1, **{"X-Request-Id": "same"})
    refusals.add(other_seat.data)
    for caller, path in ((table.seats[1], f"{table.path}?seat=0"), (table.spectator, f"{table.path}?seat=referee")):
        refusals.add(caller.get(path, **{"X-Request-Id": "same"}).data)
    assert len(refusals) == 1
    assert table.version() == 1


def test_what_is_denied_has_no_effect(service: Service) -> None:
    """Every caller tries every route; then the game is as it was and its tokens still work."""
    table = service.create(seed=SEED, starter=0)
    for who, (_, make) in CALLERS.items():
        if who != "a replaced token":
            for route in ROUTES:
                call(make(table), table, route)
    for route in set(ROUTES) - FOR_SPECTATORS:
        call(table.spectator, table, route)
    assert table.version() == 1
    assert all(seat.get(table.path).status_code == 200 for seat in table.seats)


def test_a_tables_token_is_no_app_key(here: Service) -> None:
    """On calls that belong to no game it is worth nothing."""
    seat = here.create().seats[0]
    refused(seat.get("/v1/games"), 401, "unauthenticated")
    refused(seat.post("/v1/games", {"game": "rummy", "seats": ["a", "b"]}), 401, "unauthenticated")
    refused(seat.post(GROUPINGS, {"hand": HAND, "wild_rank": "7"}), 401, "unauthenticated")


def test_the_other_key_of_an_app_is_the_same_app(here: Service) -> None:
    table = here.create()
    assert here.shop_with_new_key.get(table.path).status_code == 200
    assert here.shop_with_new_key.get("/v1/games").json["games"][0]["id"] == table.id
    assert here.other.get("/v1/games").json["games"] == []


def test_open_mode(store: GameStore) -> None:
    """Whoever says nothing is the app; a player is still only a player; a bad player's token is no app."""
    service = Service(store, keys=False)
    table = service.create(seed=SEED, starter=0)
    assert table.app.token is None
    assert table.seats[0].get(table.path).json["view"]["viewer"] == 0
    refused(table.seats[0].get(f"{table.path}?seat=1"), 403, "forbidden")
    refused(table.seats[0].delete(table.path), 403, "forbidden")
    refused(_replaced(table).get(table.path), 401, "unauthenticated")
    refused(_stranger(table).get(table.path), 404, "not_found")
    first = service.shop.post("/v1/games", {"game": "swoop", "seats": ["a", "b"]}, key="k")
    assert service.shop.post("/v1/games", {"game": "swoop", "seats": ["a", "b"]}, key="k").data == first.data


@pytest.mark.parametrize("spoil", ["", "{0}x", "cut", "no-key", "s0.short.tag", "Basic czA6eA==", "Bearer", "{0}"])
def test_in_open_mode_whoever_says_something_is_never_the_app(store: GameStore, spoil: str) -> None:
    """On every route of hosted games: a token that has been spoilt, or anything else, must not see all the cards."""
    service = Service(store, keys=False)
    table = service.create(seed=SEED, starter=0)
    good = table.seats[0].token or ""
    said = good[:-1] if spoil == "cut" else spoil.format(good)
    header = {"Authorization": said if spoil in ("", "Basic czA6eA==", "Bearer") else f"Bearer {said}"}
    nobody, before = service.as_(None), table.app.get(f"{table.path}?seat=referee").data
    for method, path, body in (
        ("GET", "/v1/games", None),
        ("POST", "/v1/games", {"game": "swoop", "seats": ["a", "b"]}),
    ):
        refused(nobody.call(method, path, body, **header), 401, "unauthenticated")
    if said != good:
        for route in ROUTES:
            method, below, body = ROUTES[route]
            refused(nobody.call(method, table.path + below, body, match=1, **header), 401, "unauthenticated")
    assert table.app.get(f"{table.path}?seat=referee").data == before
    assert nobody.post(GROUPINGS, {"hand": HAND, "wild_rank": "7"}, **header).status_code == 200


@pytest.mark.parametrize("keys", [True, False])
def test_a_wrong_letter_in_a_token(store: GameStore, keys: bool) -> None:
    """It still has the form of a table's token, so it may be one of another game: 404."""
    table = Service(store, keys=keys).create(seed=SEED, starter=0)
    good = table.seats[0].token or ""
    for place in (3, len(good) - 1):
        wrong = good[:place] + ("A" if good[place] != "A" else "B") + good[place + 1 :]
        refused(table.service.as_(wrong).get(table.path), 404, "not_found")


def test_a_game_of_open_mode_belongs_to_no_key(store: GameStore) -> None:
    table = Service(store, keys=False).create(seed=SEED, starter=0)
    service = Service(store)
    refused(service.shop.get(table.path), 404, "not_found")
    assert service.as_(table.seats[0].token).get(table.path).status_code == 200

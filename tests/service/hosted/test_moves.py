"""Moves: conditions, repeats, the order of checks, who is answered what."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Undecided
from service.use_cases import games
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, SEED, Service, Table


@pytest.fixture
def table(service: Service) -> Table:
    return service.create(seed=SEED, starter=0)


@pytest.fixture
def one(here: Service) -> Table:
    """A table on SQLite, for what does not depend on the store."""
    return here.create(seed=SEED, starter=0)


def test_a_move_is_answered_as_its_seat_sees_it(table: Table) -> None:
    answer = table.move(DRAW, key="k")
    assert answer.status_code == 201
    body = answer.json
    assert answer.headers["ETag"] == '"v2"'
    assert body["version"] == 2
    assert body["view"]["viewer"] == 0
    assert len(body["view"]["seats"][0]["hand"]) == 14
    assert body["events"] == [
        {"type": "drew", "seat": 0, "from": "stock", "card": body["view"]["seats"][0]["hand"][-1]}
    ]
    assert (body["outcome"], body["deadline"]) == (None, None)
    assert table.version() == 2


@pytest.mark.parametrize(
    ("if_match", "status", "code"),
    [
        (None, 428, "version_required"),
        ("*", 428, "version_required"),
        ('"v2"', 412, "stale_version"),
        ('"v0"', 412, "stale_version"),
        ('W/"v1"', 412, "stale_version"),
        ("v1", 412, "stale_version"),
        ('"1"', 412, "stale_version"),
        ('"v01"', 412, "stale_version"),
        ('"V1"', 412, "stale_version"),
        ('"v1", "v2"', 412, "stale_version"),
        ("", 412, "stale_version"),
    ],
)
def test_a_move_names_the_version_it_was_decided_on(one: Table, if_match: str | None, status: int, code: str) -> None:
    for route, body in (("moves", {"seat": 0, "move": DRAW}), ("rounds", None), ("timeouts", None)):
        problem = refused(one.app.post(f"{one.path}/{route}", body, match=if_match), status, code)
        if status == 412:
            assert problem["version"] == 1
    assert one.version() == 1


@pytest.mark.parametrize(
    "body",
    [
        {"seat": 9, "move": DRAW},
        {"seat": None, "move": DRAW},
        {"seat": 0, "move": {"type": "abort"}},
        {"seat": None, "move": {"type": "forfeit", "seat": 9}},
    ],
)
@pytest.mark.parametrize("if_match", [None, '"v2"', '"v1"'])
def test_who_could_never_make_a_move_is_told_before_its_version_is_looked_at(
    one: Table, body: Any, if_match: str | None
) -> None:
    refused(one.app.post(f"{one.path}/moves", body, match=if_match), 422, "invalid_request")
    assert one.app.post(f"{one.path}/moves", {"seat": 0, "move": DRAW}, match=1, key="k").status_code == 201
    refused(one.app.post(f"{one.path}/moves", body, match=if_match, key="k"), 422, "invalid_request")


@pytest.mark.parametrize("seat", ["2", "00", "-1", "x"])
def test_a_seat_that_is_not_at_the_table_is_missed_before_the_body_is_read(one: Table, seat: str) -> None:
    refused(one.app.post(f"{one.path}/seats/{seat}/token", {"no": "field"}), 404, "not_found")
    refused(one.seats[0].post(f"{one.path}/seats/{seat}/token", {"no": "field"}), 403, "forbidden")


def test_a_repeat_is_answered_the_same_after_the_version_moved_on(table: Table) -> None:
    first = table.move(DRAW, key="k")
    card = first.json["view"]["seats"][0]["hand"][0]
    assert table.move({"type": "discard", "card": card}).status_code == 201
    assert table.move(DRAW).status_code == 201
    for if_match in (1, 4, "*", None):
        again = table.seats[0].post(f"{table.path}/moves", {"move": DRAW}, key="k", match=if_match)
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["ETag"] == '"v2"'
        assert again.headers["Idempotent-Replayed"] == "true"
    assert table.version() == 4


def test_another_body_or_query_under_the_same_key_is_refused(table: Table) -> None:
    path = f"{table.path}/moves"
    table.app.post(path, {"seat": 0, "move": DRAW}, key="k", match=1)
    other = {"seat": 0, "move": {"type": "draw", "from": "discard"}}
    refused(table.app.post(path, other, key="k", match=2), 422, "key_reused")
    refused(table.app.post(f"{path}?include=views", {"seat": 0, "move": DRAW}, key="k", match=2), 422, "key_reused")
    again = table.app.post(path, {"move": {"from": "stock", "type": "draw"}, "seat": 0}, key="k", match=2)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert table.version() == 2


def test_a_parameter_that_is_said_again_makes_another_query(table: Table) -> None:
    path = f"{table.path}/moves"
    table.app.post(f"{path}?include=view", {"seat": 0, "move": DRAW}, key="k", match=1)
    more = f"{path}?include=view&include=legal_moves"
    refused(table.app.post(more, {"seat": 0, "move": DRAW}, key="k", match=1), 422, "key_reused")
    assert table.version() == 2


def test_refusals_are_not_kept(table: Table) -> None:
    refused(table.move({"type": "discard", "card": "AS"}, key="k"), 409, "wrong_phase")
    refused(table.move(DRAW, key="k", match=7), 412, "stale_version")
    assert table.move(DRAW, key="k").status_code == 201


def test_two_seats_and_the_app_use_the_same_key(table: Table) -> None:
    first = table.move(DRAW, key="k")
    hand = first.json["view"]["seats"][0]["hand"]
    assert (
        table.app.post(
            f"{table.path}/moves", {"seat": 0, "move": {"type": "discard", "card": hand[0]}}, key="k", match=2
        ).status_code
        == 201
    )
    second = table.move(DRAW, table.seats[1], key="k")
    assert "Idempotent-Replayed" not in second.headers
    assert second.json["view"]["viewer"] == 1
    again = table.seats[0].post(f"{table.path}/moves", {"move": DRAW}, key="k", match=1)
    assert again.data == first.data
    assert second.json["events"][0]["card"] not in (event.get("card") for event in again.json["events"])


def test_a_replaced_token_repeats_for_the_same_seat(table: Table) -> None:
    first = table.move(DRAW, key="k")
    token = table.app.post(f"{table.path}/seats/0/token").json["token"]
    again = table.service.as_(token).post(f"{table.path}/moves", {"move": DRAW}, key="k", match=1)
    assert again.data == first.data


def test_the_same_key_on_another_route_is_another_request(table: Table) -> None:
    abort = {"seat": None, "move": {"type": "abort"}}
    assert table.app.post(f"{table.path}/moves", abort, key="k", match=1).status_code == 201
    refused(table.app.post(f"{table.path}/rounds", key="k", match=2), 409, "game_over")


def test_a_seat_moves_for_itself_only(one: Table) -> None:
    path = f"{one.path}/moves"
    refused(one.seats[1].post(path, {"seat": 0, "move": DRAW}, match=1), 403, "forbidden")
    refused(one.spectator.post(path, {"move": DRAW}, match=1), 403, "forbidden")
    refused(one.seats[1].post(path, {"move": DRAW}, match=1), 409, "not_your_turn")
    assert one.seats[0].post(path, {"seat": 0, "move": DRAW}, match=1).status_code == 201


def test_the_app_moves_for_every_seat_and_for_the_referee(one: Table) -> None:
    path = f"{one.path}/moves"
    assert one.app.post(path, {"seat": 0, "move": DRAW}, match=1).json["view"]["viewer"] == 0
    answer = one.app.post(path, {"seat": None, "move": {"type": "forfeit", "seat": 1}}, match=2)
    assert answer.json["view"]["viewer"] is None
    assert answer.json["events"][0]["type"] == "forfeited"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": 0, "move": {"type": "abort"}}, "/seat"),
        ({"seat": None, "move": DRAW}, "/seat"),
        ({"move": DRAW}, "/seat"),
        ({"seat": 2, "move": DRAW}, "/seat"),
        ({"seat": -1, "move": DRAW}, "/seat"),
        ({"seat": "0", "move": DRAW}, "/seat"),
        ({"seat": None, "move": {"type": "forfeit", "seat": 2}}, "/move/seat"),
        ({"seat": 0}, "/move"),
        ({"seat": 0, "move": []}, "/move"),
        ({"seat": 0, "move": {}}, "/move/type"),
        ({"seat": 0, "move": {"type": "flip", "slot": 0}}, "/move/type"),
        ({"seat": 0, "move": {"type": "draw"}}, "/move/from"),
        ({"seat": 0, "move": {**DRAW, "card": "AS"}}, "/move/card"),
        ({"seat": 0, "move": DRAW, "version": 1}, "/version"),
    ],
)  # fmt: skip
def test_what_is_no_move_is_refused(one: Table, body: Any, pointer: str) -> None:
    refused(one.app.post(f"{one.path}/moves", body, match=1), 422, "invalid_request", pointer)


def test_a_card_that_is_none(one: Table) -> None:
    body = {"seat": 0, "move": {"type": "discard", "card": "1Z"}}
    refused(one.app.post(f"{one.path}/moves", body, match=1), 422, "unknown_card", "/move/card")


def test_the_app_may_ask_for_everyones_views(one: Table) -> None:
    answer = one.app.post(f"{one.path}/moves?include=views", {"seat": 0, "move": DRAW}, match=1).json
    assert [view["viewer"] for view in answer["views"]["seats"]] == [0, 1]
    assert answer["views"]["spectator"]["viewer"] is None
    assert answer["views"]["seats"][0] == answer["view"]
    for seat, caller in enumerate(one.seats):
        assert caller.get(one.path).json["view"] == answer["views"]["seats"][seat]
    refused(one.seats[0].post(f"{one.path}/moves?include=views", {"move": DRAW}, match=2), 403, "forbidden")
    refused(
        one.app.post(f"{one.path}/moves?include=all", {"seat": 0, "move": DRAW}, match=2),
        422,
        "invalid_request",
        "?include",
    )


def test_an_illegal_move_says_why_and_changes_nothing(one: Table) -> None:
    before = one.state()
    problem = refused(one.move({"type": "discard", "card": "AS"}), 409, "wrong_phase")
    assert problem["violation"] == {"code": "wrong_phase", "message": problem["detail"], "cards": []}
    assert (one.state(), one.version()) == (before, 1)


def test_checks_come_in_the_order_of_the_contract(one: Table) -> None:
    """Each call is wrong in every later way too: the earliest counts."""
    moves = f"{one.path}/moves"
    client = one.service.app.test_client()

    def send(path: str, token: str | None, data: bytes, kind: str = "application/json", **headers: str) -> Any:
        given = {"Content-Type": kind, **headers} | ({"Authorization": f"Bearer {token}"} if token else {})
        return client.post(path, data=data, headers=given)

    refused(send(moves, None, b"{", "text/plain"), 415, "unsupported_media_type")
    refused(send(moves, None, b"{"), 401, "unauthenticated")
    refused(send("/v1/games/0123456789abcdef/moves", "other-key", b"{"), 404, "not_found")
    refused(send(moves, one.spectator.token, b"{"), 403, "forbidden")
    refused(send(moves, one.app.token, b"{"), 400, "bad_json")
    table_body = b'{"seat": 0, "move": {"type": "pack"}, "more": 1}'
    assert one.app.post(moves, {"seat": 0, "move": DRAW}, match=1, key="used").status_code == 201
    refused(send(moves, one.app.token, table_body, **{"Idempotency-Key": "used"}), 422, "invalid_request")
    illegal = b'{"seat": 0, "move": {"type": "pack"}}'
    refused(send(moves, one.app.token, illegal, **{"Idempotency-Key": "used"}), 422, "key_reused")
    refused(send(moves, one.app.token, illegal), 428, "version_required")
    refused(send(moves, one.app.token, illegal, **{"If-Match": '"v1"'}), 412, "stale_version")
    refused(send(moves, one.app.token, illegal, **{"If-Match": '"v2"'}), 409, "wrong_phase")


def test_a_move_that_cannot_be_judged_changes_nothing(one: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(*_: Any, **__: Any) -> Any:
        raise Undecided("too hard")

    with monkeypatch.context() as patched:
        patched.setattr(games.turns, "play", undecided)
        refused(one.move(DRAW, key="k"), 503, "undecided")
    assert one.version() == 1
    assert one.move(DRAW, key="k").status_code == 201


def test_rounds_and_matches_end(service: Service) -> None:
    """A whole match of packs: each round is dealt by its own call, and the last one opens the record."""
    table = service.create(rules={"rounds": 2}, seed=SEED, starter=0)
    refused(table.app.post(f"{table.path}/rounds", match=1), 409, "wrong_phase")
    assert table.move({"type": "pack"}).json["outcome"] is None
    refused(table.seats[0].post(f"{table.path}/rounds", match=2), 403, "forbidden")
    dealt = table.app.post(f"{table.path}/rounds?include=views", match=2, key="next")
    assert dealt.status_code == 201
    assert [event["type"] for event in dealt.json["events"]] == ["dealt"]
    assert dealt.json["views"]["seats"][1]["round"] == 2
    assert table.app.post(f"{table.path}/rounds?include=views", match=9, key="next").data == dealt.data
    over = table.move({"type": "pack"})
    assert over.json["outcome"]["reason"] == "rounds"
    assert over.json["events"][-1]["type"] == "match_over"
    refused(table.app.post(f"{table.path}/rounds", match=4), 409, "game_over")
    assert table.app.get(f"{table.path}/record").status_code == 200


@pytest.mark.parametrize("move", [{"type": "abort"}, {"type": "forfeit", "seat": 0}, {"type": "next_round"}])
@pytest.mark.parametrize("seat", [None, 0])
def test_a_player_is_told_that_the_referees_moves_are_the_apps(one: Table, move: Any, seat: int | None) -> None:
    answer = one.seats[0].post(f"{one.path}/moves", {"seat": seat, "move": move}, match=1)
    problem = refused(answer, 422, "invalid_request", "/move/type")
    assert problem["detail"] == f"{move['type']} is a move of the referee, which the app alone makes"

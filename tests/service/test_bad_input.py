"""Whatever a caller sends: a 4xx problem that names the place, never a 5xx."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.http.operation import Operation
from tests.service.calls import GROUPINGS, HAND, answered, refused, wrong

JSON = "application/json"


def sent(
    client: FlaskClient, body: bytes | str, path: str = GROUPINGS, content_type: str | None = JSON, **more: Any
) -> Any:
    return client.post(path, data=body, content_type=content_type, **more)


def grouping(**given: Any) -> dict[str, Any]:
    return {"hand": HAND, "wild_rank": "7"} | given


@pytest.mark.parametrize(
    ("hand", "code", "pointers"),
    [
        (HAND[:12], "impossible_hand", ["/hand"]),
        ([*HAND, "AS", "KS"], "impossible_hand", ["/hand"]),
        ([], "impossible_hand", ["/hand"]),
        (["5H", "5H", "5H", "5H", *HAND[:9]], "impossible_hand", ["/hand/3"]),
        (["JK"] * 7 + HAND[:5] + ["AS"], "impossible_hand", ["/hand/6"]),
        (["1H", *HAND[1:]], "unknown_card", ["/hand/0"]),
        ([*HAND[:12], "5X"], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], ""], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], "5H\x00"], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], "\x005H"], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], "5H "], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], "5" * 5000], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], "５Ｈ"], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], None], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], 5], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], ["5H"]], "unknown_card", ["/hand/12"]),
        ([*HAND[:12], {"rank": "5"}], "unknown_card", ["/hand/12"]),
        ([0, *HAND[1:11], True, 1.5], "unknown_card", ["/hand/0", "/hand/11", "/hand/12"]),
        (None, "invalid_request", ["/hand"]),
        ("4S", "impossible_hand", ["/hand"]),  # one card
        ({"0": "4S"}, "invalid_request", ["/hand"]),
        (13, "invalid_request", ["/hand"]),
    ],
)
def test_hands(client: FlaskClient, hand: Any, code: str, pointers: list[str]) -> None:
    wrong(client, GROUPINGS, grouping(hand=hand), code, *pointers)


@pytest.mark.parametrize("rank", ["1", "0", "", "11", "JK", "7H", "Ｔ", "7\x00", 7, True, [], {}, "7" * 5000])
def test_wild_ranks(client: FlaskClient, rank: Any) -> None:
    wrong(client, GROUPINGS, grouping(wild_rank=rank), "invalid_request", "/wild_rank")


@pytest.mark.parametrize(
    ("rules", "code", "pointers"),
    [
        ("House", "unknown_rules", ["/rules"]),
        ({"preset": "nope"}, "unknown_rules", ["/rules/preset"]),
        ({"preset": None}, "unknown_rules", ["/rules/preset"]),
        ({"max_trois": 2}, "invalid_request", ["/rules/max_trois"]),
        ({"a/b~c": 2}, "invalid_request", ["/rules/a~1b~0c"]),
        ({"max_trios": "2"}, "invalid_request", ["/rules/max_trios"]),
        ({"max_trios": True}, "invalid_request", ["/rules/max_trios"]),
        ({"max_trios": 2.0}, "invalid_request", ["/rules/max_trios"]),
        ({"max_trios": 99}, "invalid_request", ["/rules/max_trios"]),
        ({"first_turn_halves": 1}, "invalid_request", ["/rules/first_turn_halves"]),
        ({"trio_needs": "luck"}, "invalid_request", ["/rules/trio_needs"]),
        ({"trio_sizes": [4, 3]}, "invalid_request", ["/rules/trio_sizes"]),
        ({"opening_cards": [7, 6]}, "invalid_request", ["/rules/opening_cards"]),
        ({"opening_cards": [6]}, "invalid_request", ["/rules/opening_cards"]),
        ({"format": "deals"}, "invalid_request", ["/rules/deals"]),
        ({"one_deck_up_to": 8}, "invalid_request", ["/rules/one_deck_up_to"]),
        (7, "invalid_request", ["/rules"]),
        (["house"], "invalid_request", ["/rules"]),
    ],
)
def test_rules(client: FlaskClient, rules: Any, code: str, pointers: list[str]) -> None:
    wrong(client, GROUPINGS, grouping(rules=rules), code, *pointers)


def test_fields_that_are_missing_or_unknown(client: FlaskClient) -> None:
    wrong(client, GROUPINGS, {}, "invalid_request", "/hand", "/wild_rank")
    wrong(client, GROUPINGS, grouping(z=1, a=2, _schema=3), "invalid_request", "/_schema", "/a", "/z")
    wrong(client, GROUPINGS, grouping(**{"x/y~z": 1}), "invalid_request", "/x~1y~0z")


def test_the_first_kind_of_flaw_gives_the_code_and_all_are_named(client: FlaskClient) -> None:
    body = grouping(hand=["ZZ", *HAND[1:]], rules="nope")
    wrong(client, GROUPINGS, body, "unknown_rules", "/hand/0", "/rules")
    wrong(client, GROUPINGS, body | {"extra": 0}, "invalid_request", "/hand/0", "/rules", "/extra")


@pytest.mark.parametrize("body", [[], [1], "text", 5, 1.5, True, None])
def test_a_body_that_is_no_object(client: FlaskClient, body: Any) -> None:
    problem = refused(sent(client, json.dumps(body)), 422, "invalid_request")
    assert [flaw["pointer"] for flaw in problem["errors"]] == [""]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"{} {}",
        b"{'hand': 1}",
        b'{"hand": [1,]}',
        b"\xef\xbb\xbf{}",
        b'{"hand": "\xff"}',
        '{"hand": 1}'.encode("utf-16"),
        b"[" * 30_000,
        b"[" * 30_000 + b"]" * 30_000,
        b'{"a":' * 33 + b"1" + b"}" * 33,
        b"[" * 33 + b"]" * 33,
        b'{"hand": ' + b"1" * 5_000 + b"}",
        b'{"hand": -' + b"1" * 5_000 + b"}",
        b'{"hand": 18446744073709551616}',
        b'{"hand": -9223372036854775809}',
        b'{"hand": NaN}',
        b'{"hand": Infinity}',
        b'{"hand": -Infinity}',
        b'{"hand": 1e999}',
        b'{"hand": "\\ud800"}',
        b'{"\\udc00": 1}',
        b'{"hand": "\x00"}',
        b'{"hand": 1, "hand": 1}',
        b'{"hand": [], "h\\u0061nd": []}',
        b'{"hand": [{"a": 1, "a": 2}], "wild_rank": null}',
    ],
    ids=lambda body: body[:24].decode("latin1"),
)
def test_what_is_not_strict_json(client: FlaskClient, body: bytes) -> None:
    refused(sent(client, body), 400, "bad_json")


def test_what_only_looks_like_it(client: FlaskClient) -> None:
    deep = b"[" * 31 + b"]" * 31  # with the object around it: 32
    refused(sent(client, b'{"hand": ' + deep + b"}"), 422, "invalid_request")
    refused(sent(client, b'{"hand": 18446744073709551615, "wild_rank": -9223372036854775808}'), 422, "invalid_request")
    refused(sent(client, b'{"hand": ["' + b"[" * 100 + b'"], "wild_rank": null}'), 422, "unknown_card")
    refused(sent(client, b'{"hand": [{"a": 1}, {"a": 1}], "wild_rank": null}'), 422, "unknown_card")


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/problem+json",
        "application/json; charset=latin1",
    ],
)
def test_content_types(client: FlaskClient, content_type: str | None) -> None:
    refused(sent(client, json.dumps(grouping()), content_type=content_type), 415, "unsupported_media_type")


@pytest.mark.parametrize("content_type", [JSON, "application/json; charset=UTF-8", "APPLICATION/JSON;charset=utf-8"])
def test_content_types_that_are_read(client: FlaskClient, content_type: str) -> None:
    assert sent(client, json.dumps(grouping()), content_type=content_type).status_code == 200


def test_compressed_bodies(client: FlaskClient) -> None:
    response = sent(client, json.dumps(grouping()), headers={"Content-Encoding": "gzip"})
    refused(response, 415, "unsupported_media_type")


@pytest.mark.parametrize(("path", "limit"), [(GROUPINGS, 64 * 1024), (f"{GROUPINGS}/batch", 1024 * 1024)])
def test_how_long_a_body_may_be(client: FlaskClient, path: str, limit: int) -> None:
    refused(sent(client, b"[" + b" " * (limit - 2) + b"]", path), 422, "invalid_request")
    refused(sent(client, b"[" + b" " * (limit - 1) + b"]", path), 413, "too_large")
    refused(sent(client, b" " * (limit + 1), path, content_type="text/plain"), 413, "too_large")


@pytest.mark.parametrize("query", ["a=1", "rules=house", "hand=4S&hand=5S", "=", "a", "%00=1"])
def test_query_parameters(client: FlaskClient, query: str) -> None:
    problem = refused(client.post(f"{GROUPINGS}?{query}", json=grouping()), 422, "invalid_request")
    assert all(flaw["pointer"].startswith("?") for flaw in problem["errors"])


class TestEveryRoute:
    """What holds for all, so that a new route cannot forget it."""

    def test_an_address_that_does_not_exist(self, client: FlaskClient) -> None:
        for path in (
            "/nope",
            "/v1/",
            "/v2/rummy/groupings",
            f"{GROUPINGS}/",
            "/v1//rummy/groupings",
            "/v1/chess/deals",
        ):
            for method in ("GET", "POST", "HEAD", "OPTIONS", "TRACE", "BREW"):
                response = client.open(path, method=method)
                assert response.status_code == 404, (method, path)
                if method != "HEAD":
                    refused(response, 404, "not_found")

    def test_a_wrong_method_is_told_the_right_ones(self, app: Flask, client: FlaskClient) -> None:
        for rule in app.url_map.iter_rules():
            path = str(rule).replace("<", "").replace(">", "")
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - methods_of(app, str(rule)):
                problem = client.open(path, method=method)
                refused(problem, 405, "method_not_allowed")
                assert set(problem.headers["Allow"].split(", ")) == methods_of(app, str(rule))

    def test_a_body_that_is_wrong(self, app: Flask, client: FlaskClient) -> None:
        operations: dict[str, Operation] = app.config["OPERATIONS"]
        for operation in operations.values():
            if operation.method == "POST" and "{" not in operation.path and operation.body:
                refused(sent(client, b"{", operation.path), 400, "bad_json")
                refused(sent(client, b"{}", operation.path), 422, "invalid_request")
                refused(sent(client, b"[]", operation.path), 422, "invalid_request", "")
                refused(sent(client, b"{}", operation.path, "text/plain"), 415, "unsupported_media_type")
                refused(sent(client, b" " * (operation.limit + 1), operation.path), 413, "too_large")

    def test_a_parameter_that_does_not_exist(self, app: Flask, client: FlaskClient) -> None:
        operations: dict[str, Operation] = app.config["OPERATIONS"]
        for operation in operations.values():
            if operation.method == "GET" and operation.path.startswith("/v1/") and "{" not in operation.path:
                problem = refused(client.get(f"{operation.path}?nope=1"), 422, "invalid_request")
                assert "?nope" in [flaw["pointer"] for flaw in problem["errors"]]


def methods_of(app: Flask, path: str) -> set[str]:
    return {method for rule in app.url_map.iter_rules() if str(rule) == path for method in rule.methods or ()}


class TestRequestId:
    @pytest.mark.parametrize("given", ["a", "A.b_c-9", "x" * 128])
    def test_a_sane_one_comes_back(self, client: FlaskClient, given: str) -> None:
        for path in ("/healthz", "/nope", GROUPINGS):
            assert client.get(path, headers={"X-Request-Id": given}).headers["X-Request-Id"] == given

    @pytest.mark.parametrize("given", ["", "x" * 129, "a b", "a;b", "é", '"a"', "a/b"])
    def test_any_other_is_replaced(self, client: FlaskClient, given: str) -> None:
        found = client.get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"]
        assert found != given
        assert len(found) == 32


def test_head_and_options(client: FlaskClient) -> None:
    head = client.head("/v1/rules")
    assert (head.status_code, head.data) == (200, b"")
    options = client.options(GROUPINGS)
    assert (options.status_code, options.data) == (204, b"")
    assert "Content-Type" not in options.headers
    assert set(options.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


def test_no_answer_is_guessed_at(app: Flask, client: FlaskClient) -> None:
    for path in ("/", "/nope", "/healthz", "/docs", "/v1/rules", GROUPINGS):
        for method in ("GET", "POST", "OPTIONS", "HEAD", "BREW"):
            response = client.open(path, method=method)
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert (response.mimetype == "text/html") == (path == "/docs" and response.status_code == 200)


UNSEEN = "\x00\x07\x1b\x7f\x85\x9f\u061c\u200e\u200f\u202a\u202e\u2066\u2069"


@pytest.mark.parametrize("sign", [*UNSEEN, "\t", "\n", "\r"])
def test_names_that_cannot_be_seen_as_they_are(client: FlaskClient, sign: str) -> None:
    game = {"game": "rummy", "seats": ["north", "south"]}
    for name in (f"{sign}a", f"a{sign}", sign):
        wrong(client, "/v1/games", {**game, "seats": ["north", name]}, "invalid_request", "/seats/1")
        wrong(
            client,
            "/v1/games",
            {**game, "metadata": {"a/b": [{name: 1}]}},
            "invalid_request",
            f"/metadata/a~1b/0/{name}",
        )


@pytest.mark.parametrize("sign", UNSEEN)
def test_notes_that_cannot_be_seen_as_they_are(client: FlaskClient, sign: str) -> None:
    game = {"game": "rummy", "seats": ["north", "south"], "metadata": {"ok": "x", "notes": ["x", {"y": f"x{sign}"}]}}
    wrong(client, "/v1/games", game, "invalid_request", "/metadata/notes/1/y")


def test_names_and_notes_in_any_language(client: FlaskClient) -> None:
    names = ["Zoë \u05d0\u05d1", "\U0001f469\u200d\U0001f680 نور"]  # a joiner makes one picture of two
    game = {"game": "rummy", "seats": names, "metadata": {"ключ": "two\n\tlines\r\n", "n": [1, None, True]}}
    answered(client, "/v1/games", game, 201)

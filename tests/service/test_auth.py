"""App keys: with keys, all of /v1 needs one; without, everyone may call."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask.testing import FlaskClient

from service import create_app
from service.callers.auth import App, app_at_the_table, app_of, bearer_token, by_digest
from service.config import Settings
from service.http.operation import Operation
from tests.service.calls import GROUPINGS, HAND, refused

BODY = {"hand": HAND, "wild_rank": "7"}


def hashed(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


KEYS = (("one", hashed("k1")), ("two", hashed("k2")), ("one", hashed("k3")))
NAMES = by_digest(KEYS)


@pytest.fixture
def guarded(tmp_path: Path) -> FlaskClient:
    return create_app(Settings(api_keys=KEYS, log="errors", data=tmp_path)).test_client()


def ask(client: FlaskClient, authorization: str | None) -> Any:
    return client.post(GROUPINGS, json=BODY, headers={"Authorization": authorization} if authorization else {})


@pytest.mark.parametrize("authorization", ["Bearer k1", "bearer k2", "BEARER  k3 "])
def test_a_valid_key(guarded: FlaskClient, authorization: str) -> None:
    assert ask(guarded, authorization).status_code == 200


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "Bearer",
        "Bearer ",
        "Bearer k4",
        "Bearer K1",
        "Basic azE6azE=",
        "k1",
        "Bearer " + "k" * 5000,
        f"Bearer {hashed('k1').hex()}",
        "Bearer \xff",
    ],
)
def test_no_or_a_bad_key(guarded: FlaskClient, authorization: str | None) -> None:
    response = ask(guarded, authorization)
    refused(response, 401, "unauthenticated")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_refusals_are_alike(guarded: FlaskClient) -> None:
    def answer(authorization: str | None) -> tuple[bytes, list[tuple[str, str]]]:
        headers = {"X-Request-Id": "same"} | ({"Authorization": authorization} if authorization else {})
        response = guarded.post(GROUPINGS, json=BODY, headers=headers)
        return response.data, sorted(response.headers)

    assert answer(None) == answer("Bearer k4") == answer("Basic x")


def test_all_of_v1_needs_a_key_and_nothing_else_does(guarded: FlaskClient) -> None:
    operations: dict[str, Operation] = guarded.application.config["OPERATIONS"]
    for operation in operations.values():
        path = operation.path.replace("{", "").replace("}", "")
        content_type = "application/json" if operation.body else None
        response = guarded.open(path, method=operation.method, content_type=content_type)
        if operation.path == "/v1" or operation.path.startswith("/v1/"):
            refused(response, 401, "unauthenticated")
        else:
            assert response.status_code == 200, path


def test_what_is_refused_before_the_key_is_asked_for(guarded: FlaskClient) -> None:
    refused(guarded.post("/v1/nope"), 404, "not_found")
    refused(guarded.get(GROUPINGS), 405, "method_not_allowed")
    refused(guarded.post(GROUPINGS, data=b" " * 70_000), 413, "too_large")
    refused(guarded.post(GROUPINGS, data=b"{}"), 415, "unsupported_media_type")
    refused(guarded.post(GROUPINGS, data=b"{", content_type="application/json"), 401, "unauthenticated")


def test_who_a_key_belongs_to() -> None:
    assert app_of("k3", NAMES) == App("one")
    assert app_of("k2", NAMES) == App("two")
    assert app_of("k4", NAMES) is None
    assert app_of(None, NAMES) is None
    assert app_of(None, {}) == App("")
    assert app_of("k3", {}) == App("")
    assert by_digest((("first", hashed("k")), ("second", hashed("k")))) == {hashed("k"): "first"}


def test_a_key_is_found_by_its_digest_and_not_by_looking_at_each() -> None:
    class LookedUp(dict[bytes, str]):
        def __iter__(self) -> NoReturn:
            raise AssertionError("each key is looked at")

    names = LookedUp()
    for kept, name in NAMES.items():
        names[kept] = name
    assert app_of("k3", names) == App("one")
    assert app_of("k4", names) is None


def test_the_token_of_a_header() -> None:
    assert bearer_token("Bearer k1") == "k1"
    assert bearer_token("bEARER  k1 ") == "k1"
    assert [
        bearer_token(said) for said in (None, "", "k1", "Bearer", "Bearer ", "Basic k1", f"Bearer {'k' * 513}")
    ] == [None] * 7


@pytest.mark.parametrize(
    ("said", "app"),
    [("Bearer k2", App("two")), ("Bearer k4", None), ("Basic k2", None), ("", None), (None, None)],
)
def test_with_keys_an_app_needs_one_at_the_table(said: str | None, app: App | None) -> None:
    assert app_at_the_table(said, NAMES) == app


@pytest.mark.parametrize("said", ["Bearer k2", "Bearer ", "Basic k2", "s0.spoilt", ""])
def test_in_open_mode_who_says_something_at_the_table_is_no_app(said: str) -> None:
    """However badly it is said: a spoilt token must not make a player the app."""
    assert app_at_the_table(None, {}) == App("")
    assert app_at_the_table(said, {}) is None

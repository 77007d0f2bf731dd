"""The one mapping from exceptions to answers: bugs, refusals, the list of codes, and what the log may know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient

from engine.errors import Undecided
from service import create_app
from service.config import Settings
from service.contract.openapi import codes_of
from service.http.operation import Operation
from service.problems.codes import PROBLEMS
from service.problems.refusals import Refusal
from service.process import logs
from service.use_cases import rummy
from tests.service.calls import GROUPINGS, HAND, refused


@pytest.fixture
def fallible(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> Iterator[Any]:
    """A client whose groupings raise what they are told to."""

    def let_it_raise(fault: Exception) -> FlaskClient:
        def fail(*_: Any) -> None:
            raise fault

        monkeypatch.setattr(rummy, "group", fail)
        return client

    yield let_it_raise
    structlog.reset_defaults()


def ask(client: FlaskClient) -> Any:
    return client.post(GROUPINGS, json={"hand": HAND, "wild_rank": "7"}, headers={"X-Request-Id": "r-1"})


def test_a_bug_tells_nothing_but_the_request_id(fallible: Any, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    problem = refused(ask(fallible(RuntimeError("the hand is 4S 5S and the key is geheim"))), 500, "internal")
    assert "geheim" not in json.dumps(problem)
    (line,) = capsys.readouterr().err.splitlines()
    logged = json.loads(line)
    assert (logged["event"], logged["error"], logged["request_id"]) == ("bug", "RuntimeError", "r-1")
    assert any("test_errors.py" in frame for frame in logged["frames"])
    assert "geheim" not in line
    assert "4S" not in line


def test_what_cannot_be_proved_may_be_tried_again(fallible: Any) -> None:
    response = ask(fallible(Undecided("too much work")))
    refused(response, 503, "undecided")
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_code_of_the_list(fallible: Any, code: str) -> None:
    response = ask(fallible(Refusal(code, headers={"ETag": '"v3"'}, version=3)))
    problem = refused(response, PROBLEMS[code].status, code)
    assert problem["version"] == 3
    assert response.headers["ETag"] == '"v3"'
    assert ("Retry-After" in response.headers) == (PROBLEMS[code].status in (429, 503))
    assert ("WWW-Authenticate" in response.headers) == (PROBLEMS[code].status == 401)


def test_the_codes_of_the_contract_are_all_there() -> None:
    contract = [
        "bad_json",
        "invalid_request",
        "unknown_card",
        "impossible_hand",
        "unknown_rules",
        "corrupt_state",
        "unauthenticated",
        "forbidden",
        "not_found",
        "expired",
        "method_not_allowed",
        "too_large",
        "unsupported_media_type",
        "version_required",
        "stale_version",
        "key_reused",
        "record_not_open",
        "not_due",
        "rate_limited",
        "store_unavailable",
        "not_durable",
        "undecided",
    ]
    assert set(contract) <= set(PROBLEMS)


def test_operations_name_codes_that_exist(app: Flask) -> None:
    operations: dict[str, Operation] = app.config["OPERATIONS"]
    for operation in operations.values():
        assert set(operation.errors) <= set(PROBLEMS), operation.path
        assert "internal" in codes_of(operation)


def test_one_line_a_request_without_what_was_sent(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    logs.configure()
    client = create_app(Settings(log="requests", data=tmp_path)).test_client()
    ask(client)
    client.get("/nope/4S?token=geheim", headers={"Authorization": "Bearer geheim"})
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    structlog.reset_defaults()
    assert (first["operation"], first["status"], first["request_id"]) == ("groupHand", 200, "r-1")
    assert second["status"] == 404
    assert "geheim" not in json.dumps(second)
    assert "4S" not in json.dumps([first, second])


def test_pointers_are_escaped(client: FlaskClient) -> None:
    problem = refused(client.post(GROUPINGS, json={"hand": HAND, "wild_rank": "7", "~/": 1}), 422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "/~0~1"

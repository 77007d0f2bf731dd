"""What the tests of the service share: how a call is made, and what every error must look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.games import GAMES
from service.problems.codes import PROBLEMS

CASES = Path(__file__).parent.parent / "cases"
HAND = ["4S", "5S", "6S", "8H", "8D", "JK", "2C", "2C", "KD", "QH", "9C", "3D", "AC"]
GROUPINGS = "/v1/rummy/groupings"
VIOLATIONS = {code for game in GAMES.values() for code in game.violations}


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text())
    return found


def answered(client: FlaskClient, path: str, body: Any, status: int = 200) -> Any:
    """The answer to a call that succeeds."""
    response = client.post(path, json=body)
    assert response.status_code == status, response.get_data(as_text=True)
    assert response.content_type == "application/json"
    return response.json


def refused(response: TestResponse, status: int, code: str, *pointers: str) -> dict[str, Any]:
    """The problem of a call that fails: its shape checked, its status, code and places as said."""
    assert response.status_code == status, response.get_data(as_text=True)
    assert response.content_type == "application/problem+json"
    problem: dict[str, Any] = json.loads(response.data)
    assert problem["status"] == status
    assert problem["code"] == code
    assert code in PROBLEMS or code in VIOLATIONS
    assert problem["type"] == f"/docs/errors#{code}"
    assert problem["title"]
    assert problem["detail"]
    assert problem["request_id"] == response.headers["X-Request-Id"]
    if pointers:
        assert [flaw["pointer"] for flaw in problem["errors"]] == list(pointers)
        assert all(flaw["detail"] for flaw in problem["errors"])
    return problem


def wrong(client: FlaskClient, path: str, body: Any, code: str, *pointers: str) -> dict[str, Any]:
    """The 422 of a body that is JSON and wrong."""
    return refused(client.post(path, json=body), 422, code, *pointers)

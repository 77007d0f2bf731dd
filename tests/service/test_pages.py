"""Rules, health, metrics, and where they are described (the documentation itself: site/)."""

from __future__ import annotations

import re

import pytest
import yaml
from flask.testing import FlaskClient

from engine.games import GAMES
from engine.options import options, resolve, to_json
from service.config import VERSION
from tests.service.calls import GROUPINGS, HAND, answered, refused


def test_all_rules(client: FlaskClient) -> None:
    rules = client.get("/v1/rules").json
    assert rules
    assert set(rules) == set(GAMES)
    for name, game in GAMES.items():
        assert set(rules[name]["presets"]) == set(game.rules.presets())
        for told, (field, option) in zip(rules[name]["fields"], options(game.rules).items(), strict=True):
            assert (told["name"], told["sentence"]) == (field, option.sentence)
            assert {"type", "default", "allowed"} <= set(told)


@pytest.mark.parametrize(
    ("game", "preset"), [(name, preset) for name in GAMES for preset in GAMES[name].rules.presets()]
)
def test_a_preset_can_be_sent_back(client: FlaskClient, game: str, preset: str) -> None:
    told = client.get(f"/v1/rules/{game}/{preset}").json
    assert told == {"preset": preset, **to_json(resolve(GAMES[game].rules, preset))}
    state = answered(client, f"/v1/{game}/deals", {"seats": 2, "rules": told}, 201)["state"]
    assert state["rules"] == to_json(resolve(GAMES[game].rules, preset))


@pytest.mark.parametrize("path", ["/v1/rules/chess/house", "/v1/rules/rummy/nope", "/v1/rules/rummy"])
def test_rules_that_do_not_exist(client: FlaskClient, path: str) -> None:
    refused(client.get(path), 404, "not_found")


def test_the_root_says_where_to_look(client: FlaskClient) -> None:
    told = client.get("/").json
    assert told == {
        "service": "cardref",
        "version": VERSION,
        "docs": "/docs",
        "openapi": "/openapi.yaml",
        "play": "/play",
        "keys": False,
    }
    assert all(client.get(told[name]).status_code == 200 for name in ("docs", "openapi", "play"))


def test_the_version_lists_what_there_is(client: FlaskClient) -> None:
    told = client.get("/v1").json
    assert told
    described = yaml.safe_load(client.get(told["openapi"]).data)["paths"]
    calls = {(call["method"].lower(), call["path"]): call["summary"] for call in told["calls"]}
    assert calls == {
        (method, path): call["summary"]
        for path, methods in described.items()
        for method, call in methods.items()
        if path.startswith("/v1")
    }
    assert told["games"] == {name: list(game.rules.presets()) for name, game in GAMES.items()}
    assert all(presets[0] == "house" for presets in told["games"].values())
    refused(client.get("/v1?all=true"), 422, "invalid_request", "?all")
    refused(client.get("/v1/"), 404, "not_found")


def test_health(client: FlaskClient) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_metrics_count_requests_by_operation(client: FlaskClient) -> None:
    def count() -> float:
        text = client.get("/metrics").get_data(as_text=True)
        found = re.search(r'^cardref_requests_total{operation="groupHand",status="200"} (\S+)$', text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    before = count()
    answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7"})
    assert count() == before + 1

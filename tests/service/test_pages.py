"""Rules, health, metrics and the docs pages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine.games import GAMES
from engine.options import options, resolve, to_json
from service import docs_pages
from tests.service.calls import GROUPINGS, HAND, answered, refused

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


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
        "version": PROJECT["version"],
        "docs": "/docs",
        "openapi": "/openapi.yaml",
    }
    assert all(client.get(told[name]).status_code == 200 for name in ("docs", "openapi"))


def test_health(client: FlaskClient) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_metrics_count_requests_by_operation(client: FlaskClient) -> None:
    def count() -> float:
        text = client.get("/metrics").get_data(as_text=True)
        found = re.search(
            r'^cardref_requests_total{operation="post_v1_rummy_groupings",status="200"} (\S+)$', text, re.MULTILINE
        )
        return float(found[1]) if found else 0.0

    before = count()
    answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7"})
    assert count() == before + 1


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_pages_need_no_other_host_and_no_script(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    page = response.get_data(as_text=True)
    assert response.content_type == "text/html; charset=utf-8"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!/|#)', page)
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets <= set(re.findall(r'id="([^"]+)"', page))
    for link in set(re.findall(r'href="(/[^"#]*)"', page)):
        assert client.get(link).status_code == 200


def test_the_page_shows_every_call(client: FlaskClient) -> None:
    page = client.get("/docs").get_data(as_text=True)
    for operation in client.application.config["OPERATIONS"].values():
        assert f'id="{operation.name}"' in page
    assert f"<h1>Cardref <small>{PROJECT['version']}</small></h1>" in page


def section(page: str, name: str) -> str:
    """What the page says of one call."""
    return page.split(f'<h3 id="{name}">')[1].split("<h3 ")[0]


def test_the_page_shows_what_a_call_takes(client: FlaskClient) -> None:
    page = client.get("/docs").get_data(as_text=True)
    moves = section(page, "post_v1_games_id_moves")
    for name in (
        "Authorization",
        "Content-Type",
        "If-Match",
        "Idempotency-Key",
        "X-Request-Id",
        "id",
        "include",
        "move",
    ):
        assert f"<td><code>{name}</code>" in moves, name
    assert "<code>&#34;v17&#34;</code>" in moves
    assert "If-Match" not in section(page, "get_v1_games_id_events")
    assert "Authorization" not in section(page, "get_healthz")
    hand = section(page, "post_v1_rummy_groupings")
    assert '<td><code>hand</code></td><td>list of <a href="#Card">Card</a></td>' in hand
    assert "<td><code>rules</code></td><td>null or <code>&#34;house&#34;</code> / " in hand


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_code_in_sentences_is_shown_as_code(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert "`" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL)
    assert "<code>Retry-After</code>" in page


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_no_table_is_wider_than_a_phone(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert page.count("<table") == page.count('<div class="wide"><table') > 0


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("cards.example:81", "cards.example:81"),
        ("[::1]:8000", "[::1]:8000"),
        ("127.0.0.1", "127.0.0.1"),
        ("a<script>", "localhost:8000"),
        ("a;rm -r", "localhost:8000"),
        ("$(id)", "localhost:8000"),
        ("", "localhost:8000"),
    ],
)
def test_examples_call_the_address_that_the_page_was_asked_of(client: FlaskClient, host: str, shown: str) -> None:
    answer = client.get("/docs", headers={"Host": host})
    page = answer.get_data(as_text=True)
    assert set(re.findall(r"<pre>curl -s(?: -X \w+)? (.*?)/v1/", page)) == {shown}
    assert "<script" not in page
    assert answer.headers["Vary"] == "Host"


def test_behind_tls_examples_say_so() -> None:
    assert docs_pages.address("https", "cards.example") == "https://cards.example"

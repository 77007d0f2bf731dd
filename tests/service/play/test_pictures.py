"""Groupings as pictures: they show what the call about the hand answers, and are safe to show anywhere."""

from __future__ import annotations

import json
import string
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from service import create_app
from service.callers.auth import digest
from service.callers.limits import Limits
from service.config import Settings
from service.play import raster
from tests.service.calls import GROUPINGS, HAND, answered, cases, refused

PICTURE, DOTS = f"{GROUPINGS}.svg", f"{GROUPINGS}.png"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(client: FlaskClient, hand: list[str], wild_rank: str | None, rules: Any = "house") -> ElementTree.Element:
    """The picture, as XML."""
    query = {
        "hand": ",".join(hand),
        "wild_rank": wild_rank or "null",
        "rules": rules if isinstance(rules, str) else json.dumps(rules),
    }
    response = client.get(PICTURE, query_string=query)
    assert response.status_code == 200, response.text
    assert response.content_type.startswith("image/svg+xml")
    assert len(response.data) < 20_000
    return ElementTree.fromstring(response.data)  # our own answer


def texts(picture: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("rules", ["house", "indian", {"preset": "indian", "points_cap": 60}])
def test_a_picture_shows_what_the_call_answers(client: FlaskClient, rules: Any) -> None:
    hands = [case for case in cases("rummy-hands") if len(case["hand"]) in (13, 14)][:12]
    assert hands
    for case in [*hands, {"hand": [*HAND, "7D"], "wild_rank": "7"}]:
        body = {"hand": case["hand"], "wild_rank": case["wild_rank"], "rules": rules}
        told = answered(client, GROUPINGS, body)
        picture = drawn(client, **body)
        said = texts(picture)
        assert said[0].startswith(f"{told['points']} point")
        assert ("can be declared" in said[0].split("; ")) == told["declarable"]
        ranks = [{"10": "T", "JK": "K"}.get(text, text) for text in said if text in {*"A23456789JQK", "10", "JK"}]
        assert sorted(ranks) == sorted("K" if card == "JK" else card[0] for card in case["hand"])
        words = picture.findtext(f"{SVG}desc") or ""
        assert all(" ".join(group["cards"]) in words for group in told["groups"])
        stand_ins = sum(
            stands != card
            for group in told["groups"]
            for card, stands in zip(group["cards"], group["stands_for"], strict=True)
        )
        assert sum(text.startswith("= ") for text in said) == stand_ins
        assert any(text.startswith("Loose") for text in said) == bool(told["loose"])
        if told["loose"]:
            assert next(text for text in said if text.startswith("Loose")).endswith(str(told["points_uncapped"]))


def test_a_picture_runs_nothing_and_loads_nothing(client: FlaskClient) -> None:
    response = client.get(PICTURE, query_string={"hand": " ".join(HAND), "wild_rank": "7"})
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    picture = ElementTree.fromstring(response.data)
    assert {node.tag.removeprefix(SVG) for node in picture.iter()} == {
        "svg",
        "title",
        "desc",
        "defs",
        "g",
        "path",
        "rect",
        "text",
        "use",
    }
    for node in picture.iter():
        assert not [name for name in node.attrib if name.startswith("on")]
        assert node.get("href", "#").startswith("#")


def test_other_spellings_and_blanks_are_read(client: FlaskClient) -> None:
    usual = client.get(PICTURE, query_string={"hand": ",".join(HAND), "wild_rank": "7"})
    other = client.get(
        PICTURE, query_string={"hand": " ".join(HAND).lower().replace("9c", "9♣"), "wild_rank": "7", "rules": "house"}
    )
    assert other.data == usual.data


def test_the_rules_are_named(client: FlaskClient) -> None:
    changed = {"preset": "indian", "points_cap": 60, "max_trios": 2}
    assert "rules: indian with max_trios, points_cap;" in texts(drawn(client, HAND, "7", changed))[-1]


def test_a_picture_may_be_kept(client: FlaskClient) -> None:
    query = {"hand": ",".join(HAND), "wild_rank": "7"}
    first = client.get(PICTURE, query_string=query)
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    again = client.get(PICTURE, query_string=query, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(PICTURE, query_string=query, headers={"If-Match": '"v1"'}).data == first.data


@pytest.mark.parametrize(
    ("query", "code", "pointers"),
    [
        ({}, "invalid_request", ["?hand", "?wild_rank"]),
        ({"hand": ",".join(HAND)}, "invalid_request", ["?wild_rank"]),
        ({"hand": ",".join([*HAND[:-1], "1C"]), "wild_rank": "7"}, "unknown_card", ["?hand/12"]),
        ({"hand": ",".join(["2C"] * 13), "wild_rank": "7"}, "impossible_hand", None),
        ({"hand": "2C", "wild_rank": "7"}, "impossible_hand", ["?hand"]),
        ({"hand": "2C," * 90, "wild_rank": "7"}, "invalid_request", ["?hand"]),
        ({"hand": ",".join(HAND), "wild_rank": "X"}, "invalid_request", ["?wild_rank"]),
        ({"hand": ",".join(HAND), "wild_rank": "7", "rules": "nope"}, "unknown_rules", ["?rules"]),
        ({"hand": ",".join(HAND), "wild_rank": "7", "rules": "{"}, "invalid_request", ["?rules"]),
        ({"hand": ",".join(HAND), "wild_rank": "7", "rules": '{"points_cap": -1}'}, "invalid_request", ["?rules/points_cap"]),
        ({"hand": ",".join(HAND), "wild_rank": "7", "colour": "x"}, "invalid_request", ["?colour"]),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_at_its_place(
    client: FlaskClient, query: Any, code: str, pointers: Any
) -> None:
    problem = refused(client.get(PICTURE, query_string=query), 422, code)
    if pointers is not None:
        assert [flaw["pointer"] for flaw in problem["errors"]] == pointers
    assert all(flaw["pointer"].startswith("?") for flaw in problem["errors"])


def test_with_keys_a_picture_needs_one_and_counts_as_a_solve(tmp_path: Path) -> None:
    settings = Settings(log="errors", data=tmp_path, api_keys=(("shop", digest("s")),), limits=Limits(solves=7))
    client = create_app(settings).test_client()
    refused(client.get(PICTURE), 401, "unauthenticated")
    query = {"hand": ",".join(HAND), "wild_rank": "7"}
    told = client.get(PICTURE, query_string=query, headers={"Authorization": "Bearer s"})
    assert told.headers["Cache-Control"] == "private, max-age=86400"
    assert '"solves";q=70' in told.headers["RateLimit-Policy"]


def test_in_dots_it_is_the_same_picture(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"hand": ",".join(HAND), "wild_rank": "7", "rules": "indian"}
    drawn = client.get(PICTURE, query_string=query).text
    first = client.get(DOTS, query_string=query)
    assert (first.status_code, first.content_type, first.data[:8]) == (200, "image/png", b"\x89PNG\r\n\x1a\n")
    svg = ElementTree.fromstring(drawn)
    assert struct.unpack(">II", first.data[16:24]) == (2 * int(svg.attrib["width"]), 2 * int(svg.attrib["height"]))
    assert len(first.data) < 100_000
    assert first.headers["ETag"] != client.get(PICTURE, query_string=query).headers["ETag"]
    monkeypatch.setattr(raster, "png", None)  # who has it already, for whom it is not drawn
    again = client.get(DOTS, query_string=query, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("weight", [400, 700])
def test_its_fonts_have_every_sign(weight: int) -> None:
    def shown(text: str) -> bytes:
        return raster.png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" font-family="Arial, sans-serif">'
            f'<text x="2" y="16" font-size="16" font-weight="{weight}">{text}</text></svg>'
        )

    empty, unknown = shown(""), shown("\ue000")
    for sign in "".join(sorted({*string.ascii_letters, *string.digits, *"+=;:,.()-♠♥♦♣"})):
        assert shown(sign) not in (empty, unknown), sign


def test_dots_count_as_many_solves(tmp_path: Path) -> None:
    settings = Settings(log="errors", data=tmp_path, api_keys=(("shop", digest("s")),), limits=Limits(solves=7))
    client = create_app(settings).test_client()
    query = {"hand": ",".join(HAND), "wild_rank": "7"}
    asked = [client.get(DOTS, query_string=query, headers={"Authorization": "Bearer s"}) for _ in range(3)]
    assert [answer.status_code for answer in asked] == [200, 429, 429]

"""The documentation's files: what they are sent as, how long they may be kept, and that they need nobody else."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.games import GAMES
from service.problems.codes import PROBLEMS
from service.site import files
from tests.service.calls import refused

SCALAR = "/docs/assets/scalar-1.76.0/standalone.esm.js"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


class Page(HTMLParser):
    """What a page names and loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.comments: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if given.get("id") else []
        self.links += [value for name in ("href", "src") if (value := given.get(name)) and tag != "use"]
        self.scripts += [given.get("src") or ""] if tag == "script" else []

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("path", ["/docs", "/docs/guides/", "/docs/guides/errors.html"])
def test_pages_take_everything_from_here(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.content_type == "text/html; charset=utf-8"
    said = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert said == POLICY
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-cache"
    page = Page(response.text)
    assert "" not in page.scripts
    for script in page.scripts:
        assert not re.match(r"(?:[a-z]+:)?//", script)
    kept = client.get(path, headers={"If-None-Match": response.headers["ETag"]})
    assert (kept.status_code, kept.data) == (304, b"")
    assert client.get(path, headers={"If-Match": '"v1"'}).data == response.data


def test_what_others_wrote_is_compressed_and_kept_for_ever(client: FlaskClient) -> None:
    small = client.get(SCALAR, headers={"Accept-Encoding": "br, gzip"})
    plain = client.get(SCALAR)
    none = client.get(SCALAR, headers={"Accept-Encoding": "gzip;q=0"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(small.data) == plain.data == none.data
    assert small.headers["ETag"] != plain.headers["ETag"]
    for response in (small, plain):
        assert response.content_type == "text/javascript; charset=utf-8"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["Vary"] == "Accept-Encoding"
    kept = client.get(SCALAR, headers={"Accept-Encoding": "gzip", "If-None-Match": small.headers["ETag"]})
    assert kept.status_code == 304


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/docs/assets/reference.js", "text/javascript; charset=utf-8"),
        ("/docs/assets/reference.css", "text/css; charset=utf-8"),
        ("/docs/assets/icon.svg", "image/svg+xml; charset=utf-8"),
        ("/docs/assets/scalar-1.76.0/LICENSE", "text/plain; charset=utf-8"),
        ("/docs/guides/_static/searchtools.js", "text/javascript; charset=utf-8"),
    ],
)
def test_files_say_what_they_are(client: FlaskClient, path: str, content_type: str) -> None:
    assert client.get(path).content_type == content_type


@pytest.mark.parametrize(
    "path",
    [
        "/docs/assets/none.js",
        "/docs/assets/../files.py",
        "/docs/assets/..%2ffiles.py",
        "/docs/assets/%2e%2e/files.py",
        "/docs/assets//etc/passwd",
        "/docs/assets/scalar-1.76.0",
        "/docs/guides/none.html",
        "/docs/guides/../../README.md",
    ],
)
def test_nothing_else_can_be_had(client: FlaskClient, path: str) -> None:
    refused(client.get(path), 404, "not_found")


def test_where_the_guides_are_not_built_it_is_said_how(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "GUIDES", tmp_path)
    for path in ("/docs/guides/", "/docs/guides/errors.html"):
        response = client.get(path)
        assert (response.status_code, response.content_type) == (404, "text/plain; charset=utf-8")
        assert "make guides" in response.text


def test_the_type_of_a_problem_leads_to_its_code(client: FlaskClient) -> None:
    """Every code is an anchor of the guide; browsers keep the anchor when they are led on."""
    led = client.get("/docs/errors")
    assert led.status_code == 302
    assert led.headers["Location"] == "/docs/guides/errors.html"
    ids = Page(client.get("/docs/errors", follow_redirects=True).text).ids
    for code in {*PROBLEMS, *(code for game in GAMES.values() for code in game.violations)}:
        assert ids.count(code) == 1, code
    assert client.get("/docs/guides").headers["Location"] == "/docs/guides/"


def test_links_between_the_guides_lead_somewhere(app: Flask, guides: Path) -> None:
    pages = {path.name: Page(path.read_text(encoding="utf-8")) for path in guides.glob("*.html")}
    assert {"index.html", "glossary.html", "errors.html", "changelog.html"} <= pages.keys()
    client = app.test_client()
    for name, page in pages.items():
        assert not [comment for comment in page.comments if "made from" in comment or comment.strip() == "end"]
        for link in set(page.links):
            place, _, anchor = link.partition("#")
            target = place.partition("?")[0] or name
            if target.startswith("/"):
                assert client.get(target).status_code == 200, f"{name}: {link}"
            elif target in pages:
                assert not anchor or anchor in pages[target].ids, f"{name}: {link}"
            elif not re.match(r"[a-z]+:", link):
                assert (guides / target).is_file(), f"{name}: {link}"

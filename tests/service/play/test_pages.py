"""The pages' files: what they are sent as and under which policy, that nothing in them is inline, and that their links lead somewhere."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.games import GAMES
from engine.options import options
from service.play import pages
from tests.service.calls import refused

PAGES = {"/": "front", "/play": "lab", "/play/replay": "replay", "/play/rules": "rules"}
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SCRIPTS = sorted(pages.ASSETS.glob("*.js"))


class Page(HTMLParser):
    """What a page loads, links to and says in place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.labels: set[str] = set()
        self.ids: list[str] = []
        self.inline: list[str] = []
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._within = tag if tag in ("script", "style") else ""
        self.loads += [str(given[name]) for name in ("src", "href") if name in given and tag in ("script", "link")]
        self.links += [str(given["href"])] if tag == "a" and "href" in given else []
        self.ids += [str(given["id"])] if "id" in given else []
        self.inline += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        if self._within and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._within = ""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_takes_everything_from_here_and_nothing_inline(client: FlaskClient, path: str) -> None:
    response = client.get(path, headers={"Accept": BROWSER})
    assert (response.status_code, response.content_type) == (200, "text/html; charset=utf-8")
    said = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert said.pop("default-src") == said.pop("base-uri") == said.pop("form-action") == "'none'"
    assert said.pop("frame-ancestors") == "'none'"
    assert set(said.values()) == {"'self'"}
    page = Page(response.text)
    assert page.inline == []
    assert len(page.ids) == len(set(page.ids))
    for file in page.loads:
        assert file.startswith("/")
        assert client.get(file).status_code == 200, file
    kept = client.get(path, headers={"Accept": BROWSER, "If-None-Match": response.headers["ETag"]})
    assert (kept.status_code, kept.data) == (304, b"")


def test_people_get_a_page_at_the_front_door_and_programs_json(client: FlaskClient) -> None:
    for accept in (None, "*/*", "application/json", "application/json, text/html", "text/html;q=0.5, application/json"):
        answer = client.get("/", headers={"Accept": accept} if accept else {})
        assert answer.content_type == "application/json", accept
        assert answer.headers["Vary"] == "Accept"
    for accept in (BROWSER, "text/html"):
        page = client.get("/", headers={"Accept": accept})
        assert page.content_type == "text/html; charset=utf-8"
        assert page.vary.as_set() == {"accept", "accept-encoding"}


def test_files_are_compressed_for_those_who_take_that(client: FlaskClient) -> None:
    small = client.get("/play/assets/play.css", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/play/assets/play.css")
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == plain.data == (pages.ASSETS / "play.css").read_bytes()
    assert plain.content_type == "text/css; charset=utf-8"
    assert plain.headers["Cache-Control"] == "no-cache"
    assert small.headers["ETag"] != plain.headers["ETag"]
    assert client.head("/play/assets/play.css").data == b""


@pytest.mark.parametrize(
    "path", ["/play/assets/none.js", "/play/assets/../pages.py", "/play/assets/..%2fpages.py", "/play/x"]
)
def test_nothing_else_can_be_had(client: FlaskClient, path: str) -> None:
    refused(client.get(path), 404, "not_found")


def test_only_get(client: FlaskClient) -> None:
    for path in ("/play", "/play/assets/play.css"):
        refused(client.post(path), 405, "method_not_allowed")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_short_asks_nobody_else_and_reads_no_html(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|sessionStorage", text
    )
    hosts = set(re.findall(r"""["'`](?:https?:)?//[^"'`/]*""", text))
    assert hosts <= {'"http://www.w3.org'}  # the name of SVG's elements


def test_what_is_kept_for_the_next_time_is_how_the_pages_look() -> None:
    """Never a key, a token or a hand."""
    keep = [path.name for path in SCRIPTS if "localStorage" in path.read_text(encoding="utf-8")]
    assert keep == ["frame.js"]


def test_every_section_of_an_option_has_a_title_and_a_place_in_the_guide() -> None:
    titles = (pages.ASSETS / "rules-data.js").read_text(encoding="utf-8")
    places = (pages.ASSETS / "replay-words.js").read_text(encoding="utf-8")
    guide = (pages.ASSETS.parents[2] / "docs/rules.md").read_text(encoding="utf-8")
    slugs = {slug(line) for line in guide.splitlines() if line.startswith("#")}
    for section in {option.section for game in GAMES.values() for option in options(game.rules).values()}:
        assert re.search(rf'"?{re.escape(section)}"?: "', titles), section
        found = re.search(rf'\b{re.escape(section)}: "([^"]+)"', places)
        assert found, section
        assert found[1] in slugs, section


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the guides make it."""
    return re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower()).replace(" ", "-")


def test_every_event_has_words() -> None:
    words = (pages.ASSETS / "replay-words.js").read_text(encoding="utf-8")
    told = set(re.findall(r'case "(\w+)":', words))
    happens = {event.type for game in GAMES.values() for event in game.events}
    assert told == happens

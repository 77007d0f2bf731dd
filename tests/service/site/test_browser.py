"""The documentation in a browser: it opens, finds, tries a call, can be read by everybody, and asks no other host for anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.site.browser import Watched, browser, opened, serious
from tests.service.site.conftest import KEY

GROUP_A_HAND = "/docs#tag/rummy/POST/v1/rummy/groupings"
DELETE_A_GAME = "/docs#tag/games/DELETE/v1/games/{id}"
DESKTOP, PHONE = 1280, 390

# What Scalar's own dialog for trying a call lacks: a name for its editor, what opens from its fields and its status, and
# contrast while it moves.
OF_THE_DIALOG = {"aria-input-field-name", "aria-required-attr", "aria-valid-attr-value", "color-contrast"}


@pytest.fixture(scope="module")  # as long as it lasts, no test of this process can run a loop of its own
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


def go(watched: Watched, url: str) -> Page:
    """Open a page anew, as one that comes from elsewhere."""
    watched.page.goto("about:blank")
    watched.page.goto(url)
    return watched.page


def tried(page: Page, key: str = "") -> tuple[int, Any]:
    """The answer to the first call on the page, sent as it stands there, and shown."""
    page.get_by_role("button", name="Test Request").first.click()
    dialog = page.get_by_role("dialog")
    if key:
        dialog.get_by_placeholder("Token").fill(key)
    with page.expect_response("**/v1/rummy/groupings") as waited:
        dialog.get_by_role("button", name="Send").first.click()
    expect(dialog.get_by_text("200 OK").first).to_be_visible()
    return waited.value.status, json.loads(waited.value.body())


def copied(page: Page, start: str) -> str:
    """What the button beside the sample that begins so puts on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_text(start).first.hover()
    page.locator("button", has_text="cURL").filter(has_text="Copy").first.click()
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found


def test_a_call_is_found_and_tried(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = go(watched, f"{live_url}/docs")
        page.get_by_role("button", name="Search").first.click()
        page.get_by_role("combobox").first.fill("groupings")
        page.get_by_role("option").filter(has_text="Group a hand").first.click()
        expect(page.get_by_role("heading", name="Group a hand", exact=True)).to_be_in_viewport()
        assert serious(page) == set()
        status, answer = tried(page)
        assert (status, answer["points"]) == (200, 50)
        assert serious(page) <= OF_THE_DIALOG


@pytest.mark.parametrize("served", ["keyed"], indirect=True)
def test_a_sample_is_copied_and_the_call_tried_with_a_key(chromium: Browser, served: tuple[str, bool]) -> None:
    url, _ = served
    with opened(chromium, url, DESKTOP) as watched:
        page = go(watched, url + GROUP_A_HAND)
        sample = copied(page, f"curl -s {url}/v1/rummy/groupings")
        status, answer = tried(page, KEY)
    assert sample.startswith(f'curl -s {url}/v1/rummy/groupings \\\n  -H "Authorization: Bearer $CARDREF_KEY"')
    assert sample.endswith("}'")
    assert (status, answer["points"]) == (200, 50)


def test_the_reference_on_a_phone_in_the_dark(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, PHONE, "dark") as watched:
        page = go(watched, live_url + DELETE_A_GAME)
        expect(page.get_by_role("heading", name="Delete a game", exact=True)).to_be_in_viewport()
        assert serious(page) == set()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_the_guides(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = go(watched, f"{live_url}/docs/guides/search.html?q=deadwood")
        page.get_by_role("link", name="Our words and the trade").last.click()
        expect(page.get_by_role("heading", name="Our words and the trade")).to_be_visible()
        assert serious(page) == set()
        page = go(watched, f"{live_url}/docs/errors#unknown_card")
        expect(page.get_by_text("A text is no card").first).to_be_in_viewport()
        assert page.url == f"{live_url}/docs/guides/errors.html#unknown_card"
        page.get_by_label("Toggle Light / Dark / Auto color theme").locator("visible=true").first.click()
        chosen = page.evaluate("document.body.dataset.theme")
        page.reload()
        assert page.evaluate("document.body.dataset.theme") == chosen != "auto"


def test_the_guides_on_a_phone_in_the_dark(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, PHONE, "dark") as watched:
        for name in ("", "api.html"):
            page = go(watched, f"{live_url}/docs/guides/{name}")
            assert serious(page) == set()
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
            assert page.evaluate(
                "[...document.querySelectorAll('.table-wrapper, .highlight > pre')].every((part) => part.tabIndex === 0)"
            )

"""Records of a pool and of deals in the replay: who is out, comes back, leaves and shares, in words, in standings and on the table."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.play.formats import deals, pool
from tests.service.play.test_replay import DESKTOP, PHONE, checked, load
from tests.service.site.browser import opened

SAID = {
    "eliminated": "seat 0 is out of the match with a total of 75.",
    "rejoined": "seat 0 comes back with a total of 31.",
    "withdrawn": "seat 2 leaves the match for good.",
    "split_agreed": "seat 1 agrees to split the pot.",
}


def go_to(page: Page, move: int) -> None:
    page.locator("#slider").fill(str(move))
    expect(page.locator("#position-title")).to_contain_text(f"Move {move} of")


def behind(record: Any, event: str) -> int:
    """The position behind the last event of a type."""
    return max(at for at, move in enumerate(record["moves"], 1) if event in [each["type"] for each in move["events"]])


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_pool(chromium: Browser, live_url: str, tmp_path: Any, width: int) -> None:
    record = pool(tmp_path)
    with opened(chromium, live_url, width) as watched:
        page = watched.page
        load(page, live_url, record)
        checked(page, record)
        for event, words in SAID.items():
            go_to(page, behind(record, event))
            expect(page.locator("#now")).to_contain_text(words)
        seats = page.locator("#table .seat")
        expect(seats.nth(1)).to_contain_text("place 1, share")
        expect(seats.nth(0)).to_contain_text("came back once")
        expect(seats.nth(2)).to_contain_text("withdrawn")
        expect(page.locator("#now")).to_contain_text("seat 0 and seat 1 share the match.")
        go_to(page, behind(record, "eliminated"))
        expect(seats.nth(0)).to_contain_text("out, may rejoin")
        between = page.locator("#table .pause")
        expect(between).to_contain_text("The pot holds 3 entries. May come back with a total of 31: seat 0.")
        go_to(page, behind(record, "split_agreed") - 1)
        expect(between).to_contain_text(
            "The pot holds 4 entries. A split would pay seat 0 1, seat 1 3. Agreed to split: seat 0."
        )
        go_to(page, behind(record, "eliminated"))
        page.get_by_label("Seen by").select_option("spectator")
        expect(seats.nth(1)).to_contain_text("2 drops left")
        expect(between).to_contain_text("May come back with a total of 31: seat 0.")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_deals_with_a_tie(chromium: Browser, live_url: str, tmp_path: Any) -> None:
    record = deals(tmp_path)
    with opened(chromium, live_url, PHONE) as watched:
        page = watched.page
        load(page, live_url, record)
        checked(page, record)
        go_to(page, behind(record, "dealt"))
        out = page.locator("#table .seat", has_text="not in this round")
        expect(out).to_have_count(1)
        expect(out).to_contain_text("chips")
        expect(out).to_contain_text("no cards")
        page.get_by_role("button", name="To the end").click()
        expect(page.locator("#now")).to_contain_text("seat 0 wins the match.")
        expect(page.locator("#table .scores")).to_contain_text("seat 1: not dealt to")

"""The front door and the rules side by side, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from engine.games import GAMES
from engine.options import options
from tests.service.site.browser import opened, serious
from tests.service.site.conftest import KEY

DESKTOP, PHONE = 1280, 390
BOTH = pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])


@BOTH
def test_the_front_door(chromium: Browser, live_url: str, width: int, scheme: str) -> None:
    with opened(chromium, live_url, width, scheme) as watched:
        page = watched.page
        page.goto(f"{live_url}/")
        expect(page.locator("#state")).to_contain_text("Ready")
        expect(page.locator("#answer")).to_contain_text("50 points, cannot be declared.")
        expect(page.locator("#calls")).to_contain_text("/v1/rummy/groupings")
        assert serious(page) == set()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for address in page.locator("a[href^='/']").evaluate_all(
            "links => links.map((link) => link.getAttribute('href'))"
        ):
            assert page.request.get(live_url + address).status == 200, address
        page.get_by_role("link", name="In the hand lab").click()
        expect(page.locator("#best")).to_contain_text("50 points")


@pytest.mark.parametrize("served", ["keyed"], indirect=True)
def test_the_front_door_asks_for_no_key_until_a_call_is_asked_for(chromium: Browser, served: tuple[str, bool]) -> None:
    url, _ = served
    with opened(chromium, url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{url}/")
        expect(page.locator("#state")).to_contain_text("Ready")
        expect(page.locator("form.key")).to_have_count(0)
        page.get_by_role("button", name="Ask it now").click()
        page.get_by_label("This service asks for a key").fill(KEY)
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_contain_text("50 points")


@BOTH
def test_rules_side_by_side(chromium: Browser, live_url: str, width: int, scheme: str) -> None:
    with opened(chromium, live_url, width, scheme) as watched:
        page = watched.page
        page.goto(f"{live_url}/play/rules")
        rows = page.locator("#table tr[data-option]")
        names = [*options(GAMES["rummy"].rules)]
        expect(rows).to_have_count(len(names))
        cap = page.locator("tr[data-option=points_cap]")
        expect(cap).to_contain_text("≠ 80")
        assert serious(page) == set()
        page.get_by_label("Only what differs").check()
        assert 5 < rows.count() < len(names)
        page.get_by_label("pool_61").check()
        expect(page.locator("tr[data-option=pool_limit]")).to_contain_text("≠ 61")
        page.reload()
        expect(page.locator("tr[data-option=pool_limit]")).to_contain_text("≠ 61")
        page.get_by_label("Game").select_option("swoop")
        expect(page.locator("tr[data-option=pickup_ends_turn]")).to_contain_text("≠ yes")
        page.get_by_label("Find").fill("limit")
        expect(page.locator("tr[data-option=pickup_ends_turn]")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_colours_and_theme_are_chosen_and_remembered(chromium: Browser, live_url: str) -> None:
    """Never by colour alone: with two colours each suit still has its sign."""
    with opened(chromium, live_url, PHONE) as watched:
        page = watched.page
        page.goto(f"{live_url}/")
        expect(page.locator("#answer .card").first).to_be_visible()
        colour = "(suit) => getComputedStyle(document.querySelector(`.card[data-suit=${suit}]`)).fill"
        assert page.evaluate(colour, "D") != page.evaluate(colour, "H")
        page.get_by_role("button", name="Suits: four colours").click()
        assert page.evaluate(colour, "D") == page.evaluate(colour, "H")
        signs = page.evaluate(
            "[...document.querySelectorAll('.card use')].map((use) => use.getAttribute('href').split('#')[1])"
        )
        assert {"S", "H", "D", "C"} <= set(signs)
        page.get_by_role("button", name="Theme: as the system").click()
        page.get_by_role("button", name="Theme: light").click()
        page.goto(f"{live_url}/play/rules")
        expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"

"""The hand lab in a browser: by mouse, touch and keyboard, wide and narrow."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.calls import HAND
from tests.service.site.browser import opened, serious
from tests.service.site.conftest import KEY

DESKTOP, PHONE = 1280, 390


def best(page: Page) -> Page:
    """The page once its answer is there."""
    expect(page.locator("#best .verdict")).to_be_visible()
    expect(page.locator("#best.busy")).to_have_count(0)
    return page


def write(page: Page, text: str) -> None:
    """Put a text in the place of what stands there, and wait until it is answered."""
    page.get_by_label("Type or paste").fill(text)
    page.wait_for_function(
        "text => document.querySelector('#count').textContent && decodeURIComponent(location.hash).length > 20",
        arg=text,
    )
    page.wait_for_timeout(330)  # what is typed is read once nobody types
    expect(page.locator("#best.busy")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_a_hand_is_shown_and_nothing_keeps_people_out(
    chromium: Browser, live_url: str, width: int, scheme: str
) -> None:
    with opened(chromium, live_url, width, scheme) as watched:
        weights: dict[str, int] = {}
        watched.page.on(
            "response", lambda answer: weights.update({answer.url: int(answer.headers.get("content-length", 0))})
        )
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        expect(page.locator("#best")).to_contain_text("50 points: it cannot be declared.")
        expect(page.locator("#best")).to_contain_text("10 + 10 + 9 + 8 + 8 + 3 + 2 = 50")
        expect(page.locator("#best")).to_contain_text("Why it cannot be declared")
        expect(page.locator("#best .card[data-card=JK]")).to_have_attribute(
            "aria-label", "joker (JK), stands for 3 of clubs (3C)"
        )
        page.get_by_text("Single options").click()
        expect(page.locator("#option-points_cap")).to_be_visible()
        assert serious(page) == set()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert 0 < sum(weights.values()) <= 300_000
        assert all(
            "gzip" in answer
            for answer in [page.request.get(f"{live_url}/play/assets/lab.js").headers["content-encoding"]]
        )


def test_a_declaration_by_mouse(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        write(page, "4S 5S 6S | 3S TD JD QD | 8H 8D 8C | 2C 3C JK")
        declared = page.locator("#declared")
        expect(declared).to_contain_text("Not valid.")
        expect(declared).to_contain_text("not_a_group")
        expect(declared).to_contain_text("The same cards can be declared, grouped so:")
        page.get_by_role("button", name="Lay it so").click()
        expect(declared).to_contain_text("Valid.")
        expect(page.locator("#call-text")).to_contain_text("/v1/rummy/declarations")
        laid = page.url
        page.locator("#tray .pick").first.click()
        page.get_by_role("button", name="Take out of its group").click()
        expect(declared).to_contain_text("Not valid.")
        page.get_by_role("button", name="Undo").click()
        expect(declared).to_contain_text("Valid.")
        assert page.url == laid
        page.reload()
        expect(page.locator("#declared")).to_contain_text("Valid.")
        page.get_by_role("tab", name="Python").click()
        expect(page.locator("#call-text")).to_contain_text("requests.post(")


def test_hands_by_touch(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, PHONE, touch=True) as watched:
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        page.get_by_role("button", name="Worst hand").tap()
        expect(page.locator("#best")).to_contain_text("130 points")
        page.locator("#tray .pick").first.tap()
        page.get_by_role("button", name="Remove").tap()
        expect(page.locator("#best")).to_contain_text("1 card to go")
        page.get_by_text("Add a card").tap()
        page.get_by_role("button", name="Add the 5 of clubs").tap()
        expect(page.locator("#best")).to_contain_text("125 points")
        page.get_by_role("button", name="Random hand").tap()
        expect(page.locator("#count")).to_have_text("13 of 13 or 14")
        expect(page.locator("#best .verdict")).not_to_contain_text("125 points")
        with page.expect_response("**/groupings") as waited:
            page.get_by_role("button", name="Others worth as much").tap()
        assert waited.value.status == 200


def test_by_keyboard_alone(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="To the hand")).to_be_focused()
        page.get_by_role("button", name="Clear").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#best")).to_contain_text("13 cards to go")
        page.get_by_role("button", name="Add the 4 of spades").focus()
        for _ in range(3):
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
        expect(page.locator("#text")).to_have_value("4S 5S 6S")
        page.locator("#tray .pick").first.focus()
        for _ in range(3):
            page.keyboard.press("Space")
            page.keyboard.press("Tab")
        page.get_by_role("button", name="Lay as a group").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#declared")).to_contain_text("Pure sequence")
        page.get_by_role("tab", name="curl").focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="Python")).to_be_focused()
        page.keyboard.press("Control+z")
        expect(page.locator("#declared-box")).to_be_hidden()


def test_what_support_pastes(chromium: Browser, live_url: str) -> None:
    """A call, a move, cards in another spelling, and what is no card."""
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        write(page, json.dumps({"hand": HAND, "wild_rank": "8", "rules": {"preset": "indian", "points_cap": 60}}))
        expect(page.locator("#wild")).to_have_value("8")
        expect(page.locator("#preset")).to_have_value("indian")
        expect(page.locator("#changed")).to_contain_text("points_cap")
        write(
            page,
            json.dumps(
                {
                    "seat": 0,
                    "move": {"type": "declare", "fold": "9S", "groups": [["4S", "5S", "6S"], ["8H", "8D", "8C"]]},
                }
            ),
        )
        expect(page.locator("#count")).to_have_text("7 of 13 or 14")
        expect(page.locator("#declared")).to_contain_text("not_thirteen_cards")
        write(page, "10d, td ♣")
        expect(page.locator("#text-wrong")).to_contain_text("is no card")
        write(page, "10d td 5♥ joker")
        expect(page.locator("#count")).to_have_text("4 of 13 or 14")
        expect(page.locator("#text-wrong")).to_be_empty()


def test_a_folded_card_is_out_of_what_is_asked(chromium: Browser, live_url: str) -> None:
    """Whether a hand can be declared by folding one card says nothing of folding another."""
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play#hand=4S,5S,6S,TD,JD,QD,KD,8H,8D,8C,2C,3C,JK,9S&wild_rank=5&rules=indian")
        best(page)
        expect(page.locator("#best")).to_contain_text("Can be declared: 0 points. Fold 9")
        page.get_by_role("button", name="king of diamonds (KD)", exact=True).click()
        page.get_by_role("button", name="Fold", exact=True).click()
        expect(page.locator("#best")).to_contain_text("it cannot be declared")
        assert "fold=KD" in page.url
        write(page, "4S 5S 6S\nTD JD QD KD\n8H 8D 8D\n2C 3C JK")
        expect(page.locator("#declared")).to_contain_text("not_a_group")
        expect(page.locator("#declared details")).to_contain_text("trio_suits_distinct: yes")


def test_rules_are_chosen_and_explained(chromium: Browser, live_url: str) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play")
        best(page)
        page.get_by_role("button", name="Worst hand").click()
        page.get_by_label("Preset", exact=True).select_option("indian")
        expect(page.locator("#best")).to_contain_text("80 points (130 before the cap)")
        page.get_by_text("Single options").click()
        page.get_by_label("Find").fill("cap")
        page.get_by_label("points_cap").fill("60")
        page.get_by_label("points_cap").press("Enter")
        expect(page.locator("#best")).to_contain_text("60 points (130 before the cap)")
        assert '"points_cap":60' in page.evaluate("decodeURIComponent(location.hash)").replace(" ", "")
        page.get_by_label("Find").fill("ace_points")
        page.get_by_label("ace_points").fill("1")
        page.get_by_label("ace_points").press("Enter")
        expect(page.locator("#best")).to_contain_text("60 points (103 before the cap)")
        expect(page.locator("#best")).to_contain_text("10 + 1 + 1 + 1 = 103")
        page.get_by_label("Find").fill("cap")
        page.get_by_label("points_cap").fill("-1")
        page.get_by_label("points_cap").press("Enter")
        expect(page.locator("#best [role=alert]")).to_contain_text("points_cap")
        watched.wrong.clear()  # the refusal that was asked for


@pytest.mark.parametrize("served", ["keyed"], indirect=True)
def test_a_key_is_asked_for_and_kept_nowhere(chromium: Browser, served: tuple[str, bool]) -> None:
    url, _ = served
    with opened(chromium, url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{url}/play")
        page.get_by_label("This service asks for a key").fill(KEY)
        page.get_by_role("button", name="Use it").click()
        best(page)
        expect(page.locator("#best")).to_contain_text("50 points")
        expect(page.locator("#call-text")).to_contain_text("$CARDREF_KEY")
        kept = page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state])"
        )
        assert KEY not in kept
        page.reload()
        expect(page.get_by_label("This service asks for a key")).to_be_visible()

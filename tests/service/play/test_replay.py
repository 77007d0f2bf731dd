"""The replay in a browser: every way to open a record, step, look with other eyes, and find what was tampered with."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.play.conftest import Record
from tests.service.site.browser import opened, serious
from tests.service.site.conftest import KEY

DESKTOP, PHONE = 1280, 390


def load(page: Page, url: str, record: Record, fragment: str = "") -> None:
    """Open the page anew and a record in it, from a file."""
    page.goto("about:blank")
    page.goto(f"{url}/play/replay{fragment}")
    content = json.dumps(record).encode()
    page.get_by_label("From a file").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": content}
    )


def checked(page: Page, record: Record) -> None:
    """Both checks are done, and found nothing wrong."""
    checks = page.locator("#checks")
    expect(checks).to_contain_text("every card came as the committed seed says", timeout=15_000)
    expect(checks).to_contain_text(f"the service makes the same of all {len(record['moves'])}", timeout=15_000)
    expect(checks.locator(".wrong")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "width", "scheme"),
    [("rummy", DESKTOP, "light"), ("swoop", PHONE, "dark")],
)
def test_a_record_is_played_again_and_its_shuffles_checked(
    chromium: Browser, live_url: str, records: dict[str, Record], game: str, width: int, scheme: str
) -> None:
    record = records[game]
    moves = len(record["moves"])
    with opened(chromium, live_url, width, scheme, touch=width == PHONE) as watched:
        page = watched.page
        load(page, live_url, record)
        checked(page, record)
        press = (
            (lambda name: page.get_by_role("button", name=name, exact=True).tap())
            if width == PHONE
            else (lambda name: page.get_by_role("button", name=name, exact=True).click())
        )
        press("One move on")
        expect(page.locator("#position-title")).to_have_text(f"Move 1 of {moves}")
        press("To the end")
        expect(page.locator("#now")).to_contain_text("the match")
        expect(page.get_by_role("button", name="One move on")).to_be_disabled()
        press("To the deal")
        hidden = page.locator("#table .card[data-card='??']")
        expect(page.locator("#table .seat")).to_have_count(3)
        expect(hidden).to_have_count(0)
        page.get_by_label("Seen by").select_option("spectator")
        expect(hidden.first).to_be_visible()
        shown = page.locator("#table .seat .card:not([data-card='??'])").count()
        assert shown == (0 if game == "rummy" else 12)  # guards are open to all
        assert serious(page) == set()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_by_keyboard_and_a_link_to_a_position(chromium: Browser, live_url: str, records: dict[str, Record]) -> None:
    record = records["rummy"]
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        load(page, live_url, record)
        checked(page, record)
        page.locator("#log").focus()
        for key, move in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", len(record["moves"]))):
            page.keyboard.press(key)
            expect(page.locator("#position-title")).to_contain_text(f"Move {move} of")
        page.keyboard.press("Home")
        expect(page.locator("#position-title")).to_have_text("The deal")
        drew = next(
            at
            for at, move in enumerate(record["moves"], 1)
            if move["seat"] == 1 and move["events"][0].get("from") == "stock"
        )
        load(page, live_url, record, f"#step={drew}&eyes=0")
        expect(page.locator("#now")).to_contain_text("seat 1 draws from the stock: a card.")
        page.get_by_label("Seen by").select_option("1")
        expect(page.locator("#now .chip[data-suit]")).to_have_count(1)
        assert f"step={drew}" in page.url
        assert "eyes=1" in page.url


def test_a_failed_declaration_is_judged_again_in_the_lab(
    chromium: Browser, live_url: str, records: dict[str, Record]
) -> None:
    record = records["rummy"]
    failed = next(at for at, move in enumerate(record["moves"], 1) if move["events"][0]["type"] == "penalised")
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        load(page, live_url, record, f"#step={failed}")
        checked(page, record)
        expect(page.locator("#now")).to_contain_text("and it fails: 80 points")
        with page.context.expect_page() as other:
            page.get_by_role("link", name="Judge it in the hand lab").click()
        lab = other.value
        expect(lab.locator("#count")).to_have_text("14 of 13 or 14")
        expect(lab.locator("#best")).to_contain_text("it cannot be declared")
        expect(lab.locator("#changed")).to_contain_text("invalid_declaration")


def _another_card_drawn(record: Record) -> int:
    at = next(at for at, move in enumerate(record["moves"]) if move["events"][0].get("from") == "stock" and at > 10)
    event = record["moves"][at]["events"][0]
    event["card"] = "AS" if event["card"] != "AS" else "2S"
    return at + 1


def _another_seed(record: Record) -> int:
    record["seed"] = "5f" * 32
    return 0


def _another_hand(record: Record) -> int:
    hands = record["deal"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    return 0


TAMPERED = (
    (_another_card_drawn, "the card that seat"),
    (_another_seed, "fails at “Commitment”"),
    (_another_hand, "the hand of seat 0"),
)


def test_it_is_said_which_step_was_tampered_with(chromium: Browser, live_url: str, records: dict[str, Record]) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        for tamper, said in TAMPERED:
            record = deepcopy(records["rummy"])
            at = tamper(record)
            load(page, live_url, record)
            checks = page.locator("#checks")
            expect(checks).to_contain_text(said, timeout=15_000)
            if at:
                expect(checks).to_contain_text(f"Move {at}: ")
                checks.get_by_role("button", name=f"See move {at}").first.click()
                expect(page.locator("#position-title")).to_contain_text(f"Move {at} of")
        # with another seed the recorded moves are not legal, which the service says
        watched.wrong[:] = [
            wrong for wrong in watched.wrong if "transitions" not in wrong and "Failed to load" not in wrong
        ]


@pytest.mark.parametrize("served", ["keyed"], indirect=True)
def test_a_game_that_is_kept_here_is_opened_with_a_token(chromium: Browser, served: tuple[str, bool]) -> None:
    url, _ = served
    with opened(chromium, url, DESKTOP) as watched:
        page = watched.page
        table = started(page, url)
        page.goto(f"{url}/play/replay")
        page.get_by_label("Of a game that is kept here").fill(f"{url}/v1/games/{table['id']}")
        page.get_by_label("Token of a seat").fill(table["seats"][0]["token"])
        page.locator("#fetch").get_by_role("button", name="Open").click()
        page.get_by_label("This service asks for a key").fill(KEY)  # of the stateless calls
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#checks")).to_contain_text("the service makes the same of all 1")
        assert f"game={table['id']}" in page.url
        assert table["seats"][0]["token"] not in page.evaluate(
            "JSON.stringify([{...localStorage}, document.cookie, location.href])"
        )


def started(page: Page, url: str) -> Any:
    """A game that was ended at once, so that its record is open."""
    headers = {"Authorization": f"Bearer {KEY}"}
    table = page.request.post(
        f"{url}/v1/games", headers=headers, data={"game": "rummy", "seats": ["Ann", "Ben"]}
    ).json()
    moved = page.request.post(
        f"{url}/v1/games/{table['id']}/moves",
        headers={**headers, "If-Match": '"v1"'},
        data={"seat": None, "move": {"type": "abort"}},
    )
    assert moved.status == 201
    return table


def test_pasted_and_the_sample(chromium: Browser, live_url: str, records: dict[str, Record]) -> None:
    with opened(chromium, live_url, DESKTOP) as watched:
        page = watched.page
        page.goto(f"{live_url}/play/replay")
        field, button = page.get_by_label("Pasted"), page.locator("#paste").get_by_role("button", name="Open")
        for text, said in (
            ("nothing", "no JSON"),
            ('{"game": "rummy"}', "it lacks rules, seed"),
            (Path(__file__).read_text()[:50], "no JSON"),
        ):
            field.fill(text)
            button.click()
            expect(page.locator("#open-wrong")).to_contain_text(said)
        field.fill(json.dumps(records["swoop"]))
        button.click()
        expect(page.locator("#position-title")).to_have_text("The deal")
        page.get_by_text("Open a record").click()
        page.get_by_role("button", name="Play a sample match").click()
        expect(page.locator("#table")).to_contain_text("north", timeout=20_000)
        expect(page.locator("#checks")).to_contain_text("every card came as the committed seed says", timeout=15_000)

"""A browser of its own for the tests: Debian's Chromium without a window, driven by Playwright. Whatever a page does wrong is noted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, sync_playwright

from tests.needs import without

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip


@dataclass
class Watched:
    """A page, and what happened on it that must not: errors on the console, files that are not there, requests to others."""

    page: Page
    host: str
    wrong: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("response", self._answered)
        self.page.on("request", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status}: {response.url}")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.elsewhere.append(request.url)


@contextmanager
def browser() -> Iterator[Browser]:
    """Ends with the block. No Chromium: the test is skipped, or fails in CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        without("no Chromium here (apt-get install chromium), so the documentation was NOT looked at in a browser")
    with sync_playwright() as playwright:
        # Any host but this machine cannot even be looked up.
        rules = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
        found = playwright.chromium.launch(executable_path=program, args=[*FLAGS, rules])
        try:
            yield found
        finally:
            found.close()


def serious(page: Page) -> set[str]:
    """What keeps people out, as axe finds it."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return {each["id"] for each in found if each["impact"] in ("serious", "critical")}


@contextmanager
def opened(browser: Browser, url: str, width: int, scheme: Any = "light", *, touch: bool = False) -> Iterator[Watched]:
    """A page that shows nothing yet, in a context of its own; at the end nothing wrong has been noted on it."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, has_touch=touch)
    context.set_default_timeout(20_000)
    watched = Watched(context.new_page(), urlsplit(url).netloc)
    watched.watch()
    try:
        yield watched
    finally:
        context.close()
    assert watched.wrong == []
    assert watched.elsewhere == []

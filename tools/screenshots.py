"""Takes the pictures of the pages that README.md and docs/play.md show: python tools/screenshots.py (make screenshots).

The service is started for it, as `make run` starts it, and what is shown is the same every time. Needs Chromium.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LAB = "/play#groups=4S,5S,6S|3S,TD,JD,QD|8H,8D,8C|2C,3C,JK&wild_rank=7&rules=house"
HAND = "/play#hand=4S,5S,6S,8H,8D,JK,2C,2C,KD,QH,9C,3D,AC&wild_rank=7&rules=indian"
SAME_SEED = "crypto.getRandomValues = (bytes) => bytes.fill(7);"


def declared(page: Page) -> None:
    page.get_by_text("The same cards can be declared").wait_for()


def played(page: Page) -> None:
    page.get_by_role("button", name="Play a sample match").click()
    page.get_by_text("each event and the outcome are as recorded").wait_for()
    page.get_by_role("button", name="To the end").click()
    page.get_by_text("How round 1 was scored").wait_for()


def grouped(page: Page) -> None:
    page.get_by_text("Why it cannot be declared").wait_for()
    page.locator("#best").scroll_into_view_if_needed()


PICTURES: tuple[tuple[str, str, int, int, str, Callable[[Page], None]], ...] = (
    ("play-lab.png", LAB, 1280, 860, "light", declared),
    ("play-replay.png", "/play/replay", 1280, 900, "dark", played),
    ("play-phone.png", HAND, 390, 844, "light", grouped),
)


@contextmanager
def service() -> Iterator[str]:
    """The address of a service of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as data:
        own = {"CARDREF_PORT": str(port), "CARDREF_DATA": data, "CARDREF_DRAIN_SECONDS": "0", "CARDREF_LOG": "errors"}
        given = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
        server = subprocess.Popen([sys.executable, "-m", "service"], cwd=ROOT, env=given | own)
        try:
            wait_for(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{url}/readyz", timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise SystemExit("cardref: the service did not start")


def main() -> None:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise SystemExit("cardref: no Chromium here (apt-get install chromium)")
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with service() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        for name, address, width, height, scheme, lead in PICTURES:
            shown: Any = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
            context = browser.new_context(**shown)
            context.add_init_script(SAME_SEED)
            page = context.new_page()
            page.goto(url + address)
            lead(page)
            page.wait_for_timeout(300)
            page.screenshot(path=DOCS / name)
            context.close()
            print(f"cardref: docs/{name}")
        browser.close()


if __name__ == "__main__":
    main()

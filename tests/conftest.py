"""What every test may use: repeatable Hypothesis runs, and the service as users start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

# The same examples every time and no deadline: a slow machine is no failure. HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def free_port() -> int:
    """A port of the loopback address on which nothing listened a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def live_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service started as `make run` starts it: gunicorn, open mode, SQLite in a directory of its own."""
    home = tmp_path_factory.mktemp("live")
    url = f"http://127.0.0.1:{(port := free_port())}"
    given = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
    log = home / "log"
    with log.open("wb") as sink:
        server = subprocess.Popen(
            [sys.executable, "-m", "service"],
            cwd=ROOT,
            env={**given, "CARDREF_PORT": str(port), "CARDREF_DATA": str(home / "data"), "CARDREF_DRAIN_SECONDS": "0"},
            stdout=sink,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_ready(server, url, log)
            yield url
        finally:
            server.terminate()
            server.wait(30)


def _wait_until_ready(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError(f"the service did not start:\n{log.read_text()}")

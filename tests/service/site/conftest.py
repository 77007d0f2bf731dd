"""The guides as `make guides` builds them, and the service over HTTP with and without keys."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from service import create_app
from service.config import Settings

ROOT = Path(__file__).parents[3]
KEY = "open sesame"


@pytest.fixture(scope="session", autouse=True)
def guides() -> Path:
    """The folder of the guides; it stays as it is if it is up to date."""
    subprocess.run([sys.executable, ROOT / "tools/guides/build.py"], check=True, capture_output=True, timeout=120)
    return ROOT / "build/guides"


class Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """The service has a log of its own."""


@pytest.fixture(scope="session", params=["open", "keyed"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, bool]]:
    """The address of a service in this process, and whether it asks for `KEY`."""
    keyed = request.param == "keyed"
    keys = f"shop:{hashlib.sha256(KEY.encode()).hexdigest()}" if keyed else ""
    environment = {"CARDREF_LOG": "errors", "CARDREF_DATA": str(tmp_path_factory.mktemp("data"))}
    app = create_app(Settings.from_environment(environment | ({"CARDREF_API_KEYS": keys} if keys else {})))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}", keyed
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

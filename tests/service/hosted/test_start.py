"""The process: what it refuses to start with, and that it ends without cutting off a caller."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import free_port

ROOT = Path(__file__).parents[3]


def start(folder: Path, **given: str) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
    settings = {"CARDREF_DATA": str(folder), "CARDREF_WORKERS": "1", "CARDREF_LOG": "errors", **given}
    command = [sys.executable, "-m", "service"]
    return subprocess.Popen(
        command, cwd=ROOT, env={**kept, **settings}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


@pytest.mark.parametrize("given", [{"CARDREF_DURABILITY": "durable"}, {"CARDREF_STORE": "mysql://localhost/0"}])
def test_a_store_that_cannot_be_is_refused_at_the_start(given: dict[str, str], tmp_path: Path) -> None:
    server = start(tmp_path, **given)
    output, _ = server.communicate(timeout=60)
    assert server.returncode == 1
    assert output.startswith(b"cardref: CARDREF_STORE, CARDREF_DURABILITY: ")
    assert output.count(b"\n") == 1


def test_who_waits_is_answered_when_the_process_is_told_to_end(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = start(tmp_path, CARDREF_PORT=str(port))
    answers: list[Any] = []

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    try:
        until = time.monotonic() + 60
        while True:
            try:
                ask("/readyz")
                break
            except OSError:
                assert time.monotonic() < until
                assert server.poll() is None
                time.sleep(0.1)
        game = ask("/v1/games", {"game": "swoop", "seats": ["a", "b"]})["id"]
        waiter = threading.Thread(target=lambda: answers.append(ask(f"/v1/games/{game}/events?after=1&wait=3")))
        waiter.start()
        time.sleep(0.5)
        server.send_signal(signal.SIGTERM)
        waiter.join(30)
        assert answers == [{"events": [], "version": 1}]
        assert server.wait(30) == 0
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()

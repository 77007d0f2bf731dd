"""The service as a process of its own, as those who run it meet it: settings, signals, what it prints, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.conftest import free_port

ROOT = Path(__file__).parents[2]


def start(folder: Path, **given: str) -> subprocess.Popen[bytes]:
    """``python -m service`` in a session of its own, as a terminal would start it, under these settings only."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
    settings = {
        "CARDREF_DATA": str(folder / "data"),
        "CARDREF_WORKERS": "1",
        "CARDREF_LOG": "errors",
        "CARDREF_DRAIN_SECONDS": "0",
        **given,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**kept, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


class Process:
    """A service that answers."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    def ask(self, path: str, body: Any = None) -> Any:
        """The answer to a call that succeeds; JSON is read."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if answer.headers["Content-Type"] == "application/json" else text.decode()

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def interrupt(self) -> None:
        """Ctrl-C: SIGINT to the whole group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def terminate(self) -> None:
        """SIGTERM to the master alone."""
        self.process.send_signal(signal.SIGTERM)


@contextmanager
def serving(folder: Path, *, ready_at: str = "/readyz", **given: str) -> Iterator[Process]:
    """A service on a free port (or `CARDREF_PORT`), once it answers at `ready_at`; killed at the end if it still runs."""
    port = given.setdefault("CARDREF_PORT", str(free_port()))
    process = start(folder, **given)
    served = Process(process, f"http://127.0.0.1:{port}")
    try:
        until = time.monotonic() + 60
        while True:
            try:
                served.ask(ready_at)
                break
            except (urllib.error.URLError, ConnectionError):
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.1)
        yield served
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

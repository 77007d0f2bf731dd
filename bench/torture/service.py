"""The service and its store as a scenario needs them: started here, hurt there, and always ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bench.torture.client import Account, Client
from tests.servers import Server, find_server, free_port, running

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
EVERY_SECOND = ("appendonly yes", "appendfsync everysec")


class Service:
    """`python -m service` with its own data folder and environment, in a process group of its own."""

    def __init__(self, folder: Path, workers: int, **environment: str) -> None:
        self.port = free_port()
        self.data = folder / "data"
        self._log = folder / "service.log"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
        own = {"CARDREF_PORT": str(self.port), "CARDREF_DATA": str(self.data), "CARDREF_WORKERS": str(workers)}
        own |= {
            "CARDREF_LOG": "errors",
            "CARDREF_DRAIN_SECONDS": "0",
            "TMPDIR": str(folder),
        }  # what a killed service leaves behind goes with the folder
        self._environment = {**inherited, **own, **environment}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and return when it is ready."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service"],
                cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        client = Client(self.port, Account())
        until = time.monotonic() + START_SECONDS
        while (answer := client.call("GET", "/readyz")) is None or answer.status != 200:
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the service did not start:\n{self._log.read_text()}")
            time.sleep(0.05)
        client.close()

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        assert self._process is not None
        pid = self._process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def stop(self) -> None:
        """End it as a deployment does: SIGTERM, and what is being answered is answered."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=60)
        self._process = None

    def kill(self) -> None:
        """SIGKILL, master and workers alike."""
        if self._process is not None:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


@dataclass(frozen=True, slots=True)
class Ground:
    """A running service, and the Redis behind it if there is one."""

    service: Service
    redis: Server | None

    @property
    def port(self) -> int:
        """Where the service listens."""
        return self.service.port


@contextmanager
def serving(folder: Path, workers: int = 2, **environment: str) -> Iterator[Service]:
    """A service, ended at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    service = Service(folder, workers, **environment)
    try:
        service.start()
        yield service
    finally:
        service.kill()


@contextmanager
def ground(store: str, folder: Path, workers: int = 2, options: tuple[str, ...] = EVERY_SECOND) -> Iterator[Ground]:
    """A service on `store`: "sqlite", or "redis" with these options."""
    with ExitStack() as stack:
        redis = stack.enter_context(running(program(), folder / "redis", *options)) if store == "redis" else None
        url = {} if redis is None else {"CARDREF_STORE": redis.url}
        yield Ground(stack.enter_context(serving(folder, workers, **url)), redis)


def program() -> Path:
    """The Redis or Valkey to start."""
    found = find_server()
    if found is None:
        raise SystemExit("no redis-server or valkey-server here")
    return found

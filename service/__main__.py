"""The command line: ``python -m service`` serves, ``… openapi`` writes openapi.yaml, ``… replay FILE`` verifies a record."""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from service.config import Settings, WrongSetting

ROOT = Path(__file__).parent.parent
_EXAMPLE = '{"hand": ["4S","5S","6S","8H","8D","JK","2C","2C","KD","QH","9C","3D","AC"], "wild_rank": "7"}'


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("serve", help="serve over HTTP (the default)")
    commands.add_parser("openapi", help="write openapi.yaml")
    replay = commands.add_parser("replay", help="replay the record of a match and verify all it says")
    replay.add_argument("file", metavar="FILE", help="the answer of GET /v1/games/{id}/record; - for standard input")
    given = parser.parse_args()
    if given.command == "openapi":
        write_openapi(ROOT / "openapi.yaml")
    elif given.command == "replay":
        replay_record(given.file)
    else:
        serve()


def replay_record(file: str) -> None:
    """Say whether a record agrees with its seed, its rules and its moves; exit with 1 where it does not."""
    from service.replay import Divergence, verify

    try:
        found = verify(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    except OSError as wrong:
        sys.exit(f"cardref: {file}: {wrong.strerror}")
    except Divergence as wrong:
        sys.exit(f"cardref: {file}: diverges at {wrong}")
    print(f"{found.game}, {found.seats} seats, {found.rounds} rounds, {found.moves} moves: all agrees")
    print(f"commitment {found.commitment}")
    print(f"totals {list(found.outcome.totals)}, winners {list(found.outcome.winners)}, {found.outcome.reason}")


def write_openapi(path: Path) -> None:
    """Write the description of the service."""
    from service import openapi
    from service.routes import OPERATIONS

    path.write_text(openapi.text(OPERATIONS), encoding="utf-8")


def serve() -> None:
    """Serve until stopped; refuse to start with settings that are wrong."""
    try:
        settings = Settings.from_environment(os.environ)
        settings.refuse_open_to_the_world()
    except WrongSetting as wrong:
        sys.exit(f"cardref: {wrong}")
    master = os.getpid()
    counters = tempfile.mkdtemp(prefix="cardref-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters  # before prometheus_client is imported
    try:
        _run(settings)
    finally:
        if os.getpid() == master:  # a worker, forked inside, comes by here when it ends: the others go on counting
            shutil.rmtree(counters, ignore_errors=True)


def _run(settings: Settings) -> None:
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # it has no types of its own
    from prometheus_client import multiprocess

    from service import logs
    from service.app import create_app

    logs.configure()
    try:
        app = create_app(settings)
    except ValueError as wrong:
        sys.exit(f"cardref: CARDREF_STORE, CARDREF_DURABILITY: {wrong}")

    def announce(_: Any) -> None:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{settings.port}"
        print(f"cardref: {url}/docs describes every call; try\n\n  curl -s {url}/v1/rummy/groupings \\")
        print(f"    -H 'Content-Type: application/json' \\\n    -d '{_EXAMPLE}'\n", flush=True)

    def forget(_: Any, worker: Any) -> None:
        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library has no types here

    def drain_when_told(_: Any) -> None:
        end = signal.getsignal(signal.SIGTERM)

        def drain(number: int, frame: Any) -> None:
            app.config["DRAINING"].set()  # /readyz says so for as long as calls are still being answered
            if callable(end):
                end(number, frame)

        signal.signal(signal.SIGTERM, drain)

    class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
        def load_config(self) -> None:
            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            for name, value in {
                "bind": f"{host}:{settings.port}",
                "workers": settings.workers,
                "threads": settings.threads,
                "worker_class": "gthread",
                "preload_app": True,  # OR-Tools is loaded once and shared: 1.2 s and 30 MB a worker less
                "control_socket_disable": True,  # it would be made in HOME, which may not be writable
                "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108  # a heartbeat file, unlinked at once
                "keepalive": 75,
                "loglevel": "warning",
                "when_ready": announce,
                "child_exit": forget,
                "post_worker_init": drain_when_told,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            gc.collect()
            gc.freeze()  # what is loaded once need not be searched for garbage again: a sixth off a request
            return app

    Server().run()


if __name__ == "__main__":
    main()

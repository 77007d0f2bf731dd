"""The command line: ``python -m service`` serves, ``… replay FILE`` verifies a record, ``… solve HAND`` groups
a hand, ``… check-config`` checks the settings; ``… openapi`` and ``… docs`` renew
what is made from the code: openapi.yaml, and parts of the documents."""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.compiled import running
from service.config import ROOT, Settings, WrongSetting
from service.process import native

if TYPE_CHECKING:
    from service.stores.contract import GameStore

_EXAMPLE = '{"hand": ["4S","5S","6S","8H","8D","JK","2C","2C","KD","QH","9C","3D","AC"], "wild_rank": "7"}'


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("serve", help="serve over HTTP (the default)")
    commands.add_parser("openapi", help="write openapi.yaml")
    commands.add_parser("docs", help="renew what README.md and docs/*.md take from the code")
    replay = commands.add_parser("replay", help="replay the record of a match and verify all it says")
    replay.add_argument("file", metavar="FILE", help="the answer of GET /v1/games/{id}/record; - for standard input")
    solve = commands.add_parser("solve", help="find the best grouping of a rummy hand, and prove it")
    solve.add_argument("hand", metavar="HAND", help='13 or 14 cards, such as "4S 5S 6S 8H 8D JK 2C 2C KD QH 9C 3D AC"')
    solve.add_argument("--wild", metavar="RANK", help="the rank that is wild; without it, none is")
    solve.add_argument("--rules", default="house", help="a preset's name, or JSON as calls take it (default: house)")
    solve.add_argument("--json", action="store_true", help="print what POST /v1/rummy/groupings would answer")
    commands.add_parser("check-config", help="check the settings, the store and the keys, and end")
    given = parser.parse_args()
    if given.command == "openapi":
        write_openapi(ROOT / "openapi.yaml")
    elif given.command == "docs":
        renew_docs()
    elif given.command == "replay":
        replay_record(given.file)
    elif given.command == "solve":
        from service.commands import solve as solving

        sys.exit(solving.run(given.hand, given.wild, given.rules, as_json=given.json))
    elif given.command == "check-config":
        from service.commands import check_config

        sys.exit(check_config.run(os.environ))
    else:
        serve()


def replay_record(file: str) -> None:
    """Say whether a record agrees with its seed, its rules and its moves; exit with 1 where it does not."""
    from service.use_cases.replay import Divergence, verify

    try:
        found = verify(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    except OSError as wrong:
        sys.exit(f"cardref: {file}: {wrong.strerror}")
    except Divergence as wrong:
        sys.exit(f"cardref: {file}: diverges at {wrong}")
    print(
        f"{found.game}, {found.seats} seats, {_count(found.rounds, 'round')}, {_count(found.moves, 'move')}: all agrees"
    )
    print(f"commitment {found.commitment}")
    print(f"totals {list(found.outcome.totals)}, winners {list(found.outcome.winners)}, {found.outcome.reason}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def write_openapi(path: Path) -> None:
    """Write the description of the service."""
    from service.contract import openapi
    from service.routes import OPERATIONS

    path.write_text(openapi.text(OPERATIONS), encoding="utf-8")


def renew_docs() -> None:
    """Write the parts of the documents that are made from the code."""
    from service.contract import generated_docs

    generated_docs.renew()


def serve() -> None:
    """Serve until told to end; refuse to start with settings that are wrong."""
    native.patch()
    try:
        settings = Settings.from_environment(os.environ)
        settings.refuse_open_to_the_world()
        settings.key_ring()
    except WrongSetting as wrong:
        sys.exit(f"cardref: {wrong}")
    _refuse_an_address_that_is_taken(settings)
    master = os.getpid()
    counters = tempfile.mkdtemp(prefix="cardref-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters  # before prometheus_client is imported

    def leave(number: int, _: object) -> None:
        """End at once; an exception would not do, for some modules make an ImportError of it while they are imported."""
        shutil.rmtree(counters, ignore_errors=True)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)  # until the server has handlers of its own
    try:
        _run(settings)
    finally:
        if os.getpid() == master:  # a worker, forked inside, comes by here when it ends: the others go on counting
            shutil.rmtree(counters, ignore_errors=True)


def _refuse_an_address_that_is_taken(settings: Settings) -> None:
    """Exit with one line where the service cannot listen; gunicorn would try for nine seconds and name no variable."""
    if os.environ.keys() & {"GUNICORN_FD", "LISTEN_FDS"}:
        return  # the socket is handed down: by the release that this one replaces, or by systemd
    host, port = settings.host.strip("[]"), settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        address = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)[0][4]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as wrong:
        if wrong.errno == errno.EADDRINUSE:
            sys.exit(f"cardref: CARDREF_PORT: port {port} of {host} is in use; choose another one")
        name = "CARDREF_PORT" if wrong.errno == errno.EACCES else "CARDREF_HOST"
        sys.exit(f"cardref: {name}: the service cannot listen on port {port} of {host}: {wrong.strerror}")


def _run(settings: Settings) -> None:
    from service.app import create_app
    from service.process import logs
    from service.server import master

    logs.configure()
    try:
        app = create_app(settings)
    except ValueError as wrong:
        sys.exit(f"cardref: CARDREF_STORE, CARDREF_DURABILITY: {wrong}")
    _try_store(settings, app.config["STORE"])
    master.run(app, settings, lambda: _announce(settings))


def _try_store(settings: Settings, kept: GameStore) -> None:
    """Exit where the folder of the file cannot be written; only warn of a server that is away, for it may come later."""
    from service.app import store_of
    from service.stores.errors import StoreUnavailable, Unsafe
    from service.stores.sqlite_store import SqliteStore

    if isinstance(kept, SqliteStore):
        try:
            kept.settle()
        except StoreUnavailable as wrong:
            sys.exit(f"cardref: CARDREF_DATA: games cannot be kept in {settings.data}: {wrong}")
        return
    store = store_of(settings)  # another one than the app's: no connection shall go through the workers' forks
    try:
        for notice in store.ready():
            print(f"cardref: warning: CARDREF_STORE: {notice.sentence}", file=sys.stderr)
    except Unsafe as wrong:
        print(f"cardref: warning: CARDREF_STORE: {wrong}; until then no game is made or changed", file=sys.stderr)
    except StoreUnavailable as wrong:
        print(
            f"cardref: warning: CARDREF_STORE: {wrong}; until it does, hosted games and /readyz answer 503",
            file=sys.stderr,
        )
    finally:
        store.close()


def _announce(settings: Settings) -> None:
    url = f"http://{settings.url_host}:{settings.port}"
    how = "compiled" if running() else "as plain Python, which takes two to four times as long as compiled"
    print(f"cardref: the search runs {how}")
    print(f"cardref: {url}/docs describes every call; try\n\n  curl -s {url}/v1/rummy/groupings \\")
    if settings.has_keys:
        print("    -H 'Authorization: Bearer <your key>' \\")
    print(f"    -H 'Content-Type: application/json' \\\n    -d '{_EXAMPLE}'\n", flush=True)


if __name__ == "__main__":
    main()

"""The start of the process: what it refuses."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import socket
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.conftest import free_port
from tests.servers import Server, server_or_skip, wait_for
from tests.service.calls import HAND
from tests.service.process import serving, start


def refused(folder: Path, **given: str) -> str:
    """The one line that is printed where the service does not start."""
    process = start(folder, **given)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1, output
    assert output.count(b"\n") == 1, output
    return output.decode()


def test_a_port_that_is_in_use_is_named_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        started = time.monotonic()
        line = refused(tmp_path, CARDREF_PORT=str(port))
    assert line == f"cardref: CARDREF_PORT: port {port} of 127.0.0.1 is in use; choose another one\n"
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
def test_an_address_that_is_not_ours(host: str, tmp_path: Path) -> None:
    line = refused(tmp_path, CARDREF_HOST=host, CARDREF_OPEN="yes", CARDREF_PORT=str(free_port()))
    assert line.startswith("cardref: CARDREF_HOST: the service cannot listen on port ")


@pytest.mark.parametrize("given", [{"CARDREF_DURABILITY": "durable"}, {"CARDREF_STORE": "mysql://localhost/0"}])
def test_a_store_that_cannot_be(given: dict[str, str], tmp_path: Path) -> None:
    assert refused(tmp_path, **given).startswith("cardref: CARDREF_STORE, CARDREF_DURABILITY: ")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "spoilt").mkdir()
    (tmp_path / "spoilt" / "games.sqlite3").write_text("these are no games, whatever the name says")
    (tmp_path / "closed").mkdir(mode=0o500)
    folders = {"file": "", "file/below": "Not a directory", "spoilt": "file is not a database"}
    if os.geteuid() != 0:  # whom nothing is closed to
        folders["closed"] = ""
    for folder, why in folders.items():
        line = refused(tmp_path, CARDREF_DATA=str(tmp_path / folder), CARDREF_PORT=str(free_port()))
        assert line.startswith(f"cardref: CARDREF_DATA: games cannot be kept in {tmp_path / folder}: ")
        assert why in line


def test_a_refusal_by_the_store_is_not_written_to_the_log(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        id = served.ask("/v1/games", {"game": "swoop", "seats": ["a", "b"]})["id"]
        urllib.request.urlopen(
            urllib.request.Request(f"{served.url}/v1/games/{id}", method="DELETE"), timeout=60
        ).close()
        with pytest.raises(HTTPError, match="404"):
            served.ask(f"/v1/games/{id}")
        served.terminate()
        assert served.process.wait(10) == 0
        assert served.process.stdout is not None
        output = served.process.stdout.read()
    assert b"docs describes every call" in output
    assert b"NotFound" not in output
    assert b"Traceback" not in output


def test_a_server_of_games_that_is_away_is_warned_of_and_may_come_later(tmp_path: Path) -> None:
    server = Server(server_or_skip(), tmp_path / "redis")
    with serving(tmp_path, ready_at="/healthz", CARDREF_STORE=server.url) as served:
        assert served.ask("/v1/rummy/groupings", {"hand": HAND, "wild_rank": "7"})["points"] == 50
        with pytest.raises(HTTPError, match="503"):
            served.ask("/readyz")
        server.start()
        try:
            wait_for(lambda: served.ask("/v1/games", {"game": "swoop", "seats": ["a", "b"]}), "the store")
        finally:
            server.kill()
        served.terminate()
        assert served.process.wait(10) == 0
        assert served.process.stdout is not None
        lines = served.process.stdout.read().decode().splitlines()
    warned = [line for line in lines if line.startswith("cardref: warning: CARDREF_STORE: the store does not answer: ")]
    assert len(warned) == 1
    assert lines[0] in warned


def test_the_line_to_try_can_be_pasted(tmp_path: Path) -> None:
    key = "a key, long and random"
    keys = f"shop:{hashlib.sha256(key.encode()).hexdigest()}"
    for given, needed in ({}, None), ({"CARDREF_API_KEYS": keys}, "Authorization: Bearer <your key>"):
        with serving(tmp_path, **given) as served:
            served.terminate()
            output, _ = served.process.communicate(timeout=20)
        words = shlex.split(output.decode().partition("try")[2].replace("\\\n", " "))
        assert words[:3] == ["curl", "-s", f"{served.url}/v1/rummy/groupings"]
        assert words[3::2] == ["-H"] * (1 + (needed is not None)) + ["-d"]
        assert words[4::2] == [*filter(None, [needed]), "Content-Type: application/json", words[-1]]
        assert json.loads(words[-1])["wild_rank"] == "7"

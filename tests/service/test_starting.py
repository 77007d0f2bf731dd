"""The start of the process: what it refuses."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from tests.conftest import free_port
from tests.service.process import start


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

"""The start of the process: what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.process import start


def refused(folder: Path, **given: str) -> str:
    """The one line that is printed where the service does not start."""
    process = start(folder, **given)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1, output
    assert output.count(b"\n") == 1, output
    return output.decode()


@pytest.mark.parametrize("given", [{"CARDREF_DURABILITY": "durable"}, {"CARDREF_STORE": "mysql://localhost/0"}])
def test_a_store_that_cannot_be(given: dict[str, str], tmp_path: Path) -> None:
    assert refused(tmp_path, **given).startswith("cardref: CARDREF_STORE, CARDREF_DURABILITY: ")

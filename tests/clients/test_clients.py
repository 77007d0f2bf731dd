"""openapi.yaml is for machines: linters find nothing in it, and the clients made from it play whole matches of both games."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from tests.clients.front import failing
from tests.clients.programs import HERE, KEY, MODULES, SPEC, run
from tests.service.process import Process


@pytest.fixture(scope="module")
def url(served: Process) -> Iterator[str]:
    """The service behind a front that fails now and then."""
    with failing(served.url) as front:
        yield front


def test_redocly_finds_nothing(node: Path) -> None:
    found = json.loads(run(node / "redocly", "lint", SPEC, "--config", "redocly.yaml", "--format", "json"))
    assert found["problems"] == []


def test_spectral_finds_nothing(node: Path) -> None:
    said = run(node / "spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", SPEC)
    assert said == "No results with a severity of 'hint' or higher found!\n"


def test_a_client_in_typescript_plays_whole_matches(node: Path, url: str, tmp_path: Path) -> None:
    for name in ("match.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(MODULES)
    run(node / "openapi-typescript", SPEC, "--default-non-nullable=false", "-o", tmp_path / "cardref.d.ts")
    assert run(node / "tsc", place=tmp_path) == ""
    for game in GAMES:
        check(game, run("node", "match.js", url, KEY, game, place=tmp_path))


def test_a_client_in_python_plays_whole_matches(url: str, tmp_path: Path) -> None:
    shutil.copy(HERE / "match.py", tmp_path)
    made = ("--config", HERE / "generator.yaml", "--meta", "none", "--output-path", tmp_path / "cardref_client")
    run(sys.executable, "-m", "openapi_python_client", "generate", "--path", SPEC, "--fail-on-warning", *made)
    run(sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini", "match.py", place=tmp_path)
    for game in GAMES:
        check(game, run(sys.executable, "match.py", url, KEY, game, place=tmp_path))


def check(game: str, said: str) -> None:
    """What a client counted: a match to its end, each move once, everything that it had to handle."""
    told: dict[str, Any] = json.loads(said)
    assert told["game"] == game
    assert told["outcome"]["winners"]
    assert told["outcome"]["reason"] != "aborted"
    assert told["stale"] == told["illegal"] == 1
    assert told["retried"] > 2
    assert told["moves"] == told["made"] == told["version"] - 1
    assert told["events"] > told["made"]

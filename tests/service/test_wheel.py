"""A wheel holds all that serves: unpacked by itself, away from the sources, it starts and answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.config import ROOT, VERSION
from tests.needs import without

_ASK = """
import json
from service.app import create_app
from service.config import ROOT, Settings
client = create_app(Settings.from_environment({"CARDREF_DATA": "data"})).test_client()
paths = "/", "/openapi.yaml", "/docs", "/play"
print(json.dumps([str(ROOT), client.get("/").json["version"], [client.get(path).status_code for path in paths]]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel installs, made without a C compiler and without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    for part in ("engine", "solver", "service"):
        shutil.copytree(ROOT / part, folder / "sources" / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "sources")
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps", "--no-index"]
    command = [*pip, "--no-build-isolation", "--target", str(folder / "site"), str(folder / "sources")]
    done = subprocess.run(command, env={**os.environ, "CC": "false"}, capture_output=True, text=True, check=False)
    if "No module named" in done.stderr:
        without(f"NO WHEEL IS MADE, AND NONE IS TRIED: what makes it is not installed: {done.stderr[-300:]}")
    assert not done.returncode, done.stderr
    return folder / "site"


def test_an_installed_wheel_serves(site: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _ASK]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [str(site), VERSION, [200] * 4]

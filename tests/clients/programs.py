"""Programs that the tests of the clients run, and where things lie."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SPEC = ROOT / "openapi.yaml"
MODULES = HERE / "node_modules"
KEY, SMALL_KEY = "an app's key", "a small app's key"


def run(*command: str | Path, place: Path = HERE, **env: str) -> str:
    """What a program prints; it must succeed, and have nothing to say beside."""
    given = {**os.environ, "REDOCLY_TELEMETRY": "off", "NO_COLOR": "1", **env}
    done = subprocess.run(
        [str(word) for word in command], cwd=place, env=given, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout

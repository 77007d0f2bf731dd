"""What the tests of the clients share: Node's programs, and a service that asks for keys."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.programs import HERE, KEY, MODULES, SMALL_KEY
from tests.needs import without
from tests.service.process import Process, serving


@pytest.fixture(scope="module")
def node() -> Path:
    """The programs of package-lock.json, installed at the first use."""
    if shutil.which("npm") is None:
        without("no Node here, so openapi.yaml was NOT linted and the TypeScript client NOT tried")
    with (HERE / "package-lock.json").open() as lock:  # one process installs, the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp, wanted = MODULES / ".installed", hashlib.sha256(lock.read().encode()).hexdigest()
        if not stamp.exists() or stamp.read_text() != wanted:
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
            done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300)
            if done.returncode:
                without(f"npm ci failed, so openapi.yaml was NOT linted: {done.stderr[-500:]}")
            stamp.write_text(wanted)
    return MODULES / ".bin"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A service that asks for keys: one app has all it wants, the other (`SMALL_KEY`) one game."""
    folder = tmp_path_factory.mktemp("clients")
    apps = {"shop": (KEY, ""), "corner": (SMALL_KEY, " games=1")}
    lines = [f"{name}:{hashlib.sha256(key.encode()).hexdigest()}{limits}" for name, (key, limits) in apps.items()]
    (folder / "keys").write_text("\n".join(lines))
    with serving(folder, CARDREF_API_KEYS_FILE=str(folder / "keys")) as service:
        yield service

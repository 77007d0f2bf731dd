"""tools/venv.sh, and where benchmarks write."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bench import growth
from bench.solve import Timed

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("place", "script"), [(".", "tools/venv.sh"), ("tools", "venv.sh"), ("/", "{0}/tools/venv.sh")]
)
def test_the_environment_is_the_projects_whatever_is_on_the_path(tmp_path: Path, place: str, script: str) -> None:
    """It works in the project's folder, where an environment that works is left as it is, even if no program is found."""
    shell = shutil.which("sh")
    assert shell
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/venv.sh", tmp_path / "tools")
    command = [shell, script.format(tmp_path)]
    where = tmp_path / place
    env = {"PATH": str(tmp_path / "nothing"), "PYTHON": str(tmp_path / "no-python")}

    without = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert without.returncode == 1
    assert without.stderr.startswith("cardref: no Python 3.11 or newer")

    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 0\n")
    python.chmod(0o755)
    assert subprocess.run(command, cwd=where, env=env, check=False).returncode == 0


@pytest.mark.parametrize(("arguments", "written"), [([], "bench/out"), (["--docs"], "docs")])
def test_the_plot_goes_to_docs_only_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], written: str
) -> None:
    timed = [Timed((1.0,), (1.0,), ("reduction",), True)] * len(growth.SIZES)
    monkeypatch.setattr(growth, "ROOT", tmp_path)
    monkeypatch.setattr(growth, "measure", lambda: (timed, timed))
    monkeypatch.setattr("sys.argv", ["bench.growth", *arguments])
    growth.main()
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*.svg")] == [Path(written) / growth.NAME]

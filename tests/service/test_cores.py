"""How many cores there are, as the system's files tell it (service/process/cores.py)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from service import create_app
from service.config import Settings
from service.process.cores import allowed, cores

V1 = "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"
OWN_V1 = "9:name=systemd:/\n4:memory:/x\n1:cpu,cpuacct:/\n"


@pytest.mark.parametrize(
    ("own", "files", "found"),
    [
        ("0::/\n", {}, 8),
        ("0::/\n", {"cpu.max": "max 100000"}, 8),
        ("0::/\n", {"cpu.max": "200000 100000"}, 2),
        ("0::/\n", {"cpu.max": "150000 100000"}, 2),
        ("0::/\n", {"cpu.max": "10000 100000"}, 1),
        ("0::/\n", {"cpu.max": "6400000 100000"}, 8),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000", "cpu.max": "max 100000"}, 3),
        ("0::/a/b\n", {"a/b/cpu.max": "500000 100000", "a/cpu.max": "600000 100000"}, 5),
        ("0::/a/b\n", {"a/c/cpu.max": "100000 100000"}, 8),
        ("0::/docker/0123\n", {"cpu.max": "250000 100000"}, 3),
        ("0::/../../x\n", {"cpu.max": "250000 100000"}, 3),
        (OWN_V1, dict(zip(V1, ("-1", "100000"), strict=True)), 8),
        (OWN_V1, dict(zip(V1, ("150000\n", "100000\n"), strict=True)), 2),
        (OWN_V1, {"cpu,cpuacct/cpu.cfs_quota_us": "50000", "cpu,cpuacct/cpu.cfs_period_us": "10000"}, 5),
        ("1:cpu:/d/e\n", {"cpu/d/cpu.cfs_quota_us": "400000", "cpu/d/cpu.cfs_period_us": "100000"}, 4),
        ("1:cpuset:/\n", dict(zip(V1, ("150000", "100000"), strict=True)), 8),
        ("1:cpu:/\n0::/a\n", {"unified/a/cpu.max": "100000 100000"}, 1),
        ("1:cpu:/\n", {V1[0]: "150000"}, 8),
        ("0::/\n", {"cpu.max": "100000 0"}, 8),
        ("0::/\n", {"cpu.max": "much 100000"}, 8),
        ("0::/\n", {"cpu.max": ""}, 8),
        ("", {"cpu.max": "100000 100000"}, 8),
        ("nonsense", {"cpu.max": "100000 100000"}, 8),
        ("0::/a:b\n", {"a:b/cpu.max": "100000 100000"}, 1),
    ],
)
def test_quotas(own: str, files: Mapping[str, str], found: int, tmp_path: Path) -> None:
    (tmp_path / "own").write_text(own)
    for name, text in files.items():
        file = tmp_path / "groups" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert allowed(8, tmp_path / "own", tmp_path / "groups") == found
    assert allowed(1, tmp_path / "own", tmp_path / "groups") == 1


def test_without_such_files(tmp_path: Path) -> None:
    assert allowed(4, tmp_path / "own", tmp_path / "groups") == 4


def test_here() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


def test_one_core_gets_no_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("service.app.cores", lambda: 1)
    solvers = create_app(Settings(log="errors", data=tmp_path)).config["SOLVERS"]
    monkeypatch.setattr(type(solvers), "_started", lambda _: pytest.fail("a process is started"))
    proved = SimpleNamespace(optimal=True)
    found = solvers.each(lambda hands, method, limits: [proved] * len(hands), [()] * 100, method="auto")
    assert found == [proved] * 100

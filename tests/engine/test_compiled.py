"""The compiled modules are loaded only where they were made from the sources as they are now."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from engine import compiled


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for folder in ("engine", "solver"):
        shutil.copytree(Path(compiled.ROOT) / folder, tmp_path / folder)
    return tmp_path


def test_any_change_of_a_source_is_seen(sources: Path) -> None:
    assert compiled.digest(str(sources)) == compiled.digest()
    for name in compiled.MODULES:
        path = sources / (name.replace(".", "/") + ".py")
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        assert compiled.digest(str(sources)) != compiled.digest()
        path.write_bytes(before)
    assert compiled.digest(str(sources)) == compiled.digest()


def test_what_was_made_of_other_sources_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDREF_COMPILED", raising=False)
    monkeypatch.setattr(sys, "meta_path", before := list(sys.meta_path))
    assert not compiled.use(str(tmp_path))
    (tmp_path / compiled.DIGEST).write_text("of others")
    assert not compiled.use(str(tmp_path))
    assert sys.meta_path == before
    (tmp_path / compiled.DIGEST).write_text(compiled.digest())
    assert compiled.use(str(tmp_path))
    assert isinstance(sys.meta_path[0], compiled.Finder)


def test_what_runs_is_what_was_made() -> None:
    found = {str(sys.modules[name].__file__).endswith(".py") for name in compiled.MODULES if name in sys.modules}
    assert len(found) <= 1  # all or none

"""The golden playthroughs of rummy replay line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rummy import GAME
from tests.engine.golden import FOLDER, replay
from tests.engine.rummy.arranger import NoGroups
from tests.engine.rummy.tables import SEARCH

FILES = sorted(FOLDER.glob("rummy-*.txt"))


def test_there_are_some() -> None:
    assert len(FILES) >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_replays(file: Path) -> None:
    assert GAME.outcome(replay(file.read_text(), SEARCH)) is not None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_groupings_matter(file: Path) -> None:
    with pytest.raises(AssertionError, match="line "):
        replay(file.read_text(), NoGroups())

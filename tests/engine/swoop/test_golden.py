"""The golden playthroughs of Swoop replay line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import Outcome
from engine.games import GAMES
from tests.engine.golden import FOLDER, replay

FILES = sorted(FOLDER.glob("swoop-*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_replays(file: Path) -> None:
    outcome = GAMES["swoop"].outcome(replay(file.read_text()))

    assert isinstance(outcome, Outcome)


def test_there_are_some() -> None:
    assert len(FILES) >= 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-> played picked_up", "-> played"),
        ("totals=", "totals=1"),
        ("winners=", "winners=7"),
        ("!! card_not_held", "!! mixed_ranks"),
    ],
)
def test_a_changed_line_does_not_replay(old: str, new: str) -> None:
    text = (FOLDER / "swoop-house-2.txt").read_text()
    assert old in text

    with pytest.raises(AssertionError, match="line "):
        replay(text.replace(old, new, 1))

"""The golden playthroughs (tests/golden/README.md) of every game replay line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import GAMES
from tests.engine.golden import FOLDER, main, replay
from tests.engine.rummy.arranger import NoGroups

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("name", GAMES)
def test_there_are_some(name: str) -> None:
    assert sum(file.name.startswith(f"{name}-") for file in FILES) >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_replays(file: Path) -> None:
    game = GAMES[file.name.partition("-")[0]]
    assert game.outcome(replay(file.read_text())) is not None


@pytest.mark.parametrize("file", sorted(FOLDER.glob("rummy-*.txt")), ids=lambda file: file.stem)
def test_the_groupings_matter(file: Path) -> None:
    with pytest.raises(AssertionError, match="line "):
        replay(file.read_text(), NoGroups())


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


@pytest.mark.parametrize(
    ("name", "rules"), [("rummy", '{"preset": "indian", "rounds": 2, "max_turns": 20}'), ("swoop", "house")]
)
def test_what_is_written_replays(name: str, rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([name, "3", "--rules", rules, "--seed", "9a" * 32])
    text = capsys.readouterr().out

    assert " !! " in text
    assert GAMES[name].outcome(replay(text)) is not None
    main([name, "3", "--rules", rules, "--seed", "9a" * 32])
    assert capsys.readouterr().out == text

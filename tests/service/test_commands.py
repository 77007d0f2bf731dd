"""What the command line does besides serving: `solve` and `check-config`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.commands import check_config, solve
from tests.conftest import free_port
from tests.service.calls import GROUPINGS, HAND, answered

TEXT = " ".join(HAND)
ROOT = Path(__file__).parents[2]


def test_a_hand_is_grouped_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert solve.run(TEXT, "7", "house", as_json=False) == 0
    assert capsys.readouterr().out == (
        "50 points, cannot be declared\n"
        "pure sequence   4S 5S 6S\n"
        "impure sequence AC 2C JK  (as AC 2C 3C)\n"
        "loose           KD QH 9C 8H 8D 3D 2C\n"
    )


@pytest.mark.parametrize("rules", ["indian", '{"preset": "indian", "points_cap": 20}'])
def test_as_json_it_is_what_the_call_answers(
    client: FlaskClient, capsys: pytest.CaptureFixture[str], rules: str
) -> None:
    hand = f"{TEXT} 0H"
    assert solve.run(hand, None, rules, as_json=True) == 0
    said = json.loads(rules) if "{" in rules else rules
    assert json.loads(capsys.readouterr().out) == answered(
        client, GROUPINGS, {"hand": hand, "wild_rank": None, "rules": said}
    )


@pytest.mark.parametrize(
    ("terminal", "environment", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": ""}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_is_for_terminals_alone(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    terminal: bool,
    environment: dict[str, str],
    coloured: bool,
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert solve.run(TEXT, "7", "house", as_json=False) == 0
    assert ("\x1b[" in capsys.readouterr().out) is coloured


@pytest.mark.parametrize(
    ("hand", "wild", "rules", "said"),
    [
        ("4S 5S xx", "7", "house", "hand/2: 'xx' is no card"),
        ("4S 5S", "7", "house", "hand: "),
        ("", None, "house", "hand: "),
        ("é" * 5000, None, "house", "hand/0: "),
        (TEXT, "z", "house", "wild_rank: 'z' is no rank"),
        (TEXT, "7", "nope", "rules: "),
        (TEXT, "7", "\udcff", "rules: "),
        (TEXT, "7", '{"points_cap": -1}', "rules/points_cap: "),
        (TEXT, "7", "{", "--rules: "),
        (TEXT, "7", "\udcff{", "--rules: "),
    ],
)
def test_what_is_no_question_is_said_on_standard_error(
    capsys: pytest.CaptureFixture[str], hand: str, wild: str | None, rules: str, said: str
) -> None:
    assert solve.run(hand, wild, rules, as_json=True) == solve.WRONG
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"cardref: {said}")


def checked(capsys: pytest.CaptureFixture[str], **given: Any) -> tuple[int, str]:
    """The exit code, and what is said."""
    code = check_config.run({name: str(value) for name, value in given.items()})
    told = capsys.readouterr()
    assert bool(told.out) is (code == 0)
    return code, told.out + told.err


def test_good_settings_are_called_so_and_nothing_is_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    said = f"cardref: the settings are good; games are kept in {data}\n"
    assert checked(capsys, CARDREF_DATA=data) == (0, said)
    assert list(tmp_path.iterdir()) == []


def test_every_fault_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "keys").write_text("shop:nothing\n")
    code, said = checked(
        capsys,
        CARDREF_PORT="x",
        CARDREF_NOPE="1",
        CARDREF_AUDIT="2",
        CARDREF_API_KEYS_FILE=tmp_path / "keys",
        CARDREF_DATA=tmp_path / "file",
    )
    assert code == 1
    lines = said.splitlines()
    starts = (
        "CARDREF_NOPE is no setting",
        "CARDREF_PORT must be",
        "CARDREF_AUDIT must be",
        "CARDREF_API_KEYS_FILE line 1",
        "CARDREF_DATA: ",
    )
    assert len(lines) == len(starts)
    assert all(line.startswith(f"cardref: {start}") for line, start in zip(lines, starts, strict=True)), lines


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"CARDREF_HOST": "0.0.0.0"}, "CARDREF_HOST is 0.0.0.0"),
        ({"CARDREF_DURABILITY": "durable"}, "CARDREF_STORE, CARDREF_DURABILITY: "),
        ({"CARDREF_STORE": "mysql://localhost/0"}, "CARDREF_STORE, CARDREF_DURABILITY: "),
        ({"CARDREF_STORE": f"redis://:secret@127.0.0.1:{free_port()}"}, "CARDREF_STORE: "),
        ({"CARDREF_API_KEYS_FILE": "/nowhere/keys"}, "CARDREF_API_KEYS_FILE cannot be read"),
        ({"CARDREF_DATA": "/proc/self"}, "CARDREF_DATA: /proc/self cannot be written"),
    ],
)
def test_a_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path, given: dict[str, str], said: str) -> None:
    code, told = checked(capsys, **{"CARDREF_DATA": tmp_path, **given})
    assert (code, told.count("\n")) == (1, 1)
    assert told.startswith(f"cardref: {said}")
    assert "secret" not in told


def test_the_commands_as_they_are_typed(tmp_path: Path) -> None:
    """Exit codes and streams of the process itself; the examples of the documents among them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
    for arguments, more, code, out, err in (
        (["solve", TEXT, "--wild", "7"], {}, 0, "50 points", ""),
        (["solve", "4S 1C", "--json"], {}, 2, "", "cardref: hand/1: "),
        (["check-config"], {"CARDREF_DATA": str(tmp_path)}, 0, "cardref: the settings are good", ""),
        (["check-config"], {"CARDREF_PORT": "0", "CARDREF_DATA": str(tmp_path)}, 1, "", "cardref: CARDREF_PORT"),
    ):
        command = [sys.executable, "-m", "service", *arguments]
        done = subprocess.run(command, cwd=ROOT, env={**kept, **more}, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert done.stdout.startswith(out)
        assert done.stderr.startswith(err)
        assert bool(done.stdout) is bool(out)
        assert bool(done.stderr) is bool(err)

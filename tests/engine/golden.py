"""Golden playthroughs: whole matches as text (tests/golden/README.md), replayed through the Game contract only."""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import secrets
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from engine import shuffling
from engine.cards import Card, parse_card
from engine.errors import IllegalMove, Violation
from engine.game import Game
from engine.games import GAMES
from engine.options import resolve
from tests.engine.laws import ruling
from tests.engine.playing import next_move
from tests.engine.registry import HABITS

FOLDER = Path(__file__).parents[1] / "golden"


def replay(text: str, arranger: Any = None) -> Any:
    """Play a match from its text and check every line of it; the last state comes back. Without an `arranger`, the game's
    exact one is asked."""
    lines = _lines(text)
    header: dict[str, str] = {}
    state: Any = None
    game: Game[Any, Any, Any]
    for number, line in lines:
        if state is None and ":" in line and not line[0].isdigit():
            key, value = line.split(":", 1)
            header[key.strip()] = value.strip()
            continue
        if state is None:
            game = GAMES[header["game"]]
            state = _deal(game, header)
            arranger = arranger or HABITS[game.name].exact
        try:
            state = _step(game, state, line, arranger)
        except (AssertionError, IllegalMove, KeyError) as wrong:
            raise AssertionError(f"line {number}: {line}\n{wrong}") from wrong
        game.check(state)
    return state


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _deal(game: Game[Any, Any, Any], header: dict[str, str]) -> Any:
    rules = header["rules"]
    resolved = resolve(game.rules, json.loads(rules) if rules.startswith("{") else rules)
    starter = None if header["starter"] == "none" else int(header["starter"])
    return game.deal(int(header["seats"]), resolved, header["seed"], starter)[0]


def _step(game: Game[Any, Any, Any], state: Any, line: str, arranger: Any) -> Any:
    if line.startswith("expect "):
        _expect(game, state, line.removeprefix("expect ").split())
        return state
    if "!!" in line:
        made, code = line.split("!!")
        with pytest.raises(IllegalMove) as refused:
            game.apply(state, *_read_move(game, made), arranger)
        assert refused.value.violation.code == code.strip()
        return state
    made, happened = line.split("->")
    state, events = game.apply(state, *_read_move(game, made), arranger)
    assert [event.type for event in events] == happened.split()
    return state


def _expect(game: Game[Any, Any, Any], state: Any, fields: Iterable[str]) -> None:
    for field in fields:
        name, expected = field.split("=", 1)
        holder = game.outcome(state) if name in ("winners", "reason") else state
        assert _write(getattr(holder, name)) == expected, f"{name} is {_write(getattr(holder, name))}"


def _read_move(game: Game[Any, Any, Any], text: str) -> tuple[int | None, Any]:
    who, kind, *fields = text.split()
    move = next(move for move in game.moves if move.type == kind)
    given = dict(field.split("=", 1) for field in fields)
    hints = typing.get_type_hints(move)
    values = {field.name: _read(hints[field.name], given[_name(field)]) for field in dataclasses.fields(move)}
    return None if who == "referee" else int(who), move(**values)


def _read(hint: Any, text: str) -> Any:
    """A field's value from its text, as the field's annotation says."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        if text == "none":
            return None
        hint = next(kind for kind in typing.get_args(hint) if kind is not type(None))
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        separator = "|" if typing.get_origin(inner) is tuple else ","
        return tuple(_read(inner, part) for part in text.split(separator)) if text else ()
    if typing.get_origin(hint) is Literal:
        return text
    return parse_card(text) if hint is Card else hint(text)


def _write(value: Any) -> str:
    if isinstance(value, tuple):
        separator = "|" if value and isinstance(value[0], tuple) else ","
        return separator.join(map(_write, value))
    return "none" if value is None else str(value)


def _name(field: dataclasses.Field[Any]) -> str:
    return str(field.metadata.get("json", field.name))


def write_move(seat: int | None, move: Any) -> str:
    """A move as its line has it, without the events."""
    fields = [f"{_name(field)}={_write(getattr(move, field.name))}" for field in dataclasses.fields(move)]
    return " ".join(["referee" if seat is None else str(seat), move.type, *fields])


def write_match(game: Game[Any, Any, Any], seats: int, rules: str, seed: str, starter: int | None) -> str:
    """A match at random as text, the same for the same seed. Now and then a move is tried that is refused; each finished
    round gets its checkpoint."""
    habits, rng = HABITS[game.name], random.Random(seed)
    header = {"game": game.name, "seats": str(seats), "rules": rules, "seed": seed, "starter": _write(starter)}
    lines = [*(f"{key}: {value}" for key, value in header.items()), ""]
    state = _deal(game, header)
    while game.outcome(state) is None:
        seat, move = game.to_move(state), habits.strange(state, rng)
        if rng.random() < 0.05 and isinstance(refused := ruling(game, state, seat, move, habits.exact), Violation):
            lines.append(f"{write_move(seat, move)} !! {refused.code}")
        seat, move = next_move(game, habits, state, habits.exact, rng)
        state, events = game.apply(state, seat, move, habits.exact)
        lines.append(f"{write_move(seat, move)} -> {' '.join(event.type for event in events)}")
        if game.to_move(state) is None:
            lines.append(f"expect phase={state.phase} round={state.round} totals={_write(state.totals)}")
            lines.append("")
    ended = game.outcome(state)
    assert ended is not None
    lines.append(f"expect winners={_write(ended.winners)} reason={ended.reason}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a match at random to the standard output, as a file of tests/golden has it."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.golden", description=main.__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("seats", type=int)
    parser.add_argument("--rules", default="house", help="a preset's name, or fields as a JSON object")
    parser.add_argument(
        "--seed", default=secrets.token_hex(shuffling.SEED_BYTES), help="64 hex digits; else one at random"
    )
    parser.add_argument("--starter", type=int, help="a seat; else one is drawn")
    given = parser.parse_args(arguments)
    print(write_match(GAMES[given.game], given.seats, given.rules, given.seed, given.starter), end="")


if __name__ == "__main__":
    main()

"""Values that a caller might send in the place of others, and changes inside a JSON value."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from engine.cards import RANKS
from engine.games import GAMES

CARDS = [*(rank + suit for rank in RANKS for suit in "SHDC"), "JK", "??"]
OPTIONS = [option.name for game in GAMES.values() for option in fields(game.rules)]
NAMES = [
    "hand",
    "seat",
    "seats",
    "move",
    "type",
    "rules",
    "preset",
    "state",
    "wild_rank",
    "groups",
    "fold",
    "turn",
    *OPTIONS,
]
STRANGE = (
    "", " ", "\x00", "é", "5♥", "10d", "５Ｈ", "🂡", "\u202e", "\u2028", "a\ud800", "\udc00", "%00", "../..", "null", "true",
    "0", "-1", "1e9", "NaN", "7H ", "jk", "house", "indian", "referee", "draw", "stock", "x" * 300, "{}", "<b>", "'\"`",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2, 7, 13, 14, 15, 99, 1000, -(10**9), 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 10**4000,
    0.5, -0.0, 1e308, 1.5e-300, 13.0, float("nan"), float("inf"),
)  # fmt: skip
LONGEST = 40  # elements that a list grows to: how much may be asked for at once is for `bench.flood`

Place = tuple[Any, Any]  # a list or an object, and an index or a name in it


def odd(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value, seldom a fitting one."""
    match rng.randrange(9):
        case 0:
            return rng.choice((None, True, False))
        case 1 | 2:
            return rng.choice(NUMBERS)
        case 3 | 4:
            return rng.choice(CARDS)
        case 5 | 6:
            return rng.choice(STRANGE)
        case 7 if depth < 3:
            return [odd(rng, depth + 1) for _ in range(rng.choice((0, 1, 2, 13, 14)))]
        case 8 if depth < 3:
            return {rng.choice(NAMES + list(STRANGE)): odd(rng, depth + 1) for _ in range(rng.choice((0, 1, 3)))}
    return None


def rules(rng: random.Random) -> Any:
    """Rules with some options at random: some possible, some contradicting each other, some wrong."""
    game = rng.choice(list(GAMES.values()))
    wish: dict[str, Any] = {}
    if rng.random() < 0.5:
        wish["preset"] = rng.choice([*game.rules.presets(), "nope"])
    for option in rng.sample(fields(game.rules), rng.choice((1, 1, 2, 4))):
        about = option.metadata.get("option")
        if about is None or rng.random() < 0.2:
            wish[option.name] = odd(rng)
        elif about.kind == "choice":
            wish[option.name] = rng.choice(about.choices)
        elif about.kind == "boolean":
            wish[option.name] = rng.random() < 0.5
        else:
            numbers = [rng.randint(about.minimum, max(about.minimum, about.maximum)) for _ in range(2)]
            wish[option.name] = numbers[0] if about.kind == "integer" else sorted(numbers)
    return wish


def places(value: Any) -> list[Place]:
    """Every place inside a value."""
    found: list[Place] = []
    waiting = [value]
    while waiting:
        inside = waiting.pop()
        keys = list(inside) if isinstance(inside, dict) else range(len(inside)) if isinstance(inside, list) else ()
        for key in keys:
            found.append((inside, key))
            waiting.append(inside[key])
    return found


def changed(value: Any, rng: random.Random) -> Any:
    """A copy of a JSON value with one thing changed."""
    value = copy.deepcopy(value)
    found = places(value)
    if not found:
        return odd(rng)
    inside, key = rng.choice(found)
    rng.choice(_CHANGES)(inside, key, rng, value)
    return value


def _replace(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    inside[key] = odd(rng)


def _delete(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    del inside[key]


def _add(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    if isinstance(inside, dict):
        inside[rng.choice(NAMES + list(STRANGE))] = odd(rng)
    else:
        inside.insert(key, odd(rng))


def _repeat(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    if isinstance(inside, list):
        inside[key:key] = [inside[key]] * min(rng.choice((1, 2, LONGEST)), LONGEST - len(inside))
    else:
        inside[f"{key} "] = inside[key]


def _other_card(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    held = [place for place in places(whole) if place[0][place[1]] in CARDS]
    inside, key = rng.choice(held) if held else (inside, key)
    inside[key] = rng.choice(CARDS)


def _swap(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    other, there = rng.choice(places(whole))
    taken = copy.deepcopy(other[there])
    other[there] = copy.deepcopy(inside[key])
    inside[key] = taken


def _nudge(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    old = inside[key]
    if isinstance(old, bool):
        inside[key] = not old
    elif isinstance(old, int):
        inside[key] = rng.choice((old + 1, old - 1, -old, float(min(max(old, -(2**63)), 2**63)), str(old)))
    elif isinstance(old, str):
        inside[key] = rng.choice((old.lower(), old + " ", old + "\x00", old[::-1], old[:-1], [old], old * 2))
    else:
        inside[key] = rng.choice((None, [old], {"0": old}, str(type(old))))


def _deepen(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    for _ in range(rng.choice((1, 30, 40))):
        inside[key] = [inside[key]]


def _other_rules(inside: Any, key: Any, rng: random.Random, whole: Any) -> None:
    if isinstance(whole, dict):
        whole["rules"] = rules(rng)
    else:
        inside[key] = rules(rng)


_CHANGES: tuple[Callable[[Any, Any, random.Random, Any], None], ...] = (
    _replace, _replace, _replace, _delete, _delete, _add, _repeat, _other_card, _other_card, _other_card, _swap, _nudge, _nudge,
    _deepen, _other_rules,
)  # fmt: skip


def written(value: Any) -> bytes:
    """A value as JSON text, with whatever JSON does not have; no body is no text."""
    return value if isinstance(value, bytes) else b"" if value is None else _dumps(value)


def _dumps(value: Any) -> bytes:
    try:
        return json.dumps(value).encode()
    except (RecursionError, ValueError):  # too deep for Python, or too many digits
        return b"[" * 5000

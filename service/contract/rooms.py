"""The rooms of `service/` and the imports between them, read from the code and not run: for the documents and the test of the house.

A room is a folder, or one of the few files beside the folders. One that imports another, wherever in a file, leans on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from service.config import ROOT

HOUSE = ROOT / "service"


def room_of(file: Path) -> str:
    """The name of the room that a file stands in."""
    return file.relative_to(HOUSE).parts[0].removesuffix(".py")


def files() -> list[Path]:
    """Every file of Python in the house."""
    return sorted(HOUSE.rglob("*.py"))


def said(file: Path) -> str:
    """What a file says of itself: its docstring."""
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


@cache
def rooms() -> Mapping[str, str]:
    """What each room says of itself, by name: the docstring of its file, or of its folder's ``__init__``."""
    doors = [*HOUSE.glob("*.py"), *HOUSE.glob("*/__init__.py")]
    return {room_of(door): said(door) for door in sorted(doors)}


@cache
def arrows() -> Mapping[str, frozenset[str]]:
    """Which other rooms each room imports."""
    found: dict[str, set[str]] = {name: set() for name in rooms()}
    for file in files():
        found[room_of(file)] |= set(_imported(file)) - {room_of(file)}
    return {name: frozenset(others) for name, others in found.items()}


def _imported(file: Path) -> Iterator[str]:
    """The rooms that a file imports; what is taken from the package itself is `__init__`'s."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            house, _, inside = name.partition(".")
            if house == HOUSE.name:
                room = inside.partition(".")[0]
                yield room if room in rooms() else "__init__"


def floors(arrows: Mapping[str, frozenset[str]]) -> Mapping[str, int]:
    """The floor of each room, 0 being the ground: just above all that it imports. Raises `graphlib.CycleError`."""
    found: dict[str, int] = {}
    for name in TopologicalSorter(arrows).static_order():
        found[name] = 1 + max((found[other] for other in arrows[name]), default=-1)
    return found


def direct(arrows: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
    """The arrows that no way over other rooms leads along."""

    def below(name: str) -> frozenset[str]:
        return arrows[name].union(*(below(other) for other in arrows[name]))

    return {
        name: frozenset(other for other in others if not any(other in below(each) for each in others))
        for name, others in arrows.items()
    }

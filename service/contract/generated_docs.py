"""The parts of README.md, CONTRIBUTING.md and docs/*.md that are made from the code: ``python -m service docs`` (`make docs`) renews them.

A page is written by hand but for what stands between ``<!-- made from: NAME ARGUMENT… -->`` and ``<!-- end -->``: there NAME is
one of `PARTS`. So a sentence of documentation stands in one place, and a test fails while a page is stale.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.options import describe
from service.callers.limits import Limits
from service.config import ROOT, Settings
from service.contract import floor_plan
from service.contract import rooms as house
from service.problems.codes import PROBLEMS

FAMILY = "indian"  # the preset of rummy that those of the formats are made from
_PART = re.compile(r"(<!-- made from: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The documents that may hold such parts."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def renewed(text: str) -> str:
    """A page's text with every part made anew. Raises KeyError for a part that does not exist."""

    def part(found: re.Match[str]) -> str:
        name, *arguments = found[2].split()
        return f"{found[1]}{PARTS[name](*arguments)}{found[3]}"

    return _PART.sub(part, text)


def options(game: str, section: str) -> str:
    """The options of one section of a game's rules, with what each preset says that says something of its own there, as a table."""
    described = describe(GAMES[game].rules)
    fields = [field for field in described["fields"] if field["section"] == section]
    presets = dict(_of_its_own(described["presets"], [field["name"] for field in fields]))
    rows = [
        [f"`{field['name']}`", field["sentence"], field["allowed"]]
        + [_value(values[field["name"]]) for values in presets.values()]
        for field in fields
    ]
    return _table(["option", "what it says", "allowed", *(f"`{name}`" for name in presets)], rows)


def _of_its_own(presets: Mapping[str, Mapping[str, Any]], names: list[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The first two presets, and each further one that says of these fields something else than the second."""
    for number, (name, values) in enumerate(presets.items()):
        if number < 2 or any(values[field] != presets[FAMILY][field] for field in names):
            yield name, values


def formats() -> str:
    """What each preset of rummy says over the one that it is made from, as a table."""
    presets = describe(GAMES["rummy"].rules)["presets"]
    family = presets[FAMILY]
    rows = [
        [f"`{name}`", ", ".join(f"`{field}: {json.dumps(value)}`" for field, value in over)]
        for name, values in presets.items()
        if (over := [(field, value) for field, value in values.items() if value != family[field]]) and name != "house"
    ]
    return _table(["preset", f"over `{FAMILY}`"], rows)


def settings() -> str:
    """Every environment variable as a table."""
    rows = [
        [f"`{field.metadata['name']}`", field.metadata["sentence"], f"`{field.default}`" if field.default else ""]
        for field in dataclasses.fields(Settings)
    ]
    return _table(["variable", "what it says", "default"], rows)


def limits() -> str:
    """The limits of an app as a table."""
    rows = [
        [f"`{field.name}`", field.metadata["sentence"], f"{field.default:,}"] for field in dataclasses.fields(Limits)
    ]
    return _table(["limit", "how much", "default"], rows)


def problems() -> str:
    """Every code of a problem but the violations, as a table."""
    rows = [[f"`{known.code}`", str(known.status), known.sentence] for known in PROBLEMS.values()]
    return _table(["code", "status", "when"], rows)


def violations(game: str) -> str:
    """The codes of a game's illegal moves, in the order of the checks, as a table."""
    return _table(["code", "when"], ([f"`{code}`", when] for code, when in GAMES[game].violations.items()))


def rooms() -> str:
    """The rooms of the service from the top floor down, with what each is and what it must not do, as a table."""
    folders = [name for name in _downwards() if (house.HOUSE / name).is_dir()]
    return _table(
        ["room", "what it is", "what it must not do"],
        ([f"`{name}/`", *map(_in_one_line, house.rooms()[name].split("\n\n"))] for name in folders),
    )


def modules() -> str:
    """Every file of the service, room by room from the top floor down, with what it says of itself, as a table."""
    by_room = {name: [file for file in house.files() if house.room_of(file) == name] for name in _downwards()}
    rows = [
        [f"`{file.relative_to(house.HOUSE)}`", _first_sentence(house.said(file))]
        for files in by_room.values()
        for file in files
        if file.name != "__init__.py" or file.parent == house.HOUSE
    ]
    return _table(["file", "what stands in it"], rows)


def _downwards() -> list[str]:
    floors = house.floors(house.arrows())
    return sorted(floors, key=lambda name: (-floors[name], name))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", _in_one_line(text.split("\n\n")[0]))[0]


PARTS: Mapping[str, Callable[..., str]] = {
    "formats": formats,
    "limits": limits,
    "modules": modules,
    "options": options,
    "problems": problems,
    "rooms": rooms,
    "settings": settings,
    "violations": violations,
}


def _value(value: Any) -> str:
    """A field's value as it stands in a request, or for an object of points as few words as it takes."""
    if isinstance(value, dict):
        return ", ".join(f"{rank} {points}" for rank, points in value.items())
    return f"`{json.dumps(value)}`"


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def renew() -> None:
    """Write the pages that are stale, and the picture of the house."""
    floor_plan.write()
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (fresh := renewed(text)) != text:
            page.write_text(fresh, encoding="utf-8")

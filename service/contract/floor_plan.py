"""The rooms of `service/` as a picture: each stands above all that it imports. Made as SVG, for pages without a script."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from service.config import ROOT
from service.contract.rooms import arrows, direct, floors, rooms

FILE = ROOT / "docs" / "architecture.svg"

_WIDE, _HIGH = 210, 62  # a room
_LANE = 30  # room for an arrow that passes a floor
_GAP, _STAIRS = 24, 40  # between rooms, between floors
_SWEEPS = 8
_STYLE = (
    "svg{background:#fff}rect{fill:#f4f7f6;stroke:#0b6e4f}text{font:13px sans-serif;fill:#333;text-anchor:middle}"
    ".name{font:bold 15px monospace;fill:#0b6e4f}path{fill:none;stroke:#7a8f88}marker path{fill:#7a8f88;stroke:none}"
)


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """A room on its floor, or a lane in which an arrow between two others passes a floor."""

    floor: int
    room: str
    towards: str = ""

    @property
    def wide(self) -> int:
        return _LANE if self.towards else _WIDE


def picture() -> str:
    """The text of the SVG file."""
    level = floors(arrows())
    steps = [
        step for name, others in direct(arrows()).items() for other in others for step in _steps(level, name, other)
    ]
    rows = _ordered(sorted({place for step in steps for place in step}), steps)
    width = max(_width(row) for row in rows.values()) + 2 * _GAP
    at = {place: spot for row in rows.values() for place, spot in _spread(row, width)}
    top = max(rows)
    down = {floor: _GAP + (top - floor) * (_HIGH + _STAIRS) for floor in rows}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {down[0] + _HIGH + _GAP}">',
        f"<title>The rooms of service/, each above all that it imports</title><style>{_STYLE}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>',
    ]
    parts += [
        _arrow(at[one], down[one.floor], at[other], down[other.floor], not other.towards)
        for one, other in sorted(steps)
    ]
    parts += [_lane(at[place], down[place.floor]) for place in sorted(at) if place.towards]
    parts += [_room(place.room, at[place], down[place.floor]) for place in sorted(at) if not place.towards]
    return "\n".join([*parts, "</svg>\n"])


def write(file: Path = FILE) -> None:
    """Write the picture, if another one is there."""
    fresh = picture()
    if not file.is_file() or file.read_text(encoding="utf-8") != fresh:
        file.write_text(fresh, encoding="utf-8")


def _steps(level: Mapping[str, int], name: str, other: str) -> list[tuple[_Place, _Place]]:
    """The way from a room to one that it imports, floor by floor."""
    lanes = [_Place(floor, name, other) for floor in range(level[name] - 1, level[other], -1)]
    way = [_Place(level[name], name), *lanes, _Place(level[other], other)]
    return list(pairwise(way))


def _ordered(places: list[_Place], steps: list[tuple[_Place, _Place]]) -> dict[int, list[_Place]]:
    """The places of each floor from left to right, each near the middle of those that it is tied to (barycentres; Sugiyama,
    Tagawa and Toda 1981)."""
    rows: dict[int, list[_Place]] = {}
    for place in places:
        rows.setdefault(place.floor, []).append(place)
    for sweep in range(_SWEEPS):
        for floor in sorted(rows, reverse=sweep % 2 == 0):
            spot = {place: at for row in rows.values() for place, at in _spread(row, 0)}
            near = {
                place: [spot[two if one == place else one] for one, two in steps if place in (one, two)]
                for place in rows[floor]
            }
            rows[floor].sort(key=lambda place: (sum(near[place]) / max(1, len(near[place])), place))
    return rows


def _width(row: list[_Place]) -> int:
    return sum(place.wide for place in row) + _GAP * (len(row) - 1)


def _spread(row: list[_Place], width: int) -> list[tuple[_Place, int]]:
    """The middle of each place of a floor that is centred in so much width."""
    left = (width - _width(row)) // 2
    found = []
    for place in row:
        found.append((place, left + place.wide // 2))
        left += place.wide + _GAP
    return found


def _arrow(x: int, y: int, to_x: int, to_y: int, ends: bool) -> str:
    start, half = y + _HIGH, _STAIRS // 2
    tip = ' marker-end="url(#tip)"' if ends else ""
    return f'<path d="M{x} {start}C{x} {start + half} {to_x} {to_y - half} {to_x} {to_y}"{tip}/>'


def _lane(x: int, y: int) -> str:
    return f'<path d="M{x} {y}v{_HIGH}"/>'


def _room(name: str, x: int, y: int) -> str:
    said = textwrap.wrap(short(rooms()[name]), 27)[:2]
    lines = [f'<text x="{x}" y="{y + 38 + 16 * number}">{escape(line)}</text>' for number, line in enumerate(said)]
    box = f'<rect x="{x - _WIDE // 2}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="6"/>'
    return f'{box}<text class="name" x="{x}" y="{y + 20}">{name}</text>{"".join(lines)}'


def short(said: str) -> str:
    """What a room says of itself in a few words: up to the first mark."""
    return re.split(r"[.:,;(]", " ".join(said.split()).replace("`", ""))[0]

"""A line chart with a logarithmic scale, written as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 130, 40, 40


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: its name, a positive value for each place on the horizontal axis, its colour."""

    name: str
    values: Sequence[float]
    colour: str
    dashed: bool = False


def plot(title: str, places: Sequence[int], lines: Sequence[Line]) -> str:
    """The chart as the text of an SVG file."""
    low = floor(min(log10(value) for line in lines for value in line.values))
    high = max(ceil(max(log10(value) for line in lines for value in line.values)), low + 1)

    def across(place: int) -> float:
        return _LEFT + (place - places[0]) / (places[-1] - places[0]) * (_WIDTH - _LEFT - _RIGHT)

    def up(value: float) -> float:
        return _HEIGHT - _BOTTOM - (log10(value) - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{title}</text>',
    ]
    for power in range(low, high + 1):
        height = up(10.0**power)
        parts.append(f'<path d="M{_LEFT} {height:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{height + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    parts += [
        f'<text x="{across(place):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{place}</text>'
        for place in places
    ]
    for number, line in enumerate(lines):
        path = "L".join(f"{across(at):.1f} {up(value):.1f}" for at, value in zip(places, line.values, strict=True))
        dashes = ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(f'<path d="M{path}" fill="none" stroke="{line.colour}" stroke-width="2"{dashes}/>')
        beside, height = _WIDTH - _RIGHT + 12, _TOP + 14 + 20 * number
        parts.append(f'<path d="M{beside} {height - 4}h22" stroke="{line.colour}" stroke-width="2"{dashes}/>')
        parts.append(f'<text x="{beside + 28}" y="{height}">{line.name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"

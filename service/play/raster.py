"""A picture as PNG, for chats that show no SVG: drawn with fonts of our own, so that it is the same on every machine."""

from __future__ import annotations

from pathlib import Path

import resvg_py

_FONTS = Path(__file__).parent / "fonts"
_FAMILY = "DejaVu Sans Condensed"
_ZOOM = 2  # dots for a unit of the drawing: phones have so many


def png(svg: str) -> bytes:
    """The drawing as PNG: some 70 ms of a processor, during which the interpreter's lock is held."""
    dots: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=_ZOOM,
        skip_system_fonts=True,
        font_files=[str(path) for path in sorted(_FONTS.glob("*.ttf"))],
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
    )
    return dots

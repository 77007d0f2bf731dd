"""Worked examples of the stateless calls: what openapi.yaml shows, and what a test sends and compares."""

from __future__ import annotations

import json
from pathlib import Path

from service.http import Example

_EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def of(path: str) -> tuple[Example, ...]:
    """The examples of a call. ``"…"`` stands for what differs from call to call."""
    return tuple(Example(**example) for example in _EXAMPLES.get(path, ()))

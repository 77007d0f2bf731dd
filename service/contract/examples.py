"""Worked examples of the calls: what openapi.yaml shows, and what a test sends and compares."""

from __future__ import annotations

import json
from pathlib import Path

from service.http.operation import Example

FILE = Path(__file__).parent / "examples.json"
_EXAMPLES = json.loads(FILE.read_text(encoding="utf-8"))


def of(name: str) -> tuple[Example, ...]:
    """The examples of an operation."""
    return tuple(Example(**example) for example in _EXAMPLES.get(name, ()))

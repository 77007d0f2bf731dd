"""Texts that people will see: without characters that cannot be seen and change how the rest is shown."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, validate

from engine.errors import escape
from service.json.type_hints import Flaws

# C0 and C1 controls with DEL, and what turns the direction of writing (UAX #9: marks, embeddings, overrides, isolates).
_UNSEEN = "\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
_PLAIN = re.compile(f"^[^{_UNSEEN}]*$")  # as a pattern of JSON Schema, too
NOT_PLAIN = "must have no control characters, and none that turn the direction of writing"

_LINES = str.maketrans("", "", "\t\n\r")  # an app's own notes may have lines


class Plain(validate.Regexp):
    """Validates a text of one line that people will see."""

    def __init__(self) -> None:
        super().__init__(_PLAIN, error=NOT_PLAIN)

    def __call__(self, value: Any) -> Any:
        if not _PLAIN.fullmatch(value):  # `match` lets a last end of line pass
            raise ValidationError(NOT_PLAIN)
        return value


def check_texts(value: Any, at: str, flaws: Flaws) -> None:
    """Add a flaw for every name and text in a JSON value that is not plain, but for tabs and ends of lines in the texts."""
    if isinstance(value, str):
        if not _PLAIN.fullmatch(value.translate(_LINES)):
            flaws.add(at, NOT_PLAIN)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_texts(inner, f"{at}/{number}", flaws)
    elif isinstance(value, dict):
        for name, inner in value.items():
            place = f"{at}/{escape(name)}"
            if not _PLAIN.fullmatch(name):
                flaws.add(place, f"the name {NOT_PLAIN}")
            check_texts(inner, place, flaws)

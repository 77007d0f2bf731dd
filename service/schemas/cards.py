"""Cards as JSON Schema has them: a text in one of the spellings that are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from engine.swoop.pile import FACE_DOWN
from service.json.type_hints import As, Component

_SUIT = "[SHDCshdc♠♥♦♣♤♡♢♧]"
_SELECTORS = "[\\ufe0e\\ufe0f]"  # what keyboards append to a suit sign
_SPELLINGS = (
    f"[A2-9TJQKatjqk]{_SUIT}{_SELECTORS}{{0,4}}|10{_SUIT}{_SELECTORS}{{0,3}}"
    f"|[Jj][Kk]{_SELECTORS}{{0,4}}|[Jj][Oo][Kk][Ee][Rr]{_SELECTORS}?"
)
CARD: Mapping[str, Any] = {
    "type": "string",
    "pattern": f"^({_SPELLINGS})$",
    "description": "A rank and a suit such as 5H or TD, or JK for a printed joker; read in any of these spellings, written as two characters.",
    "examples": ["5H", "TD", "JK"],
}

# One text and no oneOf of two, which clients cannot tell apart by type.
SEEN_CARD = Annotated[
    str,
    As(
        Component(
            "SeenCard",
            {
                "type": "string",
                "pattern": f"^({_SPELLINGS}|{re.escape(FACE_DOWN)})$",
                "description": f"A card, or {FACE_DOWN} where it lies face down.",
            },
        )
    ),
]

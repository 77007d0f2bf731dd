"""Cards as JSON Schema has them: a text in one of the spellings that are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from engine.cards import Card
from engine.swoop.pile import FACE_DOWN
from service.json.decode import reader
from service.json.type_hints import As, Component, Flaws, Read

_SUIT = "[SHDCshdc♠♥♦♣♤♡♢♧]"
_SELECTORS = "[\\ufe0e\\ufe0f]"  # what keyboards append to a suit sign
_SPELLINGS = (
    f"[A02-9TJQKatjqk]{_SUIT}{_SELECTORS}{{0,4}}|10{_SUIT}{_SELECTORS}{{0,3}}"
    f"|[Jj][Kk]{_SELECTORS}{{0,4}}|[Jj][Oo][Kk][Ee][Rr]{_SELECTORS}?|[Xx][12]{_SELECTORS}{{0,4}}"
)
CARD: Mapping[str, Any] = {
    "type": "string",
    "pattern": f"^({_SPELLINGS})$",
    "description": "A rank and a suit such as 5H or TD, or JK for a printed joker; read in any of these spellings, written as two characters.",
    "examples": ["5H", "TD", "JK"],
}

_APART = "[ ,\\t\\n\\r]"
_TEXT = f"^{_APART}*(({_SPELLINGS})({_APART}+|$))*$"
_read_list = reader(tuple[Card, ...])


def _read_cards(value: Any, at: str, flaws: Flaws) -> Any:
    if type(value) is str:
        value = [face for face in re.split(f"{_APART}+", value) if face]
    elif type(value) is not list:
        flaws.add(at, 'must be cards: a list such as ["5H", "TD", "JK"], or one text such as "5H TD JK"')
        return None
    return _read_list(value, at, flaws)


Cards = Annotated[
    tuple[Card, ...],
    Read(
        _read_cards,
        Component(
            "Cards",
            {
                "oneOf": [{"type": "array", "items": As(Card)}, {"type": "string", "pattern": _TEXT}],
                "description": "Cards as a list, or as one text, parted by spaces or commas. In both, problems point to a card by its place: /hand/0 is the first.",
                "examples": [["5H", "TD", "JK"], "5H TD JK"],
            },
        ),
    ),
]
"""Cards as requests have them."""

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

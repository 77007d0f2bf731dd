"""What is asked for a picture of a grouping: the hand, the wild rank and the rules as a query has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, Rank
from engine.rummy.rules import RummyRules
from service.json.strict import BadJson, parse
from service.json.type_hints import Flaws
from service.schemas.common import Chosen, rules_field, wild_rank_field
from service.schemas.fields import Shape, cards
from service.schemas.own_fields import own

_HAND, _WILD_RANK, _RULES = cards(), wild_rank_field(), rules_field(RummyRules)
MOST = 256  # characters of a hand: 14 cards in the longest spelling
_LONGEST_RULES = 2048


@dataclass(frozen=True, slots=True)
class PictureQuery:
    """A hand to draw as it is grouped best."""

    hand: tuple[Card, ...]
    wild_rank: Rank | None
    rules: Chosen[RummyRules]


def _read_hand(value: str, at: str, flaws: Flaws) -> Any:
    if len(value) > MOST:
        flaws.add(at, f"is longer than {MOST} characters")
        return None
    return _HAND.read([text for text in re.split(r"[\s,]+", value) if text], at, flaws)


def _read_wild_rank(value: str, at: str, flaws: Flaws) -> Any:
    return None if value == "null" else _WILD_RANK.read(value, at, flaws)


def _read_rules(value: str, at: str, flaws: Flaws) -> Any:
    if not value.startswith("{"):
        return _RULES.read(value, at, flaws)
    try:
        return _RULES.read(parse(value[: _LONGEST_RULES + 1].encode()), at, flaws)
    except BadJson as wrong:
        flaws.add(at, str(wrong))
        return None


class PictureShape(Shape):
    """A hand to draw."""

    makes = PictureQuery

    hand = own(
        _read_hand,
        {
            "type": "string",
            "maxLength": MOST,
            "description": "13 or 14 cards, parted by commas or blanks.",
            "examples": ["4S,5S,6S,8H,8D,JK,2C,2C,KD,QH,9C,3D,AC"],
        },
        required=True,
    )
    wild_rank = own(
        _read_wild_rank,
        {
            "type": "string",
            "pattern": "^([Aa2-9TtJjQqKk]|10|null)$",
            "description": "The rank whose cards are wild this round, or null.",
        },
        required=True,
    )
    rules = own(
        _read_rules,
        {
            "type": "string",
            "maxLength": _LONGEST_RULES,
            "description": "A preset's name, or as JSON an object of fields over a preset; omitted: house.",
            "examples": ["indian", '{"preset":"indian","points_cap":60}'],
        },
        load_default=_RULES.load_default,
    )

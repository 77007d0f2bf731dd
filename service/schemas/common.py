"""What the shapes of several resources share: the choice of rules, the wild rank, the seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from marshmallow import fields

from engine.cards import Rank, UnknownCard, parse_rank
from engine.errors import InvalidRules
from engine.game import Listed
from engine.options import options, resolve
from service.hints import As, Flaws, Read
from service.schemas.fields import Coded

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Chosen(Generic[R]):
    """The rules that a caller chose, and the fields it set itself."""

    rules: R
    given: frozenset[str] = frozenset()


def rules_field(cls: Any) -> Coded:
    """A caller's `rules`: nothing (house), a preset's name, or fields over a preset; made from the options of the game."""
    house = Chosen(resolve(cls))
    return Coded(Annotated[Chosen[Any], _choice_of(cls)], load_default=lambda: house)


def wild_rank_field() -> Coded:
    """The wild rank, which must be told, if only as null."""
    return Coded(Annotated[Rank | None, _WILD_RANK], required=True)


def seed_field() -> fields.String:
    """The seed of a match, for callers that choose it themselves."""
    return fields.String(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "64 hex digits, lower case; omitted: from the system's entropy.",
            "pattern": "^[0-9a-f]{64}$",
        },
    )


def _choice_of(cls: Any) -> Read:
    def read_choice(value: Any, at: str, flaws: Flaws) -> Any:
        try:
            return Chosen(resolve(cls, value), frozenset(value) if isinstance(value, Mapping) else frozenset())
        except InvalidRules as wrong:
            flaws.take(wrong, at)
            return None

    presets = list(cls.presets())
    properties = {name: option.schema() for name, option in options(cls).items()}
    preset = {"type": "string", "enum": presets, "description": "The preset whose fields are changed; default house."}
    return Read(
        read_choice,
        {
            "anyOf": [
                {"type": "null"},
                {"type": "string", "enum": presets},
                {"type": "object", "properties": {"preset": preset, **properties}, "additionalProperties": False},
            ],
            "default": "house",
            "description": "A preset's name, or an object of fields over a preset.",
        },
    )


ALL = (
    "Every distinct play of swoop, by faces and slots, up to 1,000 moves; otherwise one play for each rank and number of cards. "
    "In rummy it changes nothing."
)
Complete = Annotated[
    Literal[False] | None, "Stands there, false, where there are more moves than these (only with `all`)."
]  # else None, and omitted


def complete(listed: Listed[Any]) -> Literal[False] | None:
    """What is said beside a list of moves."""
    return None if listed.complete else False


Problem = Annotated[Mapping[str, Any], As({"$ref": "#/components/schemas/Problem"})]


def _read_wild_rank(value: Any, at: str, flaws: Flaws) -> Any:
    if value is None:
        return None
    try:
        return parse_rank(value)
    except UnknownCard as wrong:
        flaws.add(at, str(wrong))
        return None


_WILD_RANK = Read(
    _read_wild_rank,
    {
        "type": ["string", "null"],
        "pattern": "^([Aa2-9TtJjQqKk]|10)$",
        "description": "The rank whose cards are wild this round, or null.",
    },
)

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
from service.json.type_hints import As, Component, Flaws, Read
from service.schemas.fields import Coded
from service.schemas.kinds import rules_fields

R = TypeVar("R")

_HOUSE = "house"
METADATA_LIMIT = 4096  # bytes of JSON


@dataclass(frozen=True, slots=True)
class Chosen(Generic[R]):
    """The rules that a caller chose, the fields it set itself, and the preset under them."""

    rules: R
    given: frozenset[str] = frozenset()
    preset: str = _HOUSE

    @property
    def name(self) -> str:
        """What the rules are called: the preset, and the fields that are not its own."""
        changed = sorted(self.given - {"preset"})
        return f"{self.preset} with {', '.join(changed)}" if changed else self.preset


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
            rules = resolve(cls, value)
        except InvalidRules as wrong:
            flaws.take(wrong, at)
            return None
        if isinstance(value, Mapping):
            return Chosen(rules, frozenset(value), value.get("preset") or _HOUSE)
        return Chosen(rules, preset=value or _HOUSE)

    return Read(read_choice, _choice_schema(cls))


def _choice_schema(cls: Any) -> Component:
    """The schema of a choice of rules: ``RummyRulesChoice`` and what it consists of."""
    return Component(
        f"{cls.__name__}Choice",
        {
            "oneOf": [preset_schema(cls), options_schema(cls), {"type": "null"}],
            "description": "A preset's name, or an object of fields over a preset; null or omitted: house.",
        },
    )


def preset_schema(cls: Any) -> Component:
    """The names of the presets of a game's rules: ``RummyPreset``."""
    named = {"type": "string", "enum": list(cls.presets()), "description": "A named set of rules."}
    return Component(cls.__name__.replace("Rules", "Preset"), named)


def options_schema(cls: Any) -> Component:
    """The fields of a game's rules, chosen over a preset: ``RummyOptions``."""
    return Component(
        cls.__name__.replace("Rules", "Options"),
        {
            "type": "object",
            "description": "Fields of the rules over those of a `preset`, which is house if it is not named.",
            "properties": {"preset": preset_schema(cls), **rules_fields(cls)},
            "additionalProperties": False,
        },
    )


def resolved_rules(cls: Any) -> dict[str, Any]:
    """A game's rules, none left out: ``RummyRules``."""
    return {
        "type": "object",
        "description": "Resolved rules: every field. Those written before a field existed lack it, and are read as they were meant.",
        "properties": rules_fields(cls),
        "required": [name for name, option in options(cls).items() if option.before is None],
        "additionalProperties": False,
    }


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


Metadata = Annotated[
    Mapping[str, Any],
    As(
        Component(
            "Metadata",
            {
                "type": "object",
                "additionalProperties": True,
                "description": f"Anything small of the app's own: up to {METADATA_LIMIT} bytes of JSON.",
            },
        )
    ),
]


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

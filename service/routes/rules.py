"""The games' rules: every preset, every field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from engine.games import GAMES
from engine.options import describe, options, to_json
from service.hints import As
from service.http import Operation
from service.problems import Refusal

_FIELD = {
    "type": "object",
    "required": ["name", "type", "nullable", "default", "allowed", "section", "sentence"],
    "properties": {
        "name": {"type": "string"},
        "type": {"type": "string", "enum": ["integer", "boolean", "choice", "integers", "pair", "points"]},
        "nullable": {"type": "boolean"},
        "default": {"description": "The value in the preset house."},
        "allowed": {"type": "string", "description": "What may stand here, in words."},
        "minimum": {"type": "integer"},
        "maximum": {"type": "integer"},
        "choices": {"type": "array", "items": {"type": "string"}},
        "section": {"type": "string", "description": "The section of the rules."},
        "sentence": {"type": "string", "description": "What the field says."},
    },
}
_PRESETS = sorted({preset for game in GAMES.values() for preset in game.rules.presets()})


def _preset_schema(rules: Any) -> dict[str, Any]:
    fields = {name: option.schema() for name, option in options(rules).items()}
    preset = {"type": "string", "enum": list(rules.presets())}
    return {"type": "object", "properties": {"preset": preset, **fields}, "required": ["preset", *fields]}


_GAME = {
    "type": "object",
    "required": ["presets", "fields"],
    "properties": {
        "presets": {"type": "object", "additionalProperties": {"type": "object"}},
        "fields": {"type": "array", "items": _FIELD},
    },
}

_All = Annotated[
    Mapping[str, Any], As({"type": "object", "properties": dict.fromkeys(GAMES, _GAME), "required": list(GAMES)})
]
_Preset = Annotated[Mapping[str, Any], As({"oneOf": [_preset_schema(game.rules) for game in GAMES.values()]})]


def _rules() -> Mapping[str, Any]:
    return {name: describe(game.rules) for name, game in GAMES.items()}


def _preset(game: str, preset: str) -> Mapping[str, Any]:
    """One preset, in the form in which a request takes it as `rules`."""
    if game not in GAMES or preset not in GAMES[game].rules.presets():
        raise Refusal("not_found", "no such game or preset; GET /v1/rules lists them")
    return {"preset": preset, **to_json(GAMES[game].rules.presets()[preset])}


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/rules",
        view=_rules,
        summary="List the rules of all games",
        description="Presets, and every field with its type, default, range and sentence.",
        answer=_All,
        tag="Rules",
    ),
    Operation(
        method="GET",
        path="/v1/rules/{game}/{preset}",
        view=_preset,
        summary="Show one preset",
        description="Every field of a preset, in the form in which requests take it as `rules`.",
        answer=_Preset,
        parameters={"game": tuple(GAMES), "preset": tuple(_PRESETS)},
        errors=("not_found",),
        tag="Rules",
    ),
)

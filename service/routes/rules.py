"""The games' rules: every preset, every field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from engine.cards import RANKS
from engine.games import GAMES
from engine.options import POINT_NAMES, describe, options, to_json
from service.hosted import kept_rules
from service.http.context import store
from service.http.operation import Operation, Reply
from service.json.type_hints import As, Component
from service.problems.refusals import Refusal
from service.schemas.common import options_schema, preset_schema
from service.schemas.game_answers import KnownRules
from service.schemas.kinds import AnyGame

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_FIELD = Component(
    "RulesField",
    {
        "type": "object",
        "description": "One field of a game's rules.",
        "required": ["name", "type", "nullable", "default", "allowed", "section", "sentence"],
        "properties": {
            "name": _TEXT,
            "type": {**_TEXT, "enum": ["integer", "boolean", "choice", "integers", "pair", "points"]},
            "nullable": {"type": "boolean"},
            "default": {
                "description": "The value in the preset house.",
                "oneOf": [
                    {"type": "boolean"},
                    _WHOLE,
                    _TEXT,
                    {"type": "array", "items": _WHOLE},
                    {"type": "object", "properties": dict.fromkeys(POINT_NAMES, _WHOLE), "required": [*RANKS]},
                    {"type": "null"},
                ],
            },
            "allowed": {**_TEXT, "description": "What may stand here, in words."},
            "minimum": _WHOLE,
            "maximum": _WHOLE,
            "choices": {"type": "array", "items": _TEXT},
            "section": {**_TEXT, "description": "The section of the rules."},
            "sentence": {**_TEXT, "description": "What the field says."},
        },
    },
)


def _described(game: AnyGame) -> Component:
    """What `engine.options.describe` says of a game's rules."""
    presets = list(game.rules.presets())
    return Component(
        f"{game.name.capitalize()}RulesDescription",
        {
            "type": "object",
            "description": "The presets of a game, and the fields of its rules.",
            "required": ["presets", "fields"],
            "properties": {
                "presets": {
                    "type": "object",
                    "properties": dict.fromkeys(presets, As(game.rules)),
                    "required": presets,
                },
                "fields": {"type": "array", "items": _FIELD},
            },
        },
    )


def _whole(game: AnyGame) -> Any:
    """Options without one left out."""
    schema = {
        "description": "Every field of a preset, in the form in which requests take it as `rules`.",
        "allOf": [options_schema(game.rules)],
        "required": ["preset", *options(game.rules)],
    }
    return Annotated[Mapping[str, Any], As(Component(f"{game.name.capitalize()}WholePreset", schema))]


def _rules() -> Mapping[str, Any]:
    return {name: describe(game.rules) for name, game in GAMES.items()}


def _show(game: AnyGame) -> Operation:
    presets = game.rules.presets()

    def show(preset: str) -> Mapping[str, Any]:
        if preset not in presets:
            raise Refusal("not_found", "no such preset; GET /v1/rules lists them")
        return {"preset": preset, **to_json(presets[preset])}

    return Operation(
        name=f"get{game.name.capitalize()}Preset",
        method="GET",
        path=f"/v1/rules/{game.name}/{{preset}}",
        view=show,
        summary=f"Show one preset of {game.name}",
        description="Every field of a preset, in the form in which requests take it as `rules`.",
        answer=_whole(game),
        parameters={"preset": preset_schema(game.rules)},
        errors=("not_found",),
        tag="Rules",
    )


def _known(hash: str) -> Reply[KnownRules]:
    found = kept_rules.find(store(), hash) if re.fullmatch(HASH, hash) else None
    if found is None:
        raise Refusal("not_found", _NO_RULES)
    return Reply(found, headers={"Cache-Control": "private, max-age=31536000, immutable"})


HASH = "[0-9a-f]{64}"
_NO_RULES = "no preset has rules with this hash, and no game that is kept here; it must be a rules_hash of a view, a state or a record: 64 digits 0-9 a-f"

_ALL = {
    "type": "object",
    "description": "The rules of all games.",
    "properties": {name: _described(game) for name, game in GAMES.items()},
    "required": list(GAMES),
}

OPERATIONS = (
    Operation(
        name="listRules",
        method="GET",
        path="/v1/rules",
        view=_rules,
        summary="List the rules of all games",
        description="Presets, and every field with its type, default, range and sentence.",
        answer=Annotated[Mapping[str, Any], As(Component("AllRules", _ALL))],
        tag="Rules",
    ),
    *map(_show, GAMES.values()),
    Operation(
        name="getRulesByHash",
        method="GET",
        path="/v1/rules/by-hash/{hash}",
        view=_known,
        summary="Show the rules that a hash names",
        description="The rules of a view that tells them by their `rules_hash` alone: of every game that is kept here, and of every preset. "
        "They never change, and may be kept by whoever asks.",
        answer=KnownRules,
        parameters={"hash": {"type": "string", "pattern": f"^{HASH}$", "description": "The `rules_hash`."}},
        errors=("not_found", "store_unavailable", "store_damaged"),
        tag="Rules",
    ),
)

"""GET /v1: what there is, for whoever looks around by hand or by program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from flask import current_app

from engine.games import GAMES
from service.contract import openapi
from service.http.operation import Operation
from service.json.type_hints import As, Component


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the contract."""

    method: str
    path: str
    summary: str


_PRESETS = {"type": "array", "items": {"type": "string"}}
_Games = Annotated[
    Mapping[str, Any],
    As(
        Component(
            "PresetNames",
            {
                "type": "object",
                "description": "The presets of each game; the first is taken where a request names none.",
                "properties": dict.fromkeys(GAMES, _PRESETS),
                "required": [*GAMES],
            },
        )
    ),
]


@dataclass(frozen=True, slots=True)
class Index:
    """What there is in this version of the contract."""

    version: str
    docs: str
    openapi: str
    games: _Games
    calls: tuple[Call, ...]


def _index() -> Index:
    operations: tuple[Operation, ...] = tuple(current_app.config["OPERATIONS"].values())
    return Index(
        version=openapi.VERSION,
        docs="/docs",
        openapi="/openapi.yaml",
        games={name: [*game.rules.presets()] for name, game in GAMES.items()},
        calls=tuple(Call(each.method, each.path, each.summary) for each in operations if each.needs_caller),
    )


OPERATIONS = (
    Operation(
        name="listCalls",
        method="GET",
        path="/v1",
        view=_index,
        summary="List what there is",
        description="Every call of this version, the games with their presets, and where all of it is described.",
        answer=Index,
        tag="Operations",
    ),
)

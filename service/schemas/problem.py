"""The shape of every problem; its codes are those of `PROBLEMS` and of the games' violations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from engine.cards import Card
from engine.games import GAMES
from service.json.type_hints import As, Component
from service.problems.codes import PROBLEMS

_CARDS = {"type": "array", "items": As(Card)}
_VIOLATIONS = sorted({code for game in GAMES.values() for code in game.violations} - set(PROBLEMS))
_TEXT = {"type": "string"}

PROBLEM = Component(
    "Problem",
    {
        "type": "object",
        "description": "What went wrong (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "request_id"],
        "properties": {
            "type": {**_TEXT, "description": "Where the code is described."},
            "title": _TEXT,
            "status": {"type": "integer"},
            "detail": _TEXT,
            "code": {**_TEXT, "enum": [*PROBLEMS, *_VIOLATIONS]},
            "request_id": _TEXT,
            "errors": {
                "type": "array",
                "description": "Each wrong place: a JSON pointer into the body, or ?name for a query parameter.",
                "items": Component(
                    "WrongPlace",
                    {
                        "type": "object",
                        "required": ["pointer", "detail"],
                        "properties": {"pointer": _TEXT, "detail": _TEXT},
                    },
                ),
            },
            "violation": Component(
                "Violation",
                {
                    "type": "object",
                    "description": "The rule that a move breaks.",
                    "required": ["code", "message", "cards"],
                    "properties": {"code": _TEXT, "message": _TEXT, "cards": _CARDS},
                },
            ),
            "version": {"type": "integer", "description": "The game's version, where the call named another."},
            "deadline": {
                "type": ["string", "null"],
                "format": "date-time",
                "description": "When the turn ends that is not overdue yet; null: no time runs.",
            },
            "regroup": {
                "type": "array",
                "items": _CARDS,
                "description": "A valid grouping of the same cards, where groups as sent fail.",
            },
        },
    },
)

Problem = Annotated[Mapping[str, Any], As(PROBLEM)]

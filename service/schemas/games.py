"""Shapes of the hosted games' calls. What depends on the game (rules, moves) is read once the game is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson
from marshmallow import fields, validate

from engine.games import GAMES
from service.json.type_hints import Flaws
from service.schemas import texts
from service.schemas.common import METADATA_LIMIT, Chosen, Metadata, rules_field, seed_field
from service.schemas.fields import Shape, one_of
from service.schemas.kinds import AnyGame, any_of, named
from service.schemas.own_fields import own

MOST_SECONDS = 7 * 24 * 3600
MOST_MISSES = 100
NAME_LENGTH = 64
_SEATS = (min(game.seats.start for game in GAMES.values()), max(game.seats.stop for game in GAMES.values()) - 1)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CreateRequest:
    """A game to be kept by the service."""

    game: str
    seats: tuple[str, ...]
    rules: Chosen[Any]
    seed: str | None
    starter: int | None
    turn_seconds: int | None
    miss_limit: int | None
    metadata: Json


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move. A seat's token needs no `seat`; from an app, None is the referee."""

    move: Json
    seat: int | None


def _number(low: int, high: int, description: str) -> fields.Integer:
    return fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.Range(low, high, error=f"must be from {low} to {high}"),
        metadata={"description": description},
    )


def _read_metadata(value: Any, at: str, flaws: Flaws) -> Any:
    if type(value) is not dict:
        flaws.add(at, "must be an object")
    elif len(orjson.dumps(value)) > METADATA_LIMIT:
        flaws.add(at, f"must be at most {METADATA_LIMIT} bytes of JSON")
    else:
        texts.check_texts(value, at, flaws)
    return value


def _read_object(value: Any, at: str, flaws: Flaws) -> Any:
    if type(value) is not dict:
        flaws.add(at, "must be an object")
    return value


def _names(fewest: int, most: int) -> fields.List[Any]:
    return fields.List(
        fields.String(
            validate=[
                validate.Length(1, NAME_LENGTH, error=f"must be 1 to {NAME_LENGTH} characters"),
                texts.Plain(),
            ]
        ),
        required=True,
        validate=validate.Length(fewest, most, error="must be {min} to {max} names"),
        metadata={"description": "The names of the seats, in playing order."},
    )


class CreateShape(Shape):
    """A game to be kept by the service."""

    makes = CreateRequest
    by_game: ClassVar[Mapping[str, Shape]] = {}

    game = fields.String(required=True, validate=one_of(*GAMES))
    seats = _names(*_SEATS)
    rules = own(lambda value, at, flaws: value, {}, load_default=None)  # which there are, no game can say
    seed = seed_field()
    starter = _number(0, 99, "The seat that starts; omitted: drawn by the shuffle.")
    turn_seconds = _number(1, MOST_SECONDS, "How long a turn may take; null: as long as it likes.")
    miss_limit = _number(1, MOST_MISSES, "After so many missed turns in a row a seat forfeits; needs `turn_seconds`.")
    metadata = own(_read_metadata, Metadata, load_default=dict)

    def load(self, data: Any, *arguments: Any, **given: Any) -> Any:
        """By the shape of the game that is named, or where there is none such by what all have in common."""
        name = data.get("game") if isinstance(data, Mapping) else None
        shape = self.by_game.get(name) if isinstance(name, str) else None
        return super().load(data, *arguments, **given) if shape is None else shape.load(data, *arguments, **given)


def _create_shape(game: AnyGame) -> Shape:
    """What is asked for a game of this kind."""
    shape: type[Shape] = type(
        f"{game.name.capitalize()}CreateShape",
        (CreateShape,),
        {
            "__doc__": f"A game of {game.name} to be kept by the service.",
            "game": fields.String(required=True, validate=one_of(game.name)),
            "seats": _names(game.seats.start, game.seats.stop - 1),
            "rules": rules_field(game.rules),
            "by_game": {},
        },
    )
    return shape()


CreateShape.by_game = {name: _create_shape(game) for name, game in GAMES.items()}


class MoveShape(Shape):
    """A move."""

    makes = MoveRequest

    move = own(
        _read_object,
        named("Move", any_of(tuple(dict.fromkeys(move for game in GAMES.values() for move in game.moves)))),
        required=True,
    )
    seat = _number(0, 99, "Who moves. A seat's token needs none; for an app, null is the referee.")

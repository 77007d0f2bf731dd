"""Shapes of the calls for apps that keep the state themselves, made for each game from its own types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any

from marshmallow import Schema, fields

from engine.game import Outcome
from service.json import states
from service.json.type_hints import As, Flaws, Read
from service.schemas.common import ALL, Chosen, Complete, rules_field, seed_field
from service.schemas.fields import Coded, Shape, flag
from service.schemas.kinds import AnyGame, events_of, many, moves_of


@dataclass(frozen=True, slots=True)
class DealRequest:
    """Who sits down, under which rules."""

    seats: int
    rules: Chosen[Any]
    seed: str | None
    starter: int | None


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A state and who asks; None: the referee, or a spectator."""

    state: Any
    seat: int | None


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """A state, whose moves (None: the referee's), and whether every single one."""

    state: Any
    seat: int | None
    all: bool


@dataclass(frozen=True, slots=True)
class TransitionRequest:
    """A state, who moves, and the move."""

    state: Any
    seat: int | None
    move: Any


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a game's requests, and the types of its answers."""

    deal_request: Schema
    seat_request: Schema
    moves_request: Schema
    transition_request: Schema
    dealt: Any
    transition: Any
    moves: Any
    view: Any


def shapes_of(game: AnyGame) -> Shapes:
    """The shapes of one game's calls."""
    name = game.name.capitalize()
    state, view = (Annotated[Mapping[str, Any], As(cls)] for cls in (game.state, game.seen))
    events = many(events_of(game))
    return Shapes(
        _request(
            DealRequest, name, seats=_seats(game), rules=rules_field(game.rules), seed=seed_field(), starter=_STARTER
        ),
        _request(SeatRequest, name, state=_state_field(game), seat=_SEAT),
        _request(MovesRequest, name, state=_state_field(game), seat=_SEAT, all=flag(ALL, default=False)),
        _request(TransitionRequest, name, state=_state_field(game), seat=_SEAT, move=move_field(game)),
        _answer(f"{name}Deal", "A match at its first deal.", state=state, commitment=_COMMITMENT, events=events),
        _answer(f"{name}Transition", "What the move did.", state=state, events=events, outcome=Outcome | None),
        _answer(f"{name}Moves", "The legal moves.", moves=many(moves_of(game)), complete=Complete),
        _answer(f"{name}SeenState", "What one seat may know.", view=view),
    )


_STARTER = fields.Integer(
    strict=True,
    load_default=None,
    allow_none=True,
    metadata={"description": "The seat that starts; omitted: drawn by the shuffle."},
)
_SEAT = fields.Integer(
    strict=True,
    required=True,
    allow_none=True,
    metadata={"description": "The seat; null: the referee, or a spectator."},
)
_COMMITMENT = Annotated[str, "The SHA-256 of the seed, to be published before the first card is seen."]


def _seats(game: AnyGame) -> fields.Integer:
    return fields.Integer(
        strict=True, required=True, metadata={"minimum": game.seats.start, "maximum": game.seats.stop - 1}
    )


def move_field(game: AnyGame) -> Coded:
    """A move of a game: one of its types, told apart by `type`."""
    return Coded(moves_of(game), required=True)


def _state_field(game: AnyGame) -> Coded:
    def read_state(value: Any, at: str, flaws: Flaws) -> Any:
        return states.from_json(game, value, at, flaws)

    return Coded(Annotated[Any, Read(read_state, game.state)], required=True)


def _request(makes: Any, game: str, **given: fields.Field[Any]) -> Schema:
    shape: type[Schema] = type(f"{game}{makes.__name__}", (Shape,), {"__doc__": makes.__doc__, "makes": makes, **given})
    return shape()


def _answer(name: str, doc: str, **hints: Any) -> Any:
    """A type of answers; `complete` is left out where there is nothing to say of it."""
    left_out = {"complete": field(default=None, metadata={"omit": True})}
    given = [(each, hint, left_out.get(each, field())) for each, hint in hints.items()]
    return make_dataclass(name, given, frozen=True, slots=True, namespace={"__doc__": doc, "__module__": __name__})

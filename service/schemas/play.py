"""Shapes of the calls for apps that keep the state themselves, made for each game from its own types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any

from engine.game import Game, Outcome
from service import states
from service.codec import As, Flaws, Read
from service.json_schema import name_of
from service.schemas.common import Chosen, choice_of

AnyGame = Game[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Shapes:
    """The types of a game's requests and answers."""

    deal_request: Any
    dealt: Any
    transition_request: Any
    transition: Any
    seat_request: Any
    moves: Any
    view: Any


def shapes_of(game: AnyGame) -> Shapes:
    """The shapes of one game's calls."""
    name = game.name.capitalize()
    state_given = Annotated[Any, Read(_state_reader(game), _state_schema(game))]
    state = Annotated[Mapping[str, Any], As(_state_schema(game))]
    seat = Annotated[int | None, "The seat; null: the referee, or a spectator."]
    move = any_of(game.moves)
    events = many(any_of(game.events))
    return Shapes(
        deal_request=_shape(
            f"{name}DealRequest",
            "Who sits down, under which rules.",
            seats=int,
            rules=(Annotated[Chosen[Any], choice_of(game.rules)], Chosen(game.rules.presets()["house"])),
            seed=(Annotated[str | None, "64 hex digits, lower case; omitted: from the system's entropy."], None),
            starter=(Annotated[int | None, "The seat that starts; omitted: drawn by the shuffle."], None),
        ),
        dealt=_shape(
            f"{name}Deal",
            "A match at its first deal.",
            state=state,
            commitment=Annotated[str, "The SHA-256 of the seed, to be published before the first card is seen."],
            events=events,
        ),
        transition_request=_shape(f"{name}TransitionRequest", "A move.", state=state_given, seat=seat, move=move),
        transition=_shape(
            f"{name}Transition", "What the move did.", state=state, events=events, outcome=Outcome | None
        ),
        seat_request=_shape(f"{name}SeatRequest", "A state and who asks.", state=state_given, seat=seat),
        moves=_shape(f"{name}Moves", "The legal moves.", moves=many(move)),
        view=_shape(
            f"{name}SeenState",
            "What one seat may know.",
            view=Annotated[
                Mapping[str, Any], As({"type": "object", "description": "The state's fields, as far as they are open."})
            ],
        ),
    )


def any_of(classes: tuple[type[Any], ...]) -> Any:
    """The union of classes that are known at run time only."""
    return reduce(or_, classes)


def many(hint: Any) -> Any:
    """The tuple of any number of a hint that is known at run time only."""
    return GenericAlias(tuple, (hint, ...))


def _shape(name: str, doc: str, **fields: Any) -> Any:
    """A frozen dataclass; a field is its hint, or its hint and default."""
    parts = [
        (each, hint[0], field(default=hint[1])) if isinstance(hint, tuple) else (each, hint)
        for each, hint in fields.items()
    ]
    return make_dataclass(name, parts, frozen=True, slots=True, namespace={"__doc__": doc, "__module__": __name__})


def _state_reader(game: AnyGame) -> Any:
    def read_state(value: Any, at: str, flaws: Flaws) -> Any:
        return states.from_json(game, value, at, flaws)

    return read_state


def _state_schema(game: AnyGame) -> dict[str, Any]:
    """The component that `service.openapi` writes for the game's state."""
    return {"$ref": f"#/components/schemas/{name_of(game.state)}"}

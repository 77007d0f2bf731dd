"""What each game has of its own kind, as the routes of every game are typed by it: unions that are known at run time only."""

from __future__ import annotations

from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any

from engine.game import Game
from engine.options import options
from service.json.type_hints import As, Component

AnyGame = Game[Any, Any, Any]


def moves_of(game: AnyGame) -> Any:
    """A move of a game: one of its types, told apart by `type`."""
    return named(f"{game.name.capitalize()}Move", any_of(game.moves))


def events_of(game: AnyGame) -> Any:
    """An event of a game, likewise."""
    return named(f"{game.name.capitalize()}Event", any_of(game.events))


def rules_fields(cls: Any) -> dict[str, Any]:
    """The schemas of the fields of a game's rules; the table of points, which is larger than the others, by its name."""
    found: dict[str, Any] = {}
    for name, option in options(cls).items():
        schema = option.schema()
        if option.kind == "points":
            points = Component(cls.__name__.replace("Rules", "Points"), schema)
            schema = {"allOf": [points], "description": option.sentence}
        found[name] = schema
    return found


def named(name: str, hint: Any) -> Any:
    """A hint with a name of its own in the spec."""
    return Annotated[hint, As(Component(name, hint))]


def any_of(classes: tuple[type[Any], ...]) -> Any:
    """The union of classes that are known at run time only."""
    return reduce(or_, classes)


def many(hint: Any) -> Any:
    """The tuple of any number of a hint that is known at run time only."""
    return GenericAlias(tuple, (hint, ...))

"""JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of the types that `service.json.codec` reads and writes, from the same hints."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from engine.cards import Card
from engine.game import Game
from engine.games import GAMES
from service.json.states import SCHEMA, following
from service.json.type_hints import As, Component, Member, OfGame, Read, members, tag_of
from service.schemas.cards import CARD, SEEN_CARD
from service.schemas.common import resolved_rules
from service.schemas.game_answers import LogStamp
from service.schemas.kinds import any_of, events_of, moves_of

Json = dict[str, Any]

_SCALARS: dict[Any, Json] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    bytes: {"type": "string", "format": "binary"},
    type(None): {"type": "null"},
}


class Schemas:
    """The schemas of types, and the components that they refer to."""

    def __init__(self) -> None:
        self.components: Json = {"Card": dict(CARD)}
        self._owners: dict[str, Any] = {}
        self._game: Game[Any, Any, Any] | None = None  # the one whose types `OfGame` stands for

    def of(self, hint: Any, closed: bool) -> Json:
        """The schema of a type. `closed`: as a request, where no field may be added; answers may grow."""
        origin, arguments = get_origin(hint), get_args(hint)
        if hint is Card:
            return _ref("Card")
        if hint in _SCALARS:
            return dict(_SCALARS[hint])
        if origin is Annotated:
            return self._annotated(arguments[0], arguments[1:], closed)
        if origin is Literal:
            return _choice(arguments)
        if origin in (Union, types.UnionType):
            return self._union(arguments, closed)
        if origin is tuple:
            if arguments[-1] is not ...:
                return {
                    "type": "array",
                    "prefixItems": [self.of(each, closed) for each in arguments],
                    "minItems": len(arguments),
                    "maxItems": len(arguments),
                }
            return {"type": "array", "items": self.of(arguments[0], closed)}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1], closed)}
        return self._component(hint, closed)

    def _annotated(self, hint: Any, notes: tuple[Any, ...], closed: bool) -> Json:
        schema = next(filter(None, (self._noted(note, closed) for note in notes)), None) or self.of(hint, closed)
        sentences = [note for note in notes if type(note) is str]
        return {**schema, "description": sentences[-1]} if sentences else schema

    def _noted(self, note: Any, closed: bool) -> Json | None:
        if isinstance(note, OfGame):
            return self._of_the_game(note, closed)
        return self.given(note.schema, closed) if isinstance(note, Read | As) else None

    def given(self, schema: Any, closed: bool) -> Json:
        """The schema that `As` says."""
        if isinstance(schema, Component):
            if schema.name not in self.components:
                self._claim(schema.name, schema.name)
                self.components[schema.name] = self.given(schema.schema, closed)
            return _ref(schema.name)
        if isinstance(schema, Mapping):
            return {name: self._within(value, closed) for name, value in schema.items()}
        return self.of(schema, closed)

    def _within(self, value: Any, closed: bool) -> Any:
        if isinstance(value, As):
            return self.given(value.schema, closed)
        if isinstance(value, Mapping | Component):
            return self.given(value, closed)
        return [self._within(each, closed) for each in value] if isinstance(value, list | tuple) else value

    def _union(self, parts: tuple[Any, ...], closed: bool) -> Json:
        if Card in parts and any(get_origin(part) is Literal for part in parts):
            parts = (SEEN_CARD, *(part for part in parts if part is type(None)))
        schemas = [self.of(part, closed) for part in parts if part is not int or float not in parts]
        if all(set(schema) == {"type"} for schema in schemas):
            kinds = [schema["type"] for schema in schemas]
            return {"type": kinds if len(kinds) > 1 else kinds[0]}
        tags = [tag_of(part) for part in parts]
        return one_of(schemas, "type", tags) if None not in tags else {"oneOf": schemas}

    def _component(self, cls: Any, closed: bool) -> Json:
        game = self._game if (of_game := _depends_on_game(cls)) else None
        name = game.name.capitalize() + cls.__name__ if game else name_of(cls)
        self._claim(name, cls)
        if name not in self.components:
            self.components[name] = {}  # a type may come up within itself
            if hasattr(cls, "presets"):
                self.components[name] = self.given(resolved_rules(cls), closed)
            elif of_game and game is None:
                self.components[name] = self._of_each_game(cls, closed)
            else:
                self.components[name] = self._record(cls, closed)
        return _ref(name)

    def _claim(self, name: str, owner: Any) -> None:
        if self._owners.setdefault(name, owner) != owner:
            raise TypeError(f"{owner} and {self._owners[name]} would both be {name}")

    def _record(self, cls: Any, closed: bool) -> Json:
        fields = members(cls)
        schema: Json = {
            "type": "object",
            "description": described(cls),
            "properties": {field.name: self.of(_never_null(field, closed), closed) for field in fields},
            "required": [field.name for field in fields if not (field.optional if closed else field.omit)],
        }
        schema["properties"] |= {name: self.of(hint, closed) for name, hint in following(cls).items()}
        schema["required"] += following(cls)
        before = _envelopes().get(cls) or ({"type": {"type": "string", "const": tag}} if (tag := tag_of(cls)) else {})
        schema["properties"] = {**before, **schema["properties"]}
        schema["required"] = [*before, *schema["required"]]
        if cls in _seen():
            schema["required"].remove("rules")
            schema["properties"]["rules"] |= {
                "description": "Left out where the answer tells them by `rules_hash` alone."
            }
        if closed:
            schema["additionalProperties"] = False
        return schema

    def _of_each_game(self, cls: Any, closed: bool) -> Json:
        """What is of another type for each game, told apart by the field `game`."""
        schemas = []
        for self._game in GAMES.values():
            schemas.append(self._component(cls, closed))
        self._game = None
        return {"description": described(cls), **one_of(schemas, "game", list(GAMES))}

    def _of_the_game(self, what: OfGame, closed: bool) -> Json:
        game = self._game
        assert game is not None, f"{what} of which game?"
        kinds: Mapping[OfGame, Callable[[], Json]] = {
            OfGame.NAME: lambda: {"type": "string", "const": game.name},
            OfGame.RULES: lambda: self.of(game.rules, closed),
            OfGame.STATE: lambda: self.of(game.state, closed),
            OfGame.VIEW: lambda: self.of(game.seen, closed),
            OfGame.MOVE: lambda: self.of(moves_of(game), closed),
            OfGame.EVENT: lambda: self.of(events_of(game), closed),
            OfGame.LOGGED: lambda: self._logged(game),
        }
        return kinds[what]()

    def _logged(self, game: Game[Any, Any, Any]) -> Json:
        """A game's events as the log has them: each with its stamp."""
        found = {}
        for event in game.events:
            name = f"Logged{name_of(event)}"
            self.components[name] = {"allOf": [self.of(event, closed=False), self.of(LogStamp, closed=False)]}
            found[event.type] = _ref(name)
        return self.given(
            Component(f"{game.name.capitalize()}LoggedEvent", one_of([*found.values()], "type", [*found])), closed=False
        )


def described(cls: Any) -> str:
    """What a class says of itself, in JSON's words and in one line."""
    return re.sub(r"\bNone\b", "null", " ".join((cls.__doc__ or "").split()))


def name_of(cls: Any) -> str:
    """A component's name: the class's, with its game's before it, for the games use the same names."""
    game = next((part.capitalize() for part in cls.__module__.split(".") if part in GAMES), "")
    name: str = cls.__name__.replace("Shape", "Request")
    return name if name.startswith(game) else game + name


def _choice(values: tuple[Any, ...]) -> Json:
    """One of these values, which are of one type."""
    if len(values) == 1:
        return {**_SCALARS[type(values[0])], "const": values[0]}
    return {**_SCALARS[type(values[0])], "enum": list(values)}


def one_of(schemas: list[Json], field: str, values: list[Any]) -> Json:
    """One of these references, told apart by the value of a field."""
    mapping = {value: schema["$ref"] for value, schema in zip(values, schemas, strict=True)}
    return {"oneOf": schemas, "discriminator": {"propertyName": field, "mapping": mapping}}


@cache
def _envelopes() -> Mapping[Any, Json]:
    """What `service.json.states` puts around states and views."""
    return {
        cls: {
            "schema": {"type": "integer", "const": SCHEMA},
            "game": {"type": "string", "const": game.name},
            "rules_hash": {"type": "string", "description": "The SHA-256 of the resolved rules."},
        }
        for game in GAMES.values()
        for cls in (game.state, game.seen)
    }


@cache
def _seen() -> frozenset[Any]:
    """The games' views, whose rules may be told by their hash."""
    return frozenset(game.seen for game in GAMES.values())


@cache
def _depends_on_game(cls: Any) -> bool:
    return hasattr(cls, "__dataclass_fields__") and any(
        isinstance(note, OfGame) for field in members(cls) for note in _notes(field.hint)
    )


def _never_null(field: Member, closed: bool) -> Any:
    """A field's hint; without null where the field is left out instead."""
    notes = getattr(field.hint, "__metadata__", ())
    hint = get_args(field.hint)[0] if notes else field.hint
    if closed or not field.omit:
        return field.hint
    rest = any_of(tuple(part for part in get_args(hint) if part is not type(None)))
    return Annotated[rest, *notes] if notes else rest


def _notes(hint: Any) -> Iterator[Any]:
    """What the hint is annotated with, or a hint within it."""
    for part in get_args(hint):
        yield part
        yield from _notes(part)


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}

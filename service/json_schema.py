"""JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of the types that `service.codec` reads and writes, from the same hints."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from marshmallow import Schema, fields, validate

from engine.cards import Card
from engine.games import GAMES
from engine.options import options
from service.hints import As, Read, members, tag_of
from service.schemas.fields import Coded

Json = dict[str, Any]

_SCALARS: dict[Any, Json] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Any: {},
}
_SUIT = "[SHDCshdc♠♥♦♣♤♡♢♧]"
_SELECTORS = "[\\ufe0e\\ufe0f]"  # what keyboards append to a suit sign
_CARD: Json = {
    "type": "string",
    "pattern": (
        f"^([A2-9TJQKatjqk]{_SUIT}{_SELECTORS}{{0,4}}|10{_SUIT}{_SELECTORS}{{0,3}}"
        f"|[Jj][Kk]{_SELECTORS}{{0,4}}|[Jj][Oo][Kk][Ee][Rr]{_SELECTORS}?)$"
    ),
    "description": "A rank and a suit such as 5H or TD, or JK for a printed joker; read in any of these spellings, written as two characters.",
    "examples": ["5H", "TD", "JK"],
}


class Schemas:
    """The schemas of types, and the components that they refer to."""

    def __init__(self) -> None:
        self.components: Json = {"Card": _CARD}
        self._owners: dict[str, Any] = {}

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
            return {"enum": list(arguments)}
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
        own = next((note.schema for note in notes if isinstance(note, Read | As)), None)
        schema = dict(own) if own is not None else self.of(hint, closed)
        for note in notes:
            if isinstance(note, str):
                schema["description"] = note
        return schema

    def _union(self, parts: tuple[Any, ...], closed: bool) -> Json:
        schemas = [self.of(part, closed) for part in parts]
        if all(set(schema) == {"type"} for schema in schemas):
            return {"type": [schema["type"] for schema in schemas]}
        tags = [tag_of(part) for part in parts]
        if None not in tags:
            mapping = {tag: schema["$ref"] for tag, schema in zip(tags, schemas, strict=True)}
            return {"oneOf": schemas, "discriminator": {"propertyName": "type", "mapping": mapping}}
        return {"anyOf": schemas}

    def of_shape(self, shape: Schema) -> Json:
        """The schema of a request: a component."""
        name = self._claim(type(shape))
        if name not in self.components:
            self.components[name] = {
                "type": "object",
                "description": inspect.cleandoc(shape.__doc__ or ""),
                "properties": {name: self.of_field(field) for name, field in shape.fields.items()},
                "required": [name for name, field in shape.fields.items() if field.required],
                "additionalProperties": False,
            }
        return _ref(name)

    def of_field(self, field: fields.Field[Any]) -> Json:
        """The schema of a request's field."""
        if isinstance(field, Coded):
            schema = self.of(field.hint, closed=True)
        elif isinstance(field, fields.Nested):
            schema = self.of_shape(field.schema)
        elif isinstance(field, fields.List):
            schema = {"type": "array", "items": self.of_field(field.inner)}
        else:
            schema = {"type": next(name for kind, name in _FIELDS.items() if isinstance(field, kind))}
        for validator in field.validators:
            schema |= _limits(validator, schema.get("type"))
        if field.allow_none and isinstance(schema.get("type"), str):
            schema["type"] = [schema["type"], "null"]
        if isinstance(field.load_default, bool | int | str):
            schema["default"] = field.load_default
        return {**schema, **field.metadata}

    def _component(self, cls: Any, closed: bool) -> Json:
        name = self._claim(cls)
        if name not in self.components:
            self.components[name] = {}  # a type may come up within itself
            self.components[name] = self._rules(cls) if hasattr(cls, "presets") else self._record(cls, closed)
        return _ref(name)

    def _claim(self, cls: Any) -> str:
        name = name_of(cls)
        if self._owners.setdefault(name, cls) is not cls:
            raise TypeError(f"{cls} and {self._owners[name]} would both be {name}")
        return name

    def _record(self, cls: Any, closed: bool) -> Json:
        fields = members(cls)
        schema: Json = {
            "type": "object",
            "description": inspect.cleandoc(cls.__doc__ or ""),
            "properties": {field.name: self.of(field.hint, closed) for field in fields},
            "required": [field.name for field in fields if not (field.optional if closed else field.omit)],
        }
        if tag := tag_of(cls):
            schema["properties"] = {"type": {"type": "string", "const": tag}} | schema["properties"]
            schema["required"] = ["type", *schema["required"]]
        if closed:
            schema["additionalProperties"] = False
        return schema

    def _rules(self, cls: Any) -> Json:
        return {
            "type": "object",
            "description": "Resolved rules: every field. Those written before a field existed lack it, and are read as they were meant.",
            "properties": {name: option.schema() for name, option in options(cls).items()},
            "required": [name for name, option in options(cls).items() if option.before is None],
            "additionalProperties": False,
        }


def name_of(cls: Any) -> str:
    """A component's name: the class's, with its game's before it, for the games use the same names."""
    game = next((part.capitalize() for part in cls.__module__.split(".") if part in GAMES), "")
    name: str = cls.__name__.replace("Shape", "Request")
    return name if name.startswith(game) else game + name


_FIELDS: Mapping[type[Any], str] = {
    fields.Integer: "integer",
    fields.String: "string",
    fields.Boolean: "boolean",
    fields.Dict: "object",
}


def _limits(validator: Any, kind: Any) -> Json:
    """What a validator allows, as JSON Schema."""
    if isinstance(validator, validate.Length):
        low, high = ("minLength", "maxLength") if kind == "string" else ("minItems", "maxItems")
    elif isinstance(validator, validate.Range):
        low, high = "minimum", "maximum"
    elif isinstance(validator, validate.OneOf):
        return {"enum": list(validator.choices)}
    elif isinstance(validator, validate.Regexp):
        return {"pattern": validator.regex.pattern}
    else:
        raise TypeError(f"no schema for {validator!r}")
    return {name: limit for name, limit in ((low, validator.min), (high, validator.max)) if limit is not None}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}

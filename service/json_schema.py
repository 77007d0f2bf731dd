"""JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of the types that `service.codec` reads and writes, from the same hints."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from engine.cards import Card
from engine.options import options
from service.codec import As, Between, Read, members, tag_of

Json = dict[str, Any]

_SCALARS: dict[Any, Json] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Any: {},
}
_CARD: Json = {
    "type": "string",
    "pattern": "^(([A2-9TJQKatjqk]|10)([SHDCshdc]|[♠♥♦♣♤♡♢♧][\\ufe0e\\ufe0f]*)|JK|jk|JOKER|joker)$",
    "description": "A rank and a suit such as 5H or TD, or JK for a printed joker; read in any of these spellings, written as two characters.",
    "examples": ["5H", "TD", "JK"],
}


class Schemas:
    """The schemas of types, and the components that they refer to."""

    def __init__(self) -> None:
        self.components: Json = {"Card": _CARD}

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
            return {"type": "string" if isinstance(arguments[0], str) else "integer", "enum": list(arguments)}
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
            elif isinstance(note, Between):
                low, high = {
                    "array": ("minItems", "maxItems"),
                    "string": ("minLength", "maxLength"),
                }.get(schema["type"], ("minimum", "maximum"))
                schema |= {low: note.low, high: note.high}
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

    def _component(self, cls: Any, closed: bool) -> Json:
        name = name_of(cls)
        if name not in self.components:
            self.components[name] = {}  # a type may come up within itself
            self.components[name] = self._rules(cls) if hasattr(cls, "presets") else self._record(cls, closed)
        return _ref(name)

    def _record(self, cls: Any, closed: bool) -> Json:
        fields = members(cls)
        optional = {
            field.metadata.get("json", field.name) for field in dataclasses.fields(cls) if field.metadata.get("omit")
        }
        schema: Json = {
            "type": "object",
            "description": inspect.cleandoc(cls.__doc__ or ""),
            "properties": {field.name: self.of(field.hint, closed) for field in fields},
            "required": [field.name for field in fields if not (field.optional if closed else field.name in optional)],
        }
        if tag := tag_of(cls):
            schema["properties"] = {"type": {"type": "string", "const": tag}} | schema["properties"]
            schema["required"] = ["type", *schema["required"]]
        if closed:
            schema["additionalProperties"] = False
        return schema

    def _rules(self, cls: Any) -> Json:
        fields = {name: option.schema() for name, option in options(cls).items()}
        return {
            "type": "object",
            "description": "Resolved rules: every field.",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }


def name_of(cls: Any) -> str:
    """A component's name: the class's, with its game's before it, for the games use the same names."""
    package = cls.__module__.split(".")
    game = package[1].capitalize() if package[0] == "engine" and len(package) > 2 else ""
    name: str = cls.__name__
    return name if name.startswith(game) else game + name


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}

"""Requests and queries as OpenAPI has them: marshmallow schemas, of whose fields many are read by the codec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate

from service.contract.json_schema import Json, Schemas, described, name_of, one_of
from service.json.type_hints import Component
from service.schemas.fields import Coded

_KINDS: Mapping[type[Any], str] = {
    fields.Integer: "integer",
    fields.String: "string",
    fields.List: "array",
}


def body(shape: Schema, schemas: Schemas) -> Json:
    """A reference to the schema of a body, which becomes a component; where each game has its own, to all of them."""
    by_game: Mapping[str, Schema] = getattr(shape, "by_game", {})
    if by_game:
        told = one_of([body(variant, schemas) for variant in by_game.values()], "game", list(by_game))
    else:
        told = {
            "type": "object",
            "properties": {name: of_field(field, schemas) for name, field in shape.fields.items()},
            "required": [name for name, field in shape.fields.items() if field.required],
            "additionalProperties": False,
        }
    whole = {"description": described(type(shape)), **told}
    return schemas.given(Component(name_of(type(shape)), whole), closed=True)


def parameters(query: Schema, schemas: Schemas) -> list[Json]:
    """The parameters of a query; there, a field that may be left out is never null."""
    found = []
    for name, field in query.fields.items():
        schema = of_field(field, schemas)
        if isinstance(schema.get("type"), list):
            schema["type"] = schema["type"][0]
        sentence = {"description": schema.pop("description")} if "description" in schema else {}
        found.append({"name": name, "in": "query", **sentence, "required": field.required, "schema": schema})
    return found


def of_field(field: fields.Field[Any], schemas: Schemas) -> Json:
    """The schema of a request's field."""
    if isinstance(field, Coded):
        schema = schemas.of(field.hint, closed=True)
    elif isinstance(field, fields.Nested):
        schema = body(field.schema, schemas)
    else:
        schema = {"type": next(name for kind, name in _KINDS.items() if isinstance(field, kind))}
    if isinstance(field, fields.List):
        schema["items"] = of_field(field.inner, schemas)
    for validator in field.validators:
        schema |= _limits(validator, schema.get("type"))
    if field.allow_none and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    if isinstance(field.load_default, bool | int | str):
        schema["default"] = field.load_default
    return {**schema, **field.metadata}


def _limits(validator: Any, kind: Any) -> Json:
    """What a validator allows, as JSON Schema."""
    if isinstance(validator, validate.Length):
        low, high = ("minLength", "maxLength") if kind == "string" else ("minItems", "maxItems")
    elif isinstance(validator, validate.Range):
        low, high = "minimum", "maximum"
    elif isinstance(validator, validate.OneOf):
        choices = list(validator.choices)
        return {"enum": choices} if len(choices) > 1 else {"const": choices[0]}
    elif isinstance(validator, validate.Regexp):
        return {"pattern": validator.regex.pattern}
    else:
        raise TypeError(f"no schema for {validator!r}")
    return {name: limit for name, limit in ((low, validator.min), (high, validator.max)) if limit is not None}

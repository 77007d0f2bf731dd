"""The base of all request shapes, and the fields that know cards, rules, states and moves.

A shape is a marshmallow schema: it says which fields a request has. What stands in a field of the games' own types is
read by `service.json.codec`, whose flaws go through marshmallow's errors with their codes and pointers (`flaws_of`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from engine.errors import Flaw, did_you_mean, escape
from engine.options import MAX_HINTS
from service.json.decode import reader
from service.json.type_hints import Flaws
from service.schemas.cards import Cards

_UNKNOWN = "is no field here"
_TEXTS = {"required": "is required", "null": "must not be null"}
_KINDS = {fields.Integer: "a whole number", fields.String: "a text", fields.List: "a list", fields.Dict: "an object"}


def reword(field: fields.Field[Any]) -> None:
    """Give a field the house's texts in the place of marshmallow's."""
    kind = next((what for cls, what in _KINDS.items() if isinstance(field, cls)), None)
    field.error_messages |= _TEXTS | ({"invalid": f"must be {kind}"} if kind else {})
    if isinstance(field, fields.List):
        reword(field.inner)


class Shape(Schema):
    """A JSON object with these fields and no others, read as a value of the frozen dataclass `makes`."""

    makes: ClassVar[Any]
    error_messages = {"unknown": _UNKNOWN, "type": "must be an object"}  # noqa: RUF012  # marshmallow's way

    class Meta:
        unknown = RAISE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Say what is wrong in the words of `service.json.decode`."""
        reword(field_obj)

    @post_load
    def _make(self, data: Mapping[str, Any], **_: Any) -> Any:
        return self.makes(**data)


def one_of(*choices: str) -> validate.OneOf:
    """Exactly one of these texts."""
    return validate.OneOf(choices, error="must be one of {choices}")


class Nothing(Shape):
    """An object without fields."""

    makes = dict


class Coded(fields.Field[Any]):
    """A field that the codec reads by a type hint; null is for the hint to allow."""

    def __init__(self, hint: Any, description: str = "", **given: Any) -> None:
        if description:
            given["metadata"] = {"description": description}
        super().__init__(**given)
        self.hint = hint
        self.read = reader(hint)

    def deserialize(
        self, value: Any, attr: str | None = None, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Any:
        if value is None:
            return self._deserialize(value, attr, data)
        return super().deserialize(value, attr, data, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        flaws = Flaws()
        result = self.read(value, "", flaws)
        if flaws:
            raise ValidationError(list(flaws))
        return result


def cards(description: str = "", **given: Any) -> Coded:
    """A list of cards."""
    return Coded(Cards, description, **given)


def flag(description: str, default: bool) -> Coded:
    """True or false; marshmallow's own also takes 1 and 0."""
    return Coded(bool, description, load_default=default)


def load(shape: Schema, value: Any, flaws: Flaws) -> Any:
    """The value as the shape makes it; every wrong place is added to `flaws`, and None returned."""
    try:
        return shape.load(value)
    except ValidationError as wrong:
        messages: Any = wrong.messages
        unknown = [name for name, texts in messages.items() if texts == [_UNKNOWN]][:MAX_HINTS]
        near = {f"/{escape(name)}": did_you_mean(name, shape.fields) for name in unknown}
        flaws.extend((code, Flaw(at, text + near.get(at, ""))) for code, (at, text) in flaws_of(messages, ""))
        return None


def flaws_of(messages: Any, at: str) -> Iterator[tuple[str, Flaw]]:
    """The leaves of marshmallow's messages: its own texts, and the codec's flaws with their pointers below the field."""
    if isinstance(messages, Mapping):
        # marshmallow lists unknown fields in no certain order
        for name, below in sorted(
            messages.items(), key=lambda item: (item[1] == [_UNKNOWN], item[1] == [_UNKNOWN] and item[0])
        ):
            whole = name == "_schema" and below != [_UNKNOWN]
            yield from flaws_of(below, at if whole else f"{at}/{escape(str(name))}")
        return
    for leaf in messages:
        if isinstance(leaf, str):
            yield "invalid_request", Flaw(at, leaf)
        else:
            code, flaw = leaf
            yield code, Flaw(at + flaw.pointer, flaw.detail)

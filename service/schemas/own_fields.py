"""Fields that are read in a way of their own, above all those of query strings, where everything is a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from engine.errors import did_you_mean
from service.json.type_hints import Flaws, Read
from service.schemas.fields import Coded


def own(read: Callable[[Any, str, Flaws], Any], schema: Any, **given: Any) -> Coded:
    """A field that `read` reads, and that the spec describes by `schema` (see `service.json.type_hints.As`)."""
    return Coded(Annotated[Any, Read(read, schema)], **given)


def digits(low: int, high: int, default: int | None, description: str) -> Coded:
    """A whole number as a query has it."""

    def read(value: str, at: str, flaws: Flaws) -> Any:
        if value.isascii() and value.isdigit() and len(value) <= 20 and low <= int(value) <= high:
            return int(value)
        flaws.add(at, f"must be a whole number from {low} to {high}")
        return None

    schema = {"type": "integer", "minimum": low, "maximum": high, "description": description}
    return own(read, schema, load_default=default)


def switch(description: str) -> Coded:
    """True or false as a query has them."""

    def read(value: str, at: str, flaws: Flaws) -> Any:
        if value not in ("true", "false"):
            flaws.add(at, "must be true or false")
        return value == "true"

    return own(read, {"type": "boolean", "default": False, "description": description}, load_default=False)


class Names(Coded):
    """Some of the names that are known, as a query has them: parted by commas, or the parameter said again with each."""

    def __init__(self, *known: str, description: str) -> None:
        def read(value: str, at: str, flaws: Flaws) -> Any:
            said = value.split(",")
            if strange := [name for name in said if name not in known]:
                near = did_you_mean(strange[0], known)
                flaws.add(at, f"must be some of {', '.join(known)}, parted by commas{near}")
            return frozenset(said)

        item = {"type": "string", "enum": list(known)}
        schema = {"type": "array", "items": item, "minItems": 1, "description": description}
        super().__init__(Annotated[Any, Read(read, schema)], load_default=frozenset())


def eyes() -> Coded:
    """Whose eyes to see with, as a query has it."""

    def read(value: str, at: str, flaws: Flaws) -> Any:
        if value == "referee" or (value.isascii() and value.isdigit() and len(value) <= 2):
            return value if value == "referee" else int(value)
        flaws.add(at, "must be the number of a seat, or referee")
        return None

    schema = {
        "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "const": "referee"}],
        "description": "For an app: the seat whose eyes to see with, or referee for everything; omitted: a spectator's.",
    }
    return own(read, schema, load_default=None)

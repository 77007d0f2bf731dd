"""What the codec reads from type hints, and what it says of values that are not as the hints say."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Self, get_type_hints

from engine.errors import Flaw, Invalid
from service.problems.codes import PROBLEMS


class Flaws(list[tuple[str, Flaw]]):
    """Every wrong place found so far, with its code."""

    def add(self, at: str, detail: str, code: str = "invalid_request") -> None:
        self.append((code, Flaw(at, detail)))

    def take(self, wrong: Invalid, at: str = "") -> None:
        """Add what the engine found wrong, with its pointers under `at`."""
        self.extend((wrong.code, Flaw(at + flaw.pointer, flaw.detail)) for flaw in wrong.flaws)

    def raise_any(self) -> None:
        """Raise `Malformed` if anything was found."""
        if self:
            raise Malformed(self)


class Malformed(Invalid):
    """Untrusted JSON that is not what its type says; `code` is the first of `PROBLEMS` that occurs."""

    def __init__(self, flaws: Flaws) -> None:
        super().__init__(*(flaw for _, flaw in flaws))
        codes = {code for code, _ in flaws}
        self.code = next(code for code in PROBLEMS if code in codes)

    def under(self, prefix: str) -> Self:
        """The same error, code included, with its pointers under `prefix`."""
        moved = Flaws()
        moved.take(self, prefix)
        return type(self)(moved)


Reader = Callable[[Any, str, Flaws], Any]
Writer = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """In an Annotated hint: a reader in the place of the type's own, and what its JSON Schema is (see `As`)."""

    read: Reader
    schema: Any


@dataclass(frozen=True, slots=True, eq=False)
class As:
    """In an Annotated hint: what the type's JSON Schema is, where the type itself does not say it: a schema as a mapping, in
    which a `Component` or an `As` may stand for another, or a hint whose schema it is."""

    schema: Any


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A schema with a name, by which the spec refers to it; `schema` is what `As` takes."""

    name: str
    schema: Any


class OfGame(StrEnum):
    """In an Annotated hint: what each game has of its own kind, told apart by the `game` of the answer that it stands in."""

    NAME = "name"
    RULES = "rules"
    STATE = "state"
    VIEW = "view"
    MOVE = "move"
    EVENT = "event"
    LOGGED = "logged event"


def tag_of(hint: Any) -> str | None:
    """The ``type`` that marks a dataclass among others in JSON, if it has one."""
    tag = getattr(hint, "type", None)
    return tag if isinstance(tag, str) and dataclasses.is_dataclass(hint) else None


class Member(NamedTuple):
    """A field of a dataclass: its name in JSON and in Python, its hint, whether it may be left out by who asks, and whether
    it is left out of answers where it is None."""

    name: str
    attribute: str
    hint: Any
    optional: bool
    omit: bool


def _members(cls: Any) -> tuple[Member, ...]:
    """The fields of a dataclass as JSON has them, in order."""
    hints = get_type_hints(cls, include_extras=True)
    return tuple(
        Member(
            field.metadata.get("json", field.name),
            field.name,
            hints[field.name],
            not (field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING),
            bool(field.metadata.get("omit")),
        )
        for field in dataclasses.fields(cls)
    )


members: Callable[[Any], tuple[Member, ...]] = cache(_members)

"""What can be wrong, kept apart: an illegal move, an impossible state, rules that do not exist, an open question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, Self

from engine.cards import Card

_LONGEST_NAME = 64  # no field or code is longer, and looking for a near one takes time


@dataclass(frozen=True, slots=True)
class Violation:
    """Why a move is illegal. `code` is stable and documented; `message` says what would be legal."""

    code: str
    message: str
    cards: tuple[Card, ...] = ()
    regroup: tuple[tuple[Card, ...], ...] | None = None


class IllegalMove(Exception):
    """The move is well formed but the rules forbid it; nothing has changed."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.message)
        self.violation = violation


class Flaw(NamedTuple):
    """One wrong place in a value from outside: `pointer` is a JSON pointer into that value."""

    pointer: str
    detail: str


def escape(name: str) -> str:
    """A field's name as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, if one is near."""
    found = get_close_matches(name, known, 1) if len(name) <= _LONGEST_NAME else []
    return f"; did you mean {found[0]}?" if found else ""


class Invalid(ValueError):
    """A value from outside that no rules allow; `flaws` name every wrong place, `code` the kind of value."""

    code = "invalid_request"

    def __init__(self, *flaws: Flaw) -> None:
        super().__init__("; ".join(flaw.detail for flaw in flaws))
        self.flaws = flaws

    def under(self, prefix: str) -> Self:
        """The same error with its pointers under `prefix`."""
        return type(self)(*(Flaw(prefix + flaw.pointer, flaw.detail) for flaw in self.flaws))


class InvalidRules(Invalid):
    """Rules with unknown fields, wrong types, values out of range, or contradictions."""


class UnknownPreset(InvalidRules):
    """A preset that does not exist."""

    code = "unknown_rules"


class ImpossibleHand(Invalid):
    """Cards that the decks in play cannot have dealt, or the wrong number of them."""

    code = "impossible_hand"


class TooFewCards(Invalid):
    """A deal that the decks in play cannot serve."""

    code = "too_few_cards"


class CorruptState(Invalid):
    """A state that no game can reach."""

    code = "corrupt_state"


class Undecided(Exception):
    """The arranger could not prove its answer within its work limit, so no verdict is given and nothing has changed."""

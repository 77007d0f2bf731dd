"""What is said of groups and declarations that are judged. Callers see these types described by their docstrings, which compiled
classes lack."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.rummy.arrangement import Group, Kind


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a group or a declaration: a stable code, and a message that says what would be right."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class GroupVerdict:
    """One group of a declaration as sent: the group it counts as, all kinds it could be (best first), or its fault."""

    cards: tuple[Card, ...]
    group: Group | None
    kinds: tuple[Kind, ...]
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A declaration judged as sent. `remaining` is the thirteen cards that were to be grouped, where they are known."""

    valid: bool
    groups: tuple[GroupVerdict, ...]
    faults: tuple[Fault, ...]
    remaining: tuple[Card, ...] | None

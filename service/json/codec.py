"""Values <-> JSON, driven by type hints alone: requests, answers, states, moves, events, for every game alike.

`read` takes untrusted JSON to a frozen value and names every wrong place with a JSON pointer; `write` goes back. Both are
compiled once for each type. A small codec of our own, because what is at hand stops at the first wrong place of a
union or a list, takes true for 1, or cannot name places; and because mypy then knows what a route receives.

Hints understood: int, float, bool, str, None, Any, Literal, Card, unions, tuples, mappings, rules (all fields), frozen
dataclasses (``metadata={"json": name}`` renames a field, ``{"omit": True}`` leaves it out where it is None, a class
variable ``type`` is the tag of a union), and Annotated with a sentence, or with what stands in `service.json.type_hints`: a reader of
one's own (`Read`), a schema (`As`).
"""

from __future__ import annotations

from typing import Any

from service.json.decode import reader
from service.json.encode import write
from service.json.type_hints import Flaws, Malformed

__all__ = ["Malformed", "read", "write"]


def read(hint: Any, value: Any, at: str = "") -> Any:
    """`value` as `hint` says; raises `Malformed` with every wrong place, its pointers under `at`."""
    flaws = Flaws()
    result = reader(hint)(value, at, flaws)
    flaws.raise_any()
    return result

"""A whole state <-> its versioned JSON: the fields that `service.json.codec` writes, with an envelope that says what they are.

The stateless calls and the store use the same form. States from callers are untrusted: their structure is checked here
(`corrupt_state` at every wrong place), their sense by the game's own `check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import CorruptState
from engine.game import Game
from engine.options import rules_hash
from service.json.codec import write
from service.json.decode import reader
from service.json.type_hints import Flaws

SCHEMA = 1
_ENVELOPE = ("schema", "game", "rules_hash")


def to_json(game: Game[Any, Any, Any], value: Any) -> dict[str, Any]:
    """A state, or a view of one, as JSON (`service.json.codec.write`) in its envelope."""
    return {"schema": SCHEMA, "game": game.name, "rules_hash": rules_hash(value.rules), **write(value)}


def from_json(game: Game[Any, Any, Any], found: Any, at: str, flaws: Flaws) -> Any:
    """The state that JSON tells; every wrong place is added to `flaws` as `corrupt_state`, and None returned."""
    if type(found) is not dict:
        flaws.add(at, "must be an object", CorruptState.code)
        return None
    wrong = Flaws()
    fields = {name: value for name, value in found.items() if name not in _ENVELOPE}
    state = reader(game.state)(fields, at, wrong)
    _check_envelope(game, found, state, at, wrong)
    flaws.extend((CorruptState.code, flaw) for _, flaw in wrong)
    return None if wrong else state


def _check_envelope(game: Game[Any, Any, Any], found: Mapping[str, Any], state: Any, at: str, wrong: Flaws) -> None:
    wanted = {"schema": SCHEMA, "game": game.name}
    if state is not None:
        wanted["rules_hash"] = rules_hash(state.rules, frozenset(found["rules"]))
    for name, value in wanted.items():
        if name not in found:
            wrong.add(f"{at}/{name}", "is required")
        elif type(found[name]) is not type(value) or found[name] != value:
            wrong.add(f"{at}/{name}", f"must be {value}")


def checked(game: Game[Any, Any, Any], state: Any, at: str) -> Any:
    """The state, if a game can reach it; raises `CorruptState` with pointers under `at`."""
    try:
        game.check(state)
    except CorruptState as wrong:
        raise wrong.under(at) from None
    return state

"""A whole state <-> its versioned JSON: the fields that `service.json.codec` writes, with an envelope that says what they are.

The stateless calls and the store use the same form. States from callers are untrusted: their structure is checked here
(`corrupt_state` at every wrong place), their sense by the game's own `check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

import orjson

from engine.errors import CorruptState, Flaw
from engine.game import Game
from engine.options import rules_hash
from service.json.codec import write
from service.json.decode import reader
from service.json.type_hints import Flaws, members

SCHEMA = 2
BEFORE_MATCHES = 1  # the schema of states that had no `match`; they are read as they were meant
FOLLOWS = ("totals", "standings")  # what a state's JSON tells besides its fields, because it follows from them
_ENVELOPE = ("schema", "game", "rules_hash")


@dataclass(frozen=True, slots=True)
class Sent:
    """A state from outside, and what was said to follow from it; `checked` makes a state of it."""

    state: Any
    said: Mapping[str, Any]


def to_json(game: Game[Any, Any, Any], value: Any) -> dict[str, Any]:
    """A state, or a view of one, as JSON (`service.json.codec.write`) in its envelope."""
    told = {"schema": SCHEMA, "game": game.name, "rules_hash": rules_hash(value.rules), **write(value)}
    return told if isinstance(value, game.seen) else {**told, **_following(value)}


def _following(state: Any) -> dict[str, Any]:
    return {name: write(getattr(state, name)) for name in FOLLOWS}


@cache
def following(cls: type[Any]) -> Mapping[str, Any]:
    """What follows from a value of this type, with its types: of a state `FOLLOWS`, of others nothing."""
    found = {name: getattr(cls, name, None) for name in FOLLOWS}
    if not all(isinstance(each, property) for each in found.values()):
        return {}
    return {name: get_type_hints(each.fget)["return"] for name, each in found.items() if isinstance(each, property)}


def from_json(game: Game[Any, Any, Any], found: Any, at: str, flaws: Flaws) -> Sent | None:
    """The state that JSON tells, of this schema or the one before; every wrong place is added to `flaws` as `corrupt_state`, and None returned."""
    if type(found) is not dict:
        flaws.add(at, "must be an object", CorruptState.code)
        return None
    wrong = Flaws()
    fields = {name: value for name, value in found.items() if name not in (*_ENVELOPE, *FOLLOWS)}
    said = {name: found[name] for name in FOLLOWS if name in found}
    if type(found.get("schema")) is int and found["schema"] == BEFORE_MATCHES:
        fields, said = upgraded(game, {**fields, **said}, at, wrong), {}
    else:
        for name in FOLLOWS:
            if name not in found:
                wrong.add(f"{at}/{name}", "is required")
    state = None if wrong else reader(game.state)(fields, at, wrong)
    _check_envelope(game, found, state, at, wrong)
    flaws.extend((CorruptState.code, flaw) for _, flaw in wrong)
    return None if wrong else Sent(state, said)


def upgraded(game: Game[Any, Any, Any], found: Mapping[str, Any], at: str, flaws: Flaws) -> dict[str, Any]:
    """The fields of a state of schema 1, which had `totals` alone, as they are now; what is wrong with those that tell of the
    match is added to `flaws`."""
    told = {each.name for each in members(game.older)}
    older = reader(game.older)({name: value for name, value in found.items() if name in told}, at, flaws)
    kept = {name: value for name, value in found.items() if name != "totals"}
    return kept if flaws else {**kept, "match": orjson.loads(orjson.dumps(write(older.match)))}


def _check_envelope(game: Game[Any, Any, Any], found: Mapping[str, Any], state: Any, at: str, wrong: Flaws) -> None:
    older = type(found.get("schema")) is int and found["schema"] == BEFORE_MATCHES
    wanted = {"schema": BEFORE_MATCHES if older else SCHEMA, "game": game.name}
    if state is not None:
        wanted["rules_hash"] = rules_hash(state.rules, frozenset(found["rules"]))
    for name, value in wanted.items():
        if name not in found:
            wrong.add(f"{at}/{name}", "is required")
        elif type(found[name]) is not type(value) or found[name] != value:
            wrong.add(f"{at}/{name}", f"must be {value}")


def checked(game: Game[Any, Any, Any], sent: Sent, at: str) -> Any:
    """The state, if a game can reach it and what was said of it is true; raises `CorruptState` with pointers under `at`."""
    try:
        game.check(sent.state)
    except CorruptState as wrong:
        raise wrong.under(at) from None
    follows = _following(sent.state)
    if untrue := [
        place for name, value in sent.said.items() for place in _untrue(value, follows[name], f"{at}/{name}")
    ]:
        raise CorruptState(*(Flaw(place, "is not what follows from match") for place in untrue))
    return sent.state


def _untrue(said: Any, follows: Sequence[Any], at: str) -> Iterator[str]:
    """The places where a list differs from the one that follows."""
    if type(said) is not list or len(said) != len(follows):
        yield at
        return
    for place, (one, other) in enumerate(zip(said, follows, strict=True)):
        if one != other or isinstance(one, bool):
            yield f"{at}/{place}"

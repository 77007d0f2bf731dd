"""Replay a record (``GET /v1/games/{id}/record``) and verify all it says: ``python -m service replay FILE``.

The engine alone decides; arrangements are those recorded, checked by the rules, so neither the solver nor a store is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import orjson

from engine.errors import IllegalMove, Invalid, Undecided, escape
from engine.games import GAMES
from engine.options import rules_hash
from engine.rummy.declaration import WrongArrangement
from engine.rummy.recorded import RecordedArranger
from engine.shuffling import commitment
from service.hosted.table import READS, SCHEMA, event_type, move_type
from service.json import codec
from service.json.strict import BadJson, parse
from service.schemas.kinds import many


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One move as recorded; `at` and `by` are for the reader."""

    version: int
    at: str
    by: str
    seat: int | None
    move: Any
    events: Any


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A record as JSON has it."""

    schema: int
    game: str
    rules: Any
    rules_hash: str
    seed: str
    commitment: str
    seed_source: str
    starter: int | None
    seats: tuple[str, ...]
    deal: Any
    moves: tuple[RecordedMove, ...]
    totals: Any
    outcome: Any


class Divergence(Exception):
    """The record is not what the rules make of its seed and its moves; `where` is a JSON pointer into it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where


@dataclass(frozen=True, slots=True)
class Verified:
    """A record in which everything agrees."""

    game: str
    seats: int
    moves: int
    rounds: int
    commitment: str
    outcome: Any


def verify(text: bytes) -> Verified:
    """Replay a record. Raises `Divergence` at the first place that does not agree."""
    try:
        record: RecordFile = codec.read(RecordFile, parse(text))
    except BadJson as wrong:
        raise Divergence("", str(wrong)) from None
    except Invalid as wrong:
        raise _divergence_of(wrong) from None
    if record.schema not in READS:
        raise Divergence("/schema", f"must be {SCHEMA}")
    if record.game not in GAMES:
        raise Divergence("/game", f"must be one of {', '.join(GAMES)}")
    game = GAMES[record.game]
    try:
        rules = codec.read(game.rules, record.rules, "/rules")
        _demand(record.rules_hash, rules_hash(rules, frozenset(record.rules)), "/rules_hash")
        state, events = game.deal(len(record.seats), rules, record.seed, record.starter)
    except Invalid as wrong:
        raise _divergence_of(wrong) from None
    _demand(record.commitment, commitment(record.seed), "/commitment")
    _demand(record.deal, codec.write(events), "/deal")
    version = 1
    for place, step in enumerate(record.moves):
        at = f"/moves/{place}"
        if step.version != version + 1 and (step.version != version or step.by != "timeout"):
            raise Divergence(f"{at}/version", f"after version {version} comes {version + 1}, not {step.version}")
        version = step.version
        state = _replayed(game, state, step, at)
    outcome = game.outcome(state)
    if outcome is None:
        raise Divergence("/moves", f"the match is not over after {len(record.moves)} moves")
    _demand(record.totals, codec.write(state.totals), "/totals")
    told = codec.write(outcome)
    if record.schema != SCHEMA:  # outcomes had no more then
        told = {name: told[name] for name in ("winners", "totals", "reason")}
    _demand(record.outcome, told, "/outcome")
    return Verified(game.name, len(record.seats), len(record.moves), state.round, record.commitment, outcome)


def _replayed(game: Any, state: Any, step: RecordedMove, at: str) -> Any:
    """The state after a recorded move, if the move is legal and causes the recorded events."""
    try:
        move = codec.read(move_type(game.name), step.move, f"{at}/move")
        recorded = codec.read(many(event_type(game.name)), step.events, f"{at}/events")
        after, events = game.apply(state, step.seat, move, RecordedArranger(recorded))
    except IllegalMove as wrong:
        raise Divergence(f"{at}/move", f"{wrong.violation.code}: {wrong.violation.message}") from None
    except Invalid as wrong:
        flaw = wrong.flaws[0]
        raise Divergence(flaw.pointer if flaw.pointer.startswith(at) else at + flaw.pointer, flaw.detail) from None
    except (WrongArrangement, Undecided) as wrong:
        raise Divergence(f"{at}/events", str(wrong)) from None
    _demand(step.events, codec.write(events), f"{at}/events")
    return after


def _divergence_of(wrong: Invalid) -> Divergence:
    return Divergence(wrong.flaws[0].pointer, wrong.flaws[0].detail)


def _demand(recorded: Any, replayed: Any, at: str) -> None:
    """Raise at the first place where two JSON values differ."""
    for where, found, wanted in _differences(recorded, orjson.loads(orjson.dumps(replayed)), at):
        raise Divergence(where, f"the record says {_shown(found)}, the replay {_shown(wanted)}")


_ABSENT = object()


def _differences(recorded: Any, replayed: Any, at: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for name in (*replayed, *(name for name in recorded if name not in replayed)):
            place = f"{at}/{escape(name)}"
            yield from _differences(recorded.get(name, _ABSENT), replayed.get(name, _ABSENT), place)
    elif isinstance(recorded, list) and isinstance(replayed, list):
        for number, (one, other) in enumerate(zip_longest(recorded, replayed, fillvalue=_ABSENT)):
            yield from _differences(one, other, f"{at}/{number}")
    elif type(recorded) is not type(replayed) or recorded != replayed:
        yield at, recorded, replayed


def _shown(value: Any) -> str:
    return "nothing" if value is _ABSENT else orjson.dumps(value).decode()

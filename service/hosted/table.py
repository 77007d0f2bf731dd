"""What is stored of a hosted game, as values and as the bytes that a store keeps.

`Setup` never changes; `Table` is the game at one version; `Record` is what happened with one version. Who may call, the
version and every time are kept beside them by the store.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Literal

import orjson
from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from engine.game import Game
from engine.games import GAMES
from service.json import codec, states
from service.json.decode import reader
from service.json.type_hints import Flaws
from service.schemas.game_answers import By
from service.schemas.kinds import any_of, many

SCHEMA = 2
_BEFORE_MATCHES = 1  # states had no `match`, outcomes no shares and places
READS = (_BEFORE_MATCHES, SCHEMA)


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed when the game was made. `starter` and `seed_source` say what the caller chose itself; `mark` is a
    secret by which a token that was ever issued for this game is recognised."""

    game: str
    seats: tuple[str, ...]
    starter: int | None
    seed_source: Literal["server", "caller"]
    commitment: str
    turn_seconds: int | None
    miss_limit: int | None
    metadata: Mapping[str, Any]
    mark: str
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class Table:
    """A game at one version. `misses`: for each seat, how many turns in a row it has let its time run out."""

    game: Game[Any, Any, Any]
    state: Any
    misses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A move and the events it caused; with no move, what the referee notes by itself: the deal, a seat out of time."""

    seat: int | None
    move: Any
    events: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What happened with one version, in full, and who asked for it."""

    by: By
    request_id: str
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Any, ...]:
        """The events of all steps, in order."""
        return tuple(event for step in self.steps for event in step.events)


@cache
def move_type(game: str) -> Any:
    """The type of a game's moves, as `service.json.codec` reads it."""
    return any_of(GAMES[game].moves)


@cache
def event_type(game: str) -> Any:
    """The type of a game's events, as `service.json.codec` reads it."""
    return any_of(GAMES[game].events)


def write_setup(setup: Setup) -> bytes:
    return orjson.dumps(codec.write(setup))


class Unreadable(Exception):
    """Something stored is not what this release writes: a fault of ours, never the caller's."""


@lru_cache(maxsize=1024)
def read_setup(info: bytes) -> Setup:
    found = orjson.loads(info)
    _check_schema(found)
    setup: Setup = _stored(Setup, found)
    return setup


def mark_of(info: bytes) -> str:
    """The mark of a game, found without reading all that was agreed: the last field but one."""
    start = info.rindex(_MARK) + len(_MARK)
    return info[start : info.index(b'"', start)].decode()


_MARK = b'"mark":"'  # in a text of the caller's the quotes would be escaped

# Every seat looks at each version, and the next move is made on what the last one left.
_tables: LRUCache[Hashable, Table] = LRUCache(512)
_lock = Lock()


def write_table(table: Table) -> bytes:
    blob = orjson.dumps({"schema": SCHEMA, "misses": table.misses, "state": codec.write(table.state)})
    with _lock:
        _tables[hashkey(table.game.name, blob)] = table
    return blob


@cached(_tables, lock=_lock)
def read_table(game: str, blob: bytes) -> Table:
    """The table that the bytes tell; remembered, as one that was just written is."""
    found = orjson.loads(blob)
    _check_schema(found)
    state = found["state"]
    if found["schema"] == _BEFORE_MATCHES:
        flaws = Flaws()
        state = states.upgraded(GAMES[game], state, "", flaws)
        _readable(flaws)
    return Table(GAMES[game], _stored(GAMES[game].state, state), tuple(found["misses"]))


def _check_schema(found: Any) -> None:
    if found["schema"] not in READS:
        raise Unreadable(
            f"stored by a release with schema {found['schema']}; this one reads {' and '.join(map(str, READS))}"
        )


def write_record(record: Record) -> bytes:
    return orjson.dumps(codec.write(record))


def read_record(game: str, events: bytes) -> Record:
    found = orjson.loads(events)
    return Record(found["by"], found["request_id"], tuple(_read_step(game, step) for step in found["steps"]))


def _read_step(game: str, found: Any) -> Step:
    move = None if found["move"] is None else _stored(move_type(game), found["move"])
    return Step(found["seat"], move, _stored(many(event_type(game)), found["events"]))


def _stored(hint: Any, value: Any) -> Any:
    flaws = Flaws()
    found = reader(hint)(value, "", flaws)
    _readable(flaws)
    return found


def _readable(flaws: Flaws) -> None:
    try:
        flaws.raise_any()
    except codec.Malformed as wrong:
        raise Unreadable(str(wrong.flaws[0])) from wrong

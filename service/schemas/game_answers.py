"""What hosted games are answered with, as openapi.yaml describes it; `service.hosted.answers` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from engine.game import Outcome, Points
from engine.games import GAMES
from service.json.type_hints import As, OfGame
from service.schemas.common import Complete, Metadata
from service.stores.lifetimes import Status

Version = Annotated[int, "Grows by one with each change of the game."]
GameName = Annotated[str, As({"type": "string", "enum": list(GAMES)})]
ThisGame = Annotated[str, OfGame.NAME]
View = Annotated[Mapping[str, Any], OfGame.VIEW]
State = Annotated[Mapping[str, Any], OfGame.STATE]
Rules = Annotated[Mapping[str, Any], OfGame.RULES]
Move = Annotated[Any, OfGame.MOVE]
Events = tuple[Annotated[Any, OfGame.EVENT], ...]
LoggedEvents = tuple[Annotated[Any, OfGame.LOGGED], ...]
Time = Annotated[str, As({"type": "string", "format": "date-time"})]
Deadline = Annotated[
    str | None,
    As(
        {
            "type": ["string", "null"],
            "format": "date-time",
            "description": "Until when the seat to move has time; null: no limit, or nobody is to move.",
        }
    ),
]
Commitment = Annotated[str, "The SHA-256 of the seed that every shuffle follows from."]
SeedSource = Annotated[Literal["server", "caller"], "Who chose the seed."]


By = Literal["app", "seat", "timeout"]


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat and the token to give to its player."""

    name: str
    token: str


@dataclass(frozen=True, slots=True)
class Views:
    """The table with everyone's eyes."""

    seats: tuple[View, ...]
    spectator: View


@dataclass(frozen=True, slots=True)
class SeatMoves:
    """The legal moves of a seat, or of the referee (null)."""

    seat: int | None
    moves: Annotated[
        tuple[Move, ...] | None,
        "Null: in the time that there is they could not be proved; GET /v1/games/{id}/legal-moves may be asked.",
    ]


Included = Annotated[SeatMoves | None, "If `include` asks for them."]


@dataclass(frozen=True, slots=True)
class CreatedGame:
    """A new game, with all its tokens; they are told once."""

    id: str
    version: Version
    game: ThisGame
    seats: tuple[NewSeat, ...]
    spectator_token: str
    commitment: Commitment
    seed_source: SeedSource
    deadline: Deadline
    events: Annotated[Events, "As a spectator sees them."]
    view: Annotated[View, "As a spectator sees it."]
    legal_moves: Included = field(default=None, metadata={"omit": True})
    views: Views | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as its caller may see it: `view`, or for an app that asks as the referee the whole `state`."""

    id: str
    version: Version
    game: ThisGame
    seats: tuple[str, ...]
    commitment: Commitment
    seed_source: SeedSource
    turn_seconds: int | None
    miss_limit: int | None
    misses: Annotated[tuple[int, ...], "For each seat, how many turns in a row it has missed."]
    metadata: Metadata
    deadline: Deadline
    outcome: Outcome | None
    view: View | None = field(default=None, metadata={"omit": True})
    state: State | None = field(default=None, metadata={"omit": True})
    legal_moves: Included = field(default=None, metadata={"omit": True})
    views: Views | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class MadeMove:
    """What a move did, as the mover sees it; the referee's moves as a spectator does."""

    game: ThisGame
    version: Version
    events: Events
    view: View
    outcome: Outcome | None
    deadline: Deadline
    legal_moves: Included = field(default=None, metadata={"omit": True})
    views: Views | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class ListedMoves:
    """The legal moves of a seat, or of the referee (null)."""

    game: ThisGame
    seat: int | None
    moves: tuple[Move, ...]
    complete: Complete = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class LogStamp:
    """What the log says of each event: with which version it came, when, by whom, and by which call."""

    version: Version
    at: Time
    by: By
    request_id: str


@dataclass(frozen=True, slots=True)
class GameLog:
    """What happened, each event with its `version`, `at`, `by` and `request_id`; and if `include` asks for them, the view and
    the legal moves at this `version`: with the last events of a log that `limit` has cut, not before."""

    game: ThisGame
    events: LoggedEvents
    version: Annotated[int, "What to ask `after` next time."]
    view: View | None = field(default=None, metadata={"omit": True})
    state: State | None = field(default=None, metadata={"omit": True})
    legal_moves: Included = field(default=None, metadata={"omit": True})
    views: Views | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game as it is listed."""

    id: str
    version: Version
    game: GameName
    seats: tuple[str, ...]
    status: Status
    created: Time
    changed: Time
    deadline: Deadline
    commitment: Commitment
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class GameList:
    """Games, newest first."""

    games: tuple[ListedGame, ...]
    after: Annotated[str | None, "Where the next page begins; null on the last."]


@dataclass(frozen=True, slots=True)
class RecordMove:
    """A move of the match and all that it caused, open."""

    version: Version
    at: Time
    by: By
    seat: int | None
    move: Move
    events: Events


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """All that is needed to replay a match and verify it: `python -m service replay`."""

    schema: int
    game: ThisGame
    rules: Rules
    rules_hash: str
    seed: str
    commitment: Commitment
    seed_source: SeedSource
    starter: Annotated[int | None, "The seat that was to start; null: it was drawn by the shuffle."]
    seats: tuple[str, ...]
    deal: Events
    moves: tuple[RecordMove, ...]
    totals: tuple[Points, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class KnownRules:
    """The rules that a hash names."""

    game: ThisGame
    rules_hash: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class NewSpectatorToken:
    """The spectators' new token; the one before it is worth nothing."""

    token: str
    version: Version


@dataclass(frozen=True, slots=True)
class NewToken:
    """A seat's new token; the one before it is worth nothing."""

    seat: int
    name: str
    token: str
    version: Version

"""The hosted games' calls: what is asked, what is answered, who may call, and which errors there are."""

from __future__ import annotations

from typing import Any

from service.contract.examples import of
from service.http.operation import Operation
from service.routes import game_views as views
from service.schemas.game_answers import (
    CreatedGame,
    GameList,
    GameLog,
    ListedMoves,
    MadeMove,
    MatchRecord,
    NewSpectatorToken,
    NewToken,
    ShownGame,
)
from service.schemas.game_queries import EventsShape, GameShape, IncludeShape, ListShape, MovesShape
from service.schemas.games import CreateShape, MoveShape
from service.use_cases import games

_GAME = "/v1/games/{id}"
_STORE = ("store_unavailable", "store_damaged")
_OPEN = ("not_found", "expired", "forbidden")
_CHANGE = ("key_reused", "store_unsafe", "not_durable")
_MOVE = ("lost", "version_required", "stale_version", "undecided", *_CHANGE)
_KEYED = ("Idempotency-Key",)
_PATH = {
    "id": {"type": "string", "description": "The game's `id`."},
    "n": {"type": "integer", "minimum": 0, "description": "The number of a seat."},
}
_CONDITIONAL = ("If-Match", "Idempotency-Key")


def _read(
    name: str, path: str, view: Any, answer: Any, summary: str, description: str, *errors: str, **more: Any
) -> Operation:
    return Operation(
        name=name, method="GET", path=path, view=view, answer=answer, summary=summary, description=description,
        errors=(*errors, *_STORE), tag="Games", examples=of(name), parameters=_PATH, **more,
    )  # fmt: skip


def _change(
    name: str, path: str, view: Any, answer: Any, summary: str, description: str, *errors: str, **more: Any
) -> Operation:
    return Operation(
        name=name, method="POST", path=path, view=view, answer=answer, summary=summary, description=description, status=201,
        errors=(*errors, *_STORE), tag="Games", examples=of(name), parameters=_PATH,
        answer_headers=("ETag", "Idempotent-Replayed"), **more,
    )  # fmt: skip


OPERATIONS = (
    Operation(
        name="createGame", method="POST", path="/v1/games", view=views.create, answer=CreatedGame, status=201, body=CreateShape(), query=IncludeShape(), tag="Games",
        summary="Create a game",
        description="The service deals and keeps the game. The tokens are told here and never again, but to a repeat of the same call with the same app key.",
        errors=("unknown_rules", "too_few_cards", *_STORE, *_CHANGE), examples=of("createGame"),
        asked_headers=_KEYED, answer_headers=("ETag", "Location", "Idempotent-Replayed"),
    ),
    _read(
        "listGames", "/v1/games", views.list_games, GameList, "List the caller's games", "Newest first; `after` leads to the next page.",
        query=ListShape(),
    ),
    _read(
        "getGame", _GAME, views.show, ShownGame, "Show a game",
        "With a seat's token as that seat sees it, with a spectator's as spectators do; an app chooses by `seat`.", *_OPEN,
        query=GameShape(), guard=views.guard(seats=True, spectators=True),
        asked_headers=("If-None-Match",), answer_headers=("ETag",),
    ),
    _read(
        "listLegalMoves", f"{_GAME}/legal-moves", views.legal_moves, ListedMoves, "List the legal moves of a seat",
        "With a seat's token its own; for an app those of `seat`, or of the seat to move. In swoop one play for each rank and number of cards, unless `all` asks for more.",
        *_OPEN, "undecided", query=MovesShape(), guard=views.guard(seats=True),
        asked_headers=("If-None-Match",), answer_headers=("ETag",),
    ),
    _change(
        "makeMove", f"{_GAME}/moves", views.counted(games.move), MadeMove, "Make a move",
        "With a seat's token its own; an app moves for any `seat`, or with null as the referee: next_round, forfeit, withdraw, rejoin, abort.",
        *_OPEN, "unknown_card", "illegal_move", *_MOVE,
        body=MoveShape(), query=IncludeShape(), guard=views.guard(seats=True, repeats="moves"), guess=views.guess_for_move, asked_headers=_CONDITIONAL,
    ),
    _change(
        "dealRound", f"{_GAME}/rounds", views.counted(games.next_round), MadeMove, "Deal the next round",
        "For apps, once a round is over and the match is not.", *_OPEN, "illegal_move", *_MOVE,
        query=IncludeShape(), guard=views.guard(repeats="rounds"), asked_headers=_CONDITIONAL,
    ),
    _change(
        "timeOutTurn", f"{_GAME}/timeouts", views.counted(games.time_out), MadeMove, "Take the turn of a seat out of time",
        "For apps, once the deadline has passed by the store's clock: the default turn, or the forfeit at the limit of misses.",
        *_OPEN, "not_due", *_MOVE,
        query=IncludeShape(), guard=views.guard(repeats="timeouts"), asked_headers=_CONDITIONAL,
    ),
    _change(
        "replaceSeatToken", f"{_GAME}/seats/{{n}}/token", views.replace_token, NewToken, "Replace a seat's token",
        "For apps. The token before it is worth nothing from now on.", *_OPEN, *_CHANGE,
        guard=views.guard(repeats="token"), asked_headers=_KEYED,
    ),
    _change(
        "replaceSpectatorToken", f"{_GAME}/spectator/token", views.replace_spectator_token, NewSpectatorToken, "Replace the spectators' token",
        "For apps. The token before it is worth nothing from now on.", *_OPEN, *_CHANGE,
        guard=views.guard(repeats="token"), asked_headers=_KEYED,
    ),
    _read(
        "waitForEvents", f"{_GAME}/events", views.events, GameLog, "Read the log, or wait for news",
        "What happened after a version, as the caller may know it; with `wait`, as soon as something does.", *_OPEN, "lost",
        query=EventsShape(), guard=views.guard(seats=True, spectators=True), guess=views.guess_for_log, answer_headers=("ETag",),
    ),
    _read(
        "getRecord", f"{_GAME}/record", views.record, MatchRecord, "Open the record of a match",
        "Once the match is over, for everyone at the table: all that is needed to replay and verify it.", *_OPEN, "lost", "record_not_open",
        guard=views.guard(seats=True, spectators=True), asked_headers=("If-None-Match",), answer_headers=("ETag",),
    ),
    Operation(
        name="deleteGame", method="DELETE", path=_GAME, view=views.delete, answer=type(None), status=204, tag="Games",
        summary="Delete a game", description="For apps: the game, its tokens, its log and its record.",
        errors=(*_OPEN, *_STORE), guard=views.guard(), parameters=_PATH,
    ),
)  # fmt: skip

"""The views of hosted games: who may call what, and HTTP's part of conditions and repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, g, request

from engine.errors import IllegalMove
from service.callers import auth
from service.callers.auth import App
from service.hosted import tokens
from service.hosted.access import Caller, GameAccess, caller_name, guess_game, open_game
from service.hosted.idempotency import Conditions, Success, lookup
from service.hosted.versions import etag
from service.http import allowance
from service.http.context import apps, authorization, current_request, solver, store, waiters
from service.http.errors import REFUSALS
from service.http.headers import nothing
from service.http.long_polls import WAITS, Wait, may_wait
from service.problems.refusals import Refusal
from service.process import metrics
from service.schemas.game_queries import (
    LEGAL_MOVES,
    VIEWS,
    EventsQuery,
    GameQuery,
    IncludeQuery,
    ListQuery,
    MovesQuery,
)
from service.schemas.games import CreateRequest
from service.stores.contract import Game
from service.stores.names import can_be_id
from service.use_cases import game_reads, games


def _caller() -> Caller:
    """The app, or the one whom a table's token names; whether that token is good shows when the game is loaded."""
    said = authorization()
    if app := auth.app_at_the_table(said, apps().names):
        return app
    token = auth.bearer_token(said)
    claim = tokens.claim_of(token) if token else None
    if claim is None:
        raise Refusal("unauthenticated")
    return claim


def guard(*, seats: bool = False, spectators: bool = False, repeats: str = "") -> Callable[..., GameAccess]:
    """What opens the game for a call: 401, then 404 and 410, then 403. An app may make every call, the others may where
    it says so. `repeats`: the name of a route whose requests may be repeated."""

    def find(id: str, n: str = "") -> GameAccess:
        caller = _caller()
        if not can_be_id(id):
            raise Refusal("not_found")
        if isinstance(caller, App):
            allowance.charge_request(caller.name, told=True)
        scope = (f"{repeats}{n}", caller_name(caller))
        known = lookup(request.headers.get("Idempotency-Key"), scope) if repeats else ()
        access = open_game(store(), id, caller, scope, known)
        g.caller = caller
        allowance.charge_request(access.game.owner, told=isinstance(caller, App))
        _permit(caller, seats=seats, spectators=spectators)
        if n and n not in map(str, range(len(access.setup.seats))):
            raise Refusal("not_found")
        return access

    return find


def guess_for_move(id: str) -> GameAccess | None:
    """The game that this process remembers, if the call was decided on it as it is remembered."""
    game = store().remembered(id)
    if game is None or request.headers.get("If-Match") != etag(game.version):
        return None
    access = _guessed(game, "moves", seats=True)
    if (
        access is None or access.setup.turn_seconds is not None
    ):  # deadlines begin when the store says it is; it is not asked
        return None
    return access


def guess_for_log(id: str) -> GameAccess | None:
    """The game that this process remembers: as far as it matters for the log, it never changes."""
    game = store().remembered(id)
    return None if game is None else _guessed(game, "", seats=True, spectators=True)


def _guessed(game: Game, repeats: str, **permitted: bool) -> GameAccess | None:
    caller = _caller()
    access = guess_game(game, caller, (repeats, caller_name(caller)))
    if access is not None:
        g.caller = caller
        allowance.charge_request(access.game.owner, told=isinstance(caller, App))
        _permit(caller, **permitted)
    return access


def _permit(caller: Caller, *, seats: bool = False, spectators: bool = False) -> None:
    if isinstance(caller, tokens.Claim):
        is_spectator = caller.name == tokens.SPECTATOR
        if not (spectators if is_spectator else seats) or _asks_too_much(caller):
            raise Refusal("forbidden")


def _asks_too_much(caller: tokens.Claim) -> bool:
    """Whether a player asks for what only an app may see, other eyes than its own, or everyone's; or a spectator for moves."""
    own = str(caller.seat)
    wanted = ",".join(request.args.getlist("include")).split(",")
    return request.args.get("seat", own) != own or VIEWS in wanted or (caller.seat is None and LEGAL_MOVES in wanted)


def _conditions() -> Conditions:
    """How a change was asked for; the body has been found to be JSON."""
    call = current_request()
    key = call.headers.get("Idempotency-Key")
    said = [orjson.loads(g.body) if g.body else {}, sorted(call.args.items(multi=True))] if key is not None else None
    return Conditions(
        request_id=g.request_id,
        bearer=auth.bearer_token(authorization()) or "",
        key=key,
        if_match=call.headers.get("If-Match"),
        canonical=orjson.dumps(said, option=orjson.OPT_SORT_KEYS),
    )


def _answer(status: int, body: bytes, version: int | None = None, **headers: str) -> Response:
    answer = Response(body, status, content_type="application/json")
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["Vary"] = "Authorization"
    if version is not None:
        answer.headers["ETag"] = etag(version)
    answer.headers.update(headers)
    return answer


def _changed(done: Success) -> Response:
    headers = {"Idempotent-Replayed": "true"} if done.replayed else {}
    return _answer(
        201, done.body, done.version, **headers, **({"Location": f"/v1/games/{done.game}"} if done.game else {})
    )


def _shown(body: Any, access: GameAccess) -> Response:
    """What the game is at its version; 304 for a caller who has it."""
    if request.if_none_match.contains_weak(f"v{access.game.version}"):
        return _answer(304, b"", access.game.version)
    return _answer(200, orjson.dumps(body), access.game.version)


# The views -----------------------------------------------------------------------------------------------------------


def create(asked: CreateRequest, query: IncludeQuery) -> Response:
    allowance.charge_game(g.caller.name)
    return _changed(games.create(store(), g.caller, asked, query, _conditions(), solver()))


def list_games(query: ListQuery) -> Response:
    return _answer(200, orjson.dumps(game_reads.listed(store(), g.caller, query)))


def show(access: GameAccess, query: GameQuery, id: str) -> Response:
    return _shown(game_reads.shown(store(), access, query, solver()), access)


def legal_moves(access: GameAccess, query: MovesQuery, id: str) -> Response:
    return _shown(game_reads.legal_moves(access, query, solver()), access)


def counted(change: Callable[..., Success]) -> Callable[..., Response]:
    """A change of a game, counted by what came of it."""

    def view(access: GameAccess, *given: Any, id: str) -> Response:
        try:
            done = change(store(), access, *given, _conditions(), solver())
        except Exception as fault:
            if not (access.guessed and isinstance(fault, REFUSALS)):  # else it is decided again, and counted then
                metrics.count_move(access.setup.game, _outcome(fault))
            raise
        metrics.count_move(access.setup.game, "replayed" if done.replayed else "made")
        return _changed(done)

    return view


def _outcome(fault: Exception) -> str:
    if isinstance(fault, IllegalMove):
        return "illegal"
    return fault.problem.code if isinstance(fault, Refusal) else "failed"


def replace_token(access: GameAccess, id: str, n: str) -> Response:
    return _changed(games.replace_token(store(), access, int(n), _conditions()))


def replace_spectator_token(access: GameAccess, id: str) -> Response:
    return _changed(games.replace_token(store(), access, None, _conditions()))


def events(access: GameAccess, query: EventsQuery, id: str) -> Response:
    environ, body = request.environ, None
    wait = _place_to_wait(access, query)
    try:
        body = game_reads.events(store(), access, query, solver(), may_wait=wait is not None)
        return _answer(200, orjson.dumps(body), body["version"])
    finally:
        if wait is not None and body is not None and not body["events"]:
            environ[WAITS] = wait
        elif wait is not None:
            wait.leave()


def _place_to_wait(access: GameAccess, query: EventsQuery) -> Wait | None:
    """A place to wait for news, if the call asks for one and there is one left; taken before the log is read."""
    id, owner = access.game.id, access.game.owner
    if not query.wait or not may_wait(request.environ) or (give := allowance.take_place(owner)) is None:
        return None
    places = waiters()
    watch = places.enter(id, query.after)
    if watch is None:
        give()
        return None

    def leave() -> None:
        places.leave(id, watch)
        give()

    return Wait(watch, query.wait, leave)


def record(access: GameAccess, id: str) -> Response:
    return _shown(game_reads.record(store(), access), access)


def delete(access: GameAccess, id: str) -> Response:
    games.delete(store(), access)
    return nothing({"Cache-Control": "private, no-store"})

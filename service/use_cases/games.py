"""The hosted games: load, apply, save. The store is written before anyone is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from engine.errors import Flaw, Invalid
from engine.game import NextRound, RefereeMove, check_address
from engine.games import GAMES
from engine.shuffling import commitment
from service.callers.auth import App
from service.hosted import answers, idempotency, kept_rules, token_issuance, tokens, turns, versions
from service.hosted.access import GameAccess
from service.hosted.idempotency import Conditions, Success
from service.hosted.table import Record, Setup, Table, move_type, write_record, write_setup, write_table
from service.hosted.tokens import Claim
from service.json import codec
from service.problems.refusals import Outdated, Refusal
from service.schemas.game_answers import By
from service.schemas.game_queries import IncludeQuery
from service.schemas.games import CreateRequest, MoveRequest
from service.stores.contract import Change, GameStore, Known, NewGame, answered
from service.stores.errors import Stale
from service.use_cases import included, seeds


def create(
    store: GameStore, owner: App, asked: CreateRequest, query: IncludeQuery, conditions: Conditions, arranger: Any
) -> Success:
    """A new game. Raises `Invalid`, `TooFewCards`, KeyReused."""
    game = GAMES[asked.game]
    if asked.miss_limit is not None and asked.turn_seconds is None:
        raise Invalid(Flaw("/miss_limit", "needs turn_seconds: without them nothing can be missed"))
    request = conditions.request(("create",))
    seed = seeds.chosen(asked.seed)
    table, steps = turns.deal(game, len(asked.seats), asked.rules.rules, seed, asked.starter)
    setup = Setup(
        game=game.name,
        seats=tuple(asked.seats),
        starter=asked.starter,
        seed_source="server" if asked.seed is None else "caller",
        commitment=commitment(seed),
        turn_seconds=asked.turn_seconds,
        miss_limit=asked.miss_limit,
        metadata=asked.metadata,
        mark=tokens.new_mark(),
    )
    issue = token_issuance.issue(
        conditions, (*map(tokens.seat_name, range(len(asked.seats))), tokens.SPECTATOR), setup.mark
    )
    record = Record("app", conditions.request_id, steps)
    due = None if asked.turn_seconds is None else turns.deadline(None, table, None, asked.turn_seconds, store.now())
    kept_rules.keep(store, game.name, table.state.rules)  # else it is done when a view is told by their hash
    body = answers.created(setup, record, due, _carried(store, table, None, None, query, arranger))
    new = NewGame(write_setup(setup), write_table(table), write_record(record), issue.fingerprints, due)
    done = store.create(owner.name, new, request, b"" if request.once else issue.kept(body))
    if isinstance(done, Known):
        body, issue = token_issuance.replay(done.answer, conditions)
    body["id"] = done.id
    body["spectator_token"] = issue.tokens[tokens.SPECTATOR]
    for number, seat in enumerate(body["seats"]):
        seat["token"] = issue.tokens[tokens.seat_name(number)]
    return Success(orjson.dumps(body), 1, isinstance(done, Known), done.id)


def move(
    store: GameStore, access: GameAccess, asked: MoveRequest, query: IncludeQuery, conditions: Conditions, arranger: Any
) -> Success:
    """A move of the calling seat, or through the app of any seat or the referee."""
    seat, by = asked.seat, access.caller
    if isinstance(by, Claim):
        if asked.seat not in (None, by.seat):
            raise Refusal("forbidden")
        seat = by.seat
    wanted = codec.read(move_type(access.setup.game), asked.move, "/move")
    if isinstance(by, Claim) and isinstance(wanted, RefereeMove):
        raise Invalid(Flaw("/move/type", f"{wanted.type} is a move of the referee, which the app alone makes"))
    check_address(len(access.setup.seats), seat, wanted)  # 422 comes before what is said of repeats and versions
    play = partial(turns.play, seat=seat, move=wanted, arranger=arranger)
    return _change(
        store, access, query, conditions, arranger, Action("seat" if isinstance(by, Claim) else "app", seat, play)
    )


def next_round(
    store: GameStore, access: GameAccess, query: IncludeQuery, conditions: Conditions, arranger: Any
) -> Success:
    """The referee deals the next round."""
    deal = partial(turns.play, seat=None, move=NextRound(), arranger=arranger)
    return _change(store, access, query, conditions, arranger, Action("app", None, deal))


def time_out(
    store: GameStore, access: GameAccess, query: IncludeQuery, conditions: Conditions, arranger: Any
) -> Success:
    """The turn of the seat whose time has run out by the store's clock. Raises the refusal ``not_due``."""

    def overdue(table: Table) -> turns.Played:
        due = access.game.deadline
        if due is None or access.game.now < due:
            raise Refusal("not_due", _why_not_due(access), deadline=answers.due(due))
        return turns.time_out(table, access.setup.miss_limit, arranger)

    return _change(store, access, query, conditions, arranger, Action("timeout", None, overdue))


def _why_not_due(access: GameAccess) -> str:
    if access.setup.turn_seconds is None:
        return "The game has no clock: it was made without turn_seconds."
    if access.game.deadline is None:
        return "No turn is being taken, so none is overdue."
    return f"The turn may take until {answers.moment(access.game.deadline)}."


@dataclass(frozen=True, slots=True)
class Action:
    """What is to be done at a table, who does it, and as which seat the answer is seen (None: a spectator)."""

    by: By
    seat: int | None
    apply: Callable[[Table], turns.Played]


def _carried(
    store: GameStore, table: Table, eyes: int | None, mover: int | None, query: IncludeQuery, arranger: Any
) -> answers.Json:
    """What the answer carries of the table: with whose eyes, and whose moves (None: of the seat to move)."""
    found = included.seen(store, table, eyes, query.include)
    return found | included.moves(table, mover, query.include, arranger)


def _change(
    store: GameStore, access: GameAccess, query: IncludeQuery, conditions: Conditions, arranger: Any, action: Action
) -> Success:
    """The next version. Known repeats come first, then the version, then the rules; nothing is answered before it is kept."""
    game = access.game
    request = conditions.request(access.scope)
    if known := game.answers.get(request.key):
        return idempotency.replay(answered(known, request))
    versions.check(conditions.if_match, game.version)
    table, steps = action.apply(access.table)
    record = Record(action.by, conditions.request_id, steps)
    due = turns.deadline(access.table, table, game.deadline, access.setup.turn_seconds, game.now)
    over = table.game.outcome(table.state) is not None
    shown = _carried(store, table, action.seat, access.seat, query, arranger)
    body = orjson.dumps(answers.moved(game.version + 1, table, record, action.seat, due, shown))
    change = Change(write_table(table), write_record(record), "over" if over else "live", due)
    try:
        done = store.commit(game.id, game.version, change, request, idempotency.kept(body, request), access.seen)
    except Stale as moved_on:
        raise (Outdated() if moved_on.version == game.version else versions.stale(moved_on.version)) from None
    return idempotency.replay(done.answer) if isinstance(done, Known) else Success(body, done.version)


def replace_token(store: GameStore, access: GameAccess, seat: int | None, conditions: Conditions) -> Success:
    """Another token for a seat, or for the spectators (None); the one before it is worth nothing from now on."""
    game, name = access.game, tokens.SPECTATOR if seat is None else tokens.seat_name(seat)
    request = conditions.request(access.scope)
    if known := game.answers.get(request.key):
        return _with_token(*token_issuance.replay(answered(known, request), conditions), replayed=True)
    issue = token_issuance.issue(conditions, (name,), access.setup.mark)
    whose = {} if seat is None else {"seat": seat, "name": access.setup.seats[seat]}
    body: answers.Json = {**whose, "token": None, "version": game.version}
    data = b"" if request.once else issue.kept(body)
    done = store.grant(game.id, name, issue.fingerprints[name], request, data)
    if isinstance(done, Known):
        return _with_token(*token_issuance.replay(done.answer, conditions), replayed=True)
    return _with_token(body, issue, replayed=False)


def _with_token(body: answers.Json, issue: token_issuance.Issue, *, replayed: bool) -> Success:
    (token,) = issue.tokens.values()
    told = {**body, "token": token}
    return Success(orjson.dumps(told), body["version"], replayed)


def delete(store: GameStore, access: GameAccess) -> None:
    """Remove the game with its tokens and its log."""
    store.delete(access.game.id)

"""The hosted games: load, apply, save. The store is written before anyone is answered."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from engine.errors import Flaw, Invalid, InvalidRules
from engine.game import NextRound
from engine.games import GAMES
from engine.options import resolve
from engine.shuffling import SEED_BYTES, commitment
from service import codec
from service.auth import App
from service.errors import Refusal
from service.hosted import answers, asked, issued, play, tokens
from service.hosted.asked import Answered, Asked
from service.hosted.table import (
    By,
    Record,
    Setup,
    Table,
    move_type,
    read_setup,
    read_table,
    write_record,
    write_setup,
    write_table,
)
from service.hosted.tokens import Claim
from service.schemas.games import CreateRequest, EventsQuery, Eyes, ListQuery, MoveRequest
from service.stores.contract import (
    Change,
    Entry,
    Expired,
    Game,
    GameStore,
    Known,
    NewGame,
    NotFound,
    Stale,
    answered,
)

Caller = App | Claim
PAGE = 1000  # versions of the log read at a time


@dataclass(frozen=True)
class Opened:
    """A game that its caller may know of. What is stored is read when it is needed: a repeat needs none of it."""

    caller: Caller
    scope: tuple[str, str]
    game: Game
    setup: Setup

    @cached_property
    def table(self) -> Table:
        """The game at its version."""
        return read_table(self.setup.game, self.game.blob)

    @property
    def seat(self) -> int | None:
        """The seat that calls; None for an app or a spectator."""
        return self.caller.seat if isinstance(self.caller, Claim) else None


def caller_name(caller: Caller) -> str:
    """Who calls, as far as repeats are concerned: two seats may use the same key, two keys of one app may not."""
    return caller.name if isinstance(caller, Claim) else "app"


def open_game(
    store: GameStore, id: str, caller: Caller, scope: tuple[str, str], request_keys: tuple[str, ...]
) -> Opened:
    """The game, if the caller may know of it; with the known answers to the requests. `scope`: the route and who calls.

    Raises the refusals ``not_found`` (alike for what is not there and what is not the caller's), ``expired`` (for the
    owner), ``unauthenticated`` (for a token of this game that has been replaced).
    """
    try:
        game = store.load(id, request_keys)
    except NotFound:
        raise Refusal("not_found") from None
    except Expired as gone:
        raise Refusal("expired" if isinstance(caller, App) and caller.name == gone.owner else "not_found") from None
    setup = read_setup(game.info)
    if isinstance(caller, App):
        if caller.name != game.owner:
            raise Refusal("not_found")
    else:
        standing = tokens.standing(caller, game.tokens, setup.mark)
        if standing != "valid":
            raise Refusal("unauthenticated" if standing == "replaced" else "not_found")
    return Opened(caller, scope, game, setup)


def create(store: GameStore, owner: App, wish: CreateRequest, how: Asked) -> Answered:
    """A new game. Raises `Invalid`, `TooFewCards`, KeyReused."""
    game = GAMES[wish.game]
    if wish.miss_limit is not None and wish.turn_seconds is None:
        raise Invalid(Flaw("/miss_limit", "needs turn_seconds: without them nothing can be missed"))
    try:
        rules = resolve(game.rules, wish.rules)
    except InvalidRules as wrong:
        raise wrong.under("/rules") from None
    request = how.request(("create",))
    seed = secrets.token_hex(SEED_BYTES) if wish.seed is None else wish.seed
    table, steps = play.deal(game, len(wish.seats), rules, seed, wish.starter)
    setup = Setup(
        game=game.name,
        seats=tuple(wish.seats),
        starter=wish.starter,
        seed_source="server" if wish.seed is None else "caller",
        commitment=commitment(seed),
        turn_seconds=wish.turn_seconds,
        miss_limit=wish.miss_limit,
        metadata=wish.metadata,
        mark=tokens.new_mark(),
    )
    issue = issued.issue(how, (*map(tokens.seat_name, range(len(wish.seats))), tokens.SPECTATOR), setup.mark)
    record = Record("app", how.request_id, steps)
    due = None if wish.turn_seconds is None else play.deadline(None, table, None, wish.turn_seconds, store.now())
    body = answers.created(setup, table, record, due)
    new = NewGame(write_setup(setup), write_table(table), write_record(record), issue.fingerprints, due)
    done = store.create(owner.name, new, request, b"" if request.once else issue.kept(body))
    if isinstance(done, Known):
        body, issue = issued.replay(done.answer, how)
    body["id"] = done.id
    body["spectator_token"] = issue.tokens[tokens.SPECTATOR]
    for number, seat in enumerate(body["seats"]):
        seat["token"] = issue.tokens[tokens.seat_name(number)]
    return Answered(orjson.dumps(body), 1, isinstance(done, Known), done.id)


def move(store: GameStore, opened: Opened, wish: MoveRequest, with_views: bool, how: Asked, arranger: Any) -> Answered:
    """A move of the calling seat, or through the app of any seat or the referee."""
    seat, by = wish.seat, opened.caller
    if isinstance(by, Claim):
        if wish.seat not in (None, by.seat):
            raise Refusal("forbidden")
        seat = by.seat
    wanted = codec.read(move_type(opened.setup.game), wish.move, "/move")
    return _change(
        store, opened, how, "seat" if isinstance(by, Claim) else "app", seat, with_views,
        lambda table: play.play(table, seat, wanted, arranger),
    )  # fmt: skip


def next_round(store: GameStore, opened: Opened, with_views: bool, how: Asked, arranger: Any) -> Answered:
    """The referee deals the next round."""
    return _change(
        store, opened, how, "app", None, with_views,
        lambda table: play.play(table, None, NextRound(), arranger),
    )  # fmt: skip


def time_out(store: GameStore, opened: Opened, with_views: bool, how: Asked, arranger: Any) -> Answered:
    """The turn of the seat whose time has run out by the store's clock. Raises the refusal ``not_due``."""

    def overdue(table: Table) -> play.Played:
        due = opened.game.deadline
        if due is None or opened.game.now < due:
            raise Refusal("not_due", deadline=answers.moment(due))
        return play.time_out(table, opened.setup.miss_limit, arranger)

    return _change(store, opened, how, "timeout", None, with_views, overdue)


def _change(
    store: GameStore, opened: Opened, how: Asked, by: By, seat: int | None, with_views: bool,
    act: Callable[[Table], play.Played],
) -> Answered:  # fmt: skip
    """The next version. Known repeats come first, then the version, then the rules; nothing is answered before it is kept."""
    game = opened.game
    request = how.request(opened.scope)
    if known := game.answers.get(request.key):
        return asked.replay(answered(known, request))
    how.check_version(game.version)
    table, steps = act(opened.table)
    record = Record(by, how.request_id, steps)
    due = play.deadline(opened.table, table, game.deadline, opened.setup.turn_seconds, game.now)
    over = table.game.outcome(table.state) is not None
    body = orjson.dumps(answers.moved(game.version + 1, table, record, seat, due, with_views))
    change = Change(write_table(table), write_record(record), "over" if over else "live", due)
    try:
        done = store.commit(game.id, game.version, change, request, asked.kept(body, request))
    except Stale as moved_on:
        raise asked.stale(moved_on.version) from None
    return asked.replay(done.answer) if isinstance(done, Known) else Answered(body, done.version)


def replace_token(store: GameStore, opened: Opened, seat: int, how: Asked) -> Answered:
    """Another token for a seat; the one before it is worth nothing from now on."""
    game, name = opened.game, tokens.seat_name(seat)
    request = how.request(opened.scope)
    known = game.answers.get(request.key)
    if known is None:
        issue = issued.issue(how, (name,), opened.setup.mark)
        body: answers.Json = {"seat": seat, "name": opened.setup.seats[seat], "token": None, "version": game.version}
        data = b"" if request.once else issue.kept(body)
        done = store.grant(game.id, name, issue.fingerprints[name], request, data)
        known = done.answer if isinstance(done, Known) else None
    else:
        answered(known, request)
    if known is not None:
        body, issue = issued.replay(known, how)
    body["token"] = issue.tokens[name]
    return Answered(orjson.dumps(body), body["version"], known is not None)


def eyes(opened: Opened, asked_for: Eyes) -> Eyes:
    """Whose eyes the game is shown to: a player's own, or those that an app asks for. Raises `Invalid`."""
    if isinstance(opened.caller, Claim):
        return opened.seat
    if isinstance(asked_for, int) and asked_for not in range(len(opened.setup.seats)):
        raise Invalid(Flaw("?seat", f"no such seat; the seats are 0 to {len(opened.setup.seats) - 1}"))
    return asked_for


def shown(opened: Opened, asked_for: Eyes) -> answers.Json:
    """The game as the caller asks to see it."""
    return answers.whole(opened.game, opened.setup, opened.table, eyes(opened, asked_for))


def legal_moves(opened: Opened, asked_for: Eyes, arranger: Any) -> answers.Json:
    """The moves of a seat or, for the app, of the referee; for an app that names none, of the seat to move."""
    table, seat = opened.table, eyes(opened, asked_for)
    if seat is None:
        seat = table.game.to_move(table.state)
    mover = None if seat == "referee" else seat
    return {"seat": mover, "moves": codec.write(table.game.legal_moves(table.state, mover, arranger))}


def events(store: GameStore, opened: Opened, wish: EventsQuery) -> answers.Json:
    """The log after a version, as the caller may see it; waits for news if it is asked to."""
    whose = eyes(opened, wish.seat)
    page = store.events(opened.game.id, wish.after, wish.limit, wish.wait)
    if wish.wait and page.entries:  # the token may have been replaced while its holder waited
        open_game(store, opened.game.id, opened.caller, opened.scope, ())
    return answers.happened(opened.setup.game, page, whose)


def record(store: GameStore, opened: Opened) -> answers.Json:
    """The whole match, once it is over. Raises the refusal ``record_not_open``."""
    if opened.table.game.outcome(opened.table.state) is None:
        raise Refusal("record_not_open")
    entries: list[Entry] = []
    while len(entries) < opened.game.version:
        entries += store.events(opened.game.id, len(entries), PAGE).entries
    return answers.record(opened.setup, opened.table, entries)


def listed(store: GameStore, owner: App, wish: ListQuery) -> answers.Json:
    """A page of an app's games."""
    return answers.listed(store.games(owner.name, wish.status, wish.after, wish.limit))


def delete(store: GameStore, opened: Opened) -> None:
    """Remove the game with its tokens and its log."""
    store.delete(opened.game.id)

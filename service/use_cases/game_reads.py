"""What hosted games are asked for: themselves, their legal moves, their log, their record, lists of them."""

from __future__ import annotations

from typing import Any

from service.callers.auth import App
from service.hosted import answers
from service.hosted.access import GameAccess, eyes, lapsed, open_game, reader
from service.json import codec
from service.problems.refusals import Outdated, Refusal
from service.schemas.common import complete
from service.schemas.game_answers import ListedMoves
from service.schemas.game_queries import VIEW, EventsQuery, GameQuery, ListQuery, MovesQuery
from service.stores.contract import Entry, GameStore, Page
from service.stores.errors import Denied, Expired
from service.use_cases import included

PAGE = 1000  # versions of the log read at a time


def shown(store: GameStore, access: GameAccess, query: GameQuery, arranger: Any) -> answers.Json:
    """The game as the caller asks to see it."""
    return answers.whole(access.game, access.setup, access.table, _carried(store, access, query, arranger))


def _carried(store: GameStore, access: GameAccess, query: GameQuery | EventsQuery, arranger: Any) -> answers.Json:
    """What the answer carries of the table as it was opened."""
    table, whose = access.table, eyes(access, query.seat)
    return included.seen(store, table, whose, query.include) | included.moves(table, whose, query.include, arranger)


def legal_moves(access: GameAccess, query: MovesQuery, arranger: Any) -> answers.Json:
    """The moves of a seat or, for the app, of the referee; for an app that names none, of the seat to move."""
    table = access.table
    mover = included.mover_of(table, eyes(access, query.seat))
    listed = table.game.listed(table.state, mover, arranger, each=query.all)
    body: answers.Json = codec.write(ListedMoves(table.game.name, mover, listed.moves, complete(listed)))
    return body


def events(store: GameStore, access: GameAccess, query: EventsQuery, arranger: Any, *, may_wait: bool) -> answers.Json:
    """The log after a version, as the caller may see it, and what it carries of the table at the log's end. Where there are
    no news and the caller may wait for some, it carries nothing: it will not be sent."""
    whose = eyes(access, query.seat)
    page = _page(store, access, query, may_wait=may_wait)
    if not query.include or (may_wait and not page.entries):
        return answers.happened(access.setup.game, page, whose)
    if access.guessed or page.version > access.game.version:  # the game has moved on since it was opened
        access = open_game(store, access.game.id, access.caller, access.scope, ())
        page = _page(store, access, query)
    page = page.until(access.game.version)
    body = answers.happened(access.setup.game, page, whose)
    if body["version"] != access.game.version:
        return body
    carried = _carried(store, access, query, arranger)
    if VIEW not in query.include:
        carried = {name: told for name, told in carried.items() if name in query.include}
    return body | carried


def _page(store: GameStore, access: GameAccess, query: EventsQuery, *, may_wait: bool = False) -> Page:
    game = access.game
    if may_wait and store.unchanged(game.id, query.after):
        return Page(query.after, ())
    try:
        if access.guessed:
            return store.events(game.id, query.after, query.limit, reader(access.caller), game.info)
        return store.events(game.id, query.after, query.limit)
    except Denied:
        raise Outdated from None
    except Expired as gone:  # a moment ago it had not
        raise lapsed(gone, access.caller) from None


def record(store: GameStore, access: GameAccess) -> answers.Json:
    """The whole match, once it is over. Raises the refusal ``record_not_open``."""
    if access.table.game.outcome(access.table.state) is None:
        raise Refusal("record_not_open")
    entries: list[Entry] = []
    while page := store.events(access.game.id, len(entries), PAGE).entries:
        entries += page
    return answers.record(access.setup, access.table, entries)


def listed(store: GameStore, owner: App, query: ListQuery) -> answers.Json:
    """A page of an app's games."""
    return answers.listed(store.games(owner.name, query.status, query.after, query.limit))

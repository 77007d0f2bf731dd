"""What hosted games are asked for: themselves, their legal moves, their log, their record, lists of them."""

from __future__ import annotations

from typing import Any

from service.callers.auth import App
from service.hosted import answers
from service.hosted.access import Opened, eyes, lapsed, open_game
from service.json import codec
from service.problems.refusals import Refusal
from service.schemas.common import complete
from service.schemas.game_answers import ListedMoves
from service.schemas.game_queries import VIEW, EventsQuery, GameQuery, ListQuery, MovesQuery
from service.stores.contract import Entry, GameStore, Page
from service.stores.errors import Expired
from service.use_cases import included

PAGE = 1000  # versions of the log read at a time


def shown(store: GameStore, opened: Opened, wish: GameQuery, arranger: Any) -> answers.Json:
    """The game as the caller asks to see it."""
    return answers.whole(opened.game, opened.setup, opened.table, _carried(store, opened, wish, arranger))


def _carried(store: GameStore, opened: Opened, wish: GameQuery | EventsQuery, arranger: Any) -> answers.Json:
    """What the answer carries of the table as it was opened."""
    table, whose = opened.table, eyes(opened, wish.seat)
    return included.seen(store, table, whose, wish.include) | included.moves(table, whose, wish.include, arranger)


def legal_moves(opened: Opened, wish: MovesQuery, arranger: Any) -> answers.Json:
    """The moves of a seat or, for the app, of the referee; for an app that names none, of the seat to move."""
    table = opened.table
    mover = included.mover_of(table, eyes(opened, wish.seat))
    listed = table.game.listed(table.state, mover, arranger, each=wish.all)
    body: answers.Json = codec.write(ListedMoves(table.game.name, mover, listed.moves, complete(listed)))
    return body


def events(store: GameStore, opened: Opened, wish: EventsQuery, arranger: Any, *, may_wait: bool) -> answers.Json:
    """The log after a version, as the caller may see it, and what it carries of the table at the log's end. Where there are
    no news and the caller may wait for some, it carries nothing: it will not be sent."""
    whose = eyes(opened, wish.seat)
    page = _page(store, opened, wish)
    if not wish.include or (may_wait and not page.entries):
        return answers.happened(opened.setup.game, page, whose)
    if page.version > opened.game.version:  # the game has moved on since it was opened
        opened = open_game(store, opened.game.id, opened.caller, opened.scope, ())
        page = _page(store, opened, wish)
    page = page.until(opened.game.version)
    body = answers.happened(opened.setup.game, page, whose)
    if body["version"] != opened.game.version:
        return body
    carried = _carried(store, opened, wish, arranger)
    if VIEW not in wish.include:
        carried = {name: told for name, told in carried.items() if name in wish.include}
    return body | carried


def _page(store: GameStore, opened: Opened, wish: EventsQuery) -> Page:
    try:
        return store.events(opened.game.id, wish.after, wish.limit)
    except Expired as gone:  # a moment ago it had not
        raise lapsed(gone, opened.caller) from None


def record(store: GameStore, opened: Opened) -> answers.Json:
    """The whole match, once it is over. Raises the refusal ``record_not_open``."""
    if opened.table.game.outcome(opened.table.state) is None:
        raise Refusal("record_not_open")
    entries: list[Entry] = []
    while page := store.events(opened.game.id, len(entries), PAGE).entries:
        entries += page
    return answers.record(opened.setup, opened.table, entries)


def listed(store: GameStore, owner: App, wish: ListQuery) -> answers.Json:
    """A page of an app's games."""
    return answers.listed(store.games(owner.name, wish.status, wish.after, wish.limit))

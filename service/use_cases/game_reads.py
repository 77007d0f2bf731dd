"""What hosted games are asked for: themselves, their legal moves, their log, their record, lists of them."""

from __future__ import annotations

from typing import Any

from service import codec
from service.auth import App
from service.hosted import answers
from service.hosted.access import Opened, eyes, lapsed
from service.problems import Refusal
from service.schemas.common import complete
from service.schemas.game_answers import ListedMoves
from service.schemas.game_queries import EventsQuery, Eyes, ListQuery, MovesQuery
from service.stores.contract import Entry, GameStore
from service.stores.errors import Expired

PAGE = 1000  # versions of the log read at a time


def shown(opened: Opened, asked_for: Eyes) -> answers.Json:
    """The game as the caller asks to see it."""
    return answers.whole(opened.game, opened.setup, opened.table, eyes(opened, asked_for))


def legal_moves(opened: Opened, wish: MovesQuery, arranger: Any) -> answers.Json:
    """The moves of a seat or, for the app, of the referee; for an app that names none, of the seat to move."""
    table, seat = opened.table, eyes(opened, wish.seat)
    if seat is None:
        seat = table.game.to_move(table.state)
    mover = None if seat == "referee" else seat
    listed = table.game.listed(table.state, mover, arranger, each=wish.all)
    body: answers.Json = codec.write(ListedMoves(table.game.name, mover, listed.moves, complete(listed)))
    return body


def events(store: GameStore, opened: Opened, wish: EventsQuery) -> answers.Json:
    """The log after a version, as the caller may see it."""
    whose = eyes(opened, wish.seat)
    try:
        page = store.events(opened.game.id, wish.after, wish.limit)
    except Expired as gone:  # a moment ago it had not
        raise lapsed(gone, opened.caller) from None
    return answers.happened(opened.setup.game, page, whose)


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

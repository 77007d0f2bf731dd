"""What callers are told: the JSON of games, views, events and records, as the one who asks may see them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from engine.options import rules_hash, to_json
from engine.shuffling import commitment
from service.hosted.table import SCHEMA, Record, Setup, Table, read_record, read_setup
from service.json import states
from service.json.codec import write
from service.schemas.cursors import cursor
from service.schemas.game_answers import MatchRecord, RecordMove
from service.schemas.game_queries import Eyes
from service.stores.contract import Entry, Game, Listing, Page, Summary

Json = dict[str, Any]


def moment(milliseconds: int) -> str:
    """A time of the store as RFC 3339 in UTC, to the millisecond."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def due(deadline: int | None) -> str | None:
    """A deadline, if there is one, as `moment` writes it."""
    return None if deadline is None else moment(deadline)


def view(table: Table, seat: int | None, *, rules: bool = True) -> Json:
    """What a seat may know, or a spectator. `rules`: whether they stand there, or their hash alone."""
    found = states.to_json(table.game, table.game.view(table.state, seat))
    if not rules:
        del found["rules"]
    return found


def looked_at(table: Table, eyes: Eyes, *, rules: bool = True) -> Json:
    """The table with these eyes: `view`, or for the referee's `state`."""
    if eyes == "referee":
        return {"state": states.to_json(table.game, table.state)}
    return {"view": view(table, eyes, rules=rules)}


def views(table: Table, *, rules: bool = True) -> Json:
    """The table with everyone's eyes."""
    seats = [view(table, each, rules=rules) for each in range(len(table.misses))]
    return {"seats": seats, "spectator": view(table, None, rules=rules)}


def seen(events: Iterable[Any], eyes: Eyes) -> list[Any]:
    """Events as these eyes may see them."""
    return [write(event if eyes == "referee" else event.seen_by(eyes)) for event in events]


def created(setup: Setup, record: Record, deadline: int | None, shown: Json) -> Json:
    """The answer to a create, less what is only known once it is stored, and the tokens, which never are. `shown`: what it
    carries of the table (`service.use_cases.included`), here as in the others."""
    return {
        "id": None,
        "version": 1,
        "game": setup.game,
        "seats": [{"name": name, "token": None} for name in setup.seats],
        "spectator_token": None,
        "commitment": setup.commitment,
        "seed_source": setup.seed_source,
        "deadline": due(deadline),
        "events": seen(record.events, None),
        **shown,
    }


def moved(version: int, table: Table, record: Record, seat: int | None, deadline: int | None, shown: Json) -> Json:
    """The answer to a move: what happened as the mover sees it."""
    return {
        "game": table.game.name,
        "version": version,
        "events": seen(record.events, seat),
        "outcome": write(table.game.outcome(table.state)),
        "deadline": due(deadline),
        **shown,
    }


def whole(game: Game, setup: Setup, table: Table, shown: Json) -> Json:
    """A game as it stands."""
    return {
        "id": game.id,
        "version": game.version,
        "game": setup.game,
        "seats": setup.seats,
        "commitment": setup.commitment,
        "seed_source": setup.seed_source,
        "turn_seconds": setup.turn_seconds,
        "miss_limit": setup.miss_limit,
        "misses": table.misses,
        "metadata": setup.metadata,
        "deadline": due(game.deadline),
        "outcome": write(table.game.outcome(table.state)),
        **shown,
    }


def happened(game: str, page: Page, eyes: Eyes) -> Json:
    """A page of the log. `version` is where the next page begins: the game's own, unless the page was too small for all."""
    events = []
    for entry in page.entries:
        record = read_record(game, entry.events)
        stamp = {"version": entry.version, "at": moment(entry.at), "by": record.by, "request_id": record.request_id}
        events += [{**event, **stamp} for event in seen(record.events, eyes)]
    last = page.entries[-1].version if page.entries else page.version
    return {"game": game, "events": events, "version": last}


def listed(listing: Listing) -> Json:
    return {
        "games": [_summary(game) for game in listing.games],
        "after": None if listing.after is None else cursor(listing.after),
    }


def _summary(game: Summary) -> Json:
    setup = read_setup(game.info)
    return {
        "id": game.id,
        "version": game.version,
        "game": setup.game,
        "seats": setup.seats,
        "status": game.status,
        "created": moment(game.created),
        "changed": moment(game.changed),
        "deadline": due(game.deadline),
        "commitment": setup.commitment,
        "metadata": setup.metadata,
    }


def record(setup: Setup, table: Table, entries: Iterable[Entry]) -> Json:
    """The whole match, open: all that is needed to replay it (`service.use_cases.replay`)."""
    log = [(entry, read_record(setup.game, entry.events)) for entry in entries]
    state = table.state
    outcome = table.game.outcome(state)
    assert outcome is not None, "a record opens once the match is over"
    moves = tuple(
        RecordMove(entry.version, moment(entry.at), found.by, step.seat, step.move, step.events)
        for entry, found in log
        for step in found.steps
        if step.move is not None
    )
    body: Json = write(
        MatchRecord(
            schema=SCHEMA,
            game=setup.game,
            rules=to_json(state.rules),
            rules_hash=rules_hash(state.rules),
            seed=state.seed,
            commitment=commitment(state.seed),
            seed_source=setup.seed_source,
            starter=setup.starter,
            seats=setup.seats,
            deal=log[0][1].events,
            moves=moves,
            totals=state.totals,
            outcome=outcome,
        )
    )
    return body

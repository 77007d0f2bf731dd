"""Shapes of the query strings of the hosted games' calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from marshmallow import fields

from service.json.type_hints import Flaws
from service.schemas import cursors
from service.schemas.common import ALL
from service.schemas.fields import Shape, one_of
from service.schemas.own_fields import Names, digits, eyes, own, switch
from service.stores.lifetimes import Status

MOST_WAIT = 20  # seconds
MOST_LISTED = 100
MOST_VERSIONS = 1000

Eyes = int | None | Literal["referee"]  # a seat's, a spectator's, or those of who may see everything
Include = frozenset[str]  # of the names below

VIEW, LEGAL_MOVES, RULES, VIEWS = "view", "legal_moves", "rules", "views"


def included() -> Names:
    """What an answer is to carry."""
    return Names(
        VIEW, LEGAL_MOVES, RULES, VIEWS,
        description="What the answer carries of the table, parted by commas. `view`: what the caller sees, which all answers but the log carry "
        "anyway. `legal_moves`: of the seat whose token it is; for an app, of the seat that it names, or else of the one to move. "
        "With either of the two, views hold the `rules_hash` and no rules, unless `rules` is named as well. "
        "`views`: for an app, what every seat sees and what a spectator does.",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameQuery:
    """Whose eyes an app wants to see the game with, and what the answer is to carry."""

    seat: Eyes
    include: Include


@dataclass(frozen=True, slots=True)
class MovesQuery:
    """Whose moves an app wants, and whether every single one."""

    seat: Eyes
    all: bool


@dataclass(frozen=True, slots=True)
class IncludeQuery:
    """What the answer is to carry."""

    include: Include


@dataclass(frozen=True, slots=True)
class EventsQuery:
    """Which part of the log, how long to wait for news, whose eyes to see it with, and what the answer is to carry."""

    after: int
    wait: int
    limit: int
    seat: Eyes
    include: Include


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which of the caller's games."""

    status: Status | None
    after: int | None
    limit: int


class GameShape(Shape):
    """Whose eyes, and what the answer carries."""

    makes = GameQuery

    seat = eyes()
    include = included()


class MovesShape(Shape):
    """Whose moves."""

    makes = MovesQuery

    seat = eyes()
    all = switch(ALL)


class IncludeShape(Shape):
    """What else."""

    makes = IncludeQuery

    include = included()


class EventsShape(Shape):
    """Which part of the log."""

    makes = EventsQuery

    after = digits(0, 2**53, 0, "The version up to which the log is known.")
    wait = digits(0, MOST_WAIT, 0, "How many seconds to wait for news, if there are none.")
    limit = digits(1, MOST_VERSIONS, MOST_VERSIONS, "How many versions at most.")
    seat = eyes()
    include = included()


def _read_cursor(value: str, at: str, flaws: Flaws) -> Any:
    found = cursors.place(value)
    if found is None:
        flaws.add(at, "must be the after of another page of this list")
    return found


class ListShape(Shape):
    """Which games."""

    makes = ListQuery

    status = fields.String(load_default=None, validate=one_of(*get_args(Status)))
    after = own(
        _read_cursor,
        {
            "type": "string",
            "pattern": cursors.PATTERN,
            "description": "The `after` of the last page: where the next one begins.",
        },
        load_default=None,
    )
    limit = digits(1, MOST_LISTED, 20, "How many games at most.")

"""Shapes of the query strings of the hosted games' calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from marshmallow import fields

from service.hints import Flaws
from service.hosted import cursors
from service.schemas.common import ALL
from service.schemas.fields import Shape, one_of
from service.schemas.own_fields import digits, eyes, own, switch
from service.stores.contract import Status

MOST_WAIT = 20  # seconds
MOST_LISTED = 100
MOST_VERSIONS = 1000

Eyes = int | None | Literal["referee"]  # a seat's, a spectator's, or those of who may see everything


@dataclass(frozen=True, slots=True)
class SeatQuery:
    """Whose eyes an app wants to see the game with."""

    seat: Eyes


@dataclass(frozen=True, slots=True)
class MovesQuery:
    """Whose moves an app wants, and whether every single one."""

    seat: Eyes
    all: bool


@dataclass(frozen=True, slots=True)
class IncludeQuery:
    """What an app wants besides: everyone's views."""

    include: Literal["views"] | None


@dataclass(frozen=True, slots=True)
class EventsQuery:
    """Which part of the log, how long to wait for news, and whose eyes to see it with."""

    after: int
    wait: int
    limit: int
    seat: Eyes


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which of the caller's games."""

    status: Status | None
    after: int | None
    limit: int


class SeatShape(Shape):
    """Whose eyes."""

    makes = SeatQuery

    seat = eyes()


class MovesShape(Shape):
    """Whose moves."""

    makes = MovesQuery

    seat = eyes()
    all = switch(ALL)


class IncludeShape(Shape):
    """What else."""

    makes = IncludeQuery

    include = fields.String(
        load_default=None,
        validate=one_of("views"),
        metadata={"description": "views: for an app, every seat's view and the spectator's as well."},
    )


class EventsShape(Shape):
    """Which part of the log."""

    makes = EventsQuery

    after = digits(0, 2**53, 0, "The version up to which the log is known.")
    wait = digits(0, MOST_WAIT, 0, "How many seconds to wait for news, if there are none.")
    limit = digits(1, MOST_VERSIONS, MOST_VERSIONS, "How many versions at most.")
    seat = eyes()


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

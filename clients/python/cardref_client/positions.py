"""A game at one of its versions, as one caller meets it: whichever answer told it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardref_client import types as t

View: TypeAlias = t.RummyView | t.SwoopView
LoggedEvent: TypeAlias = t.RummyLoggedEvent | t.SwoopLoggedEvent


@dataclass(frozen=True, slots=True)
class Position:
    """What the caller sees at `version`, and may do. `moves` is empty where another is to move, and for spectators; None where
    they could not be proved in the time there is (ask `list_legal_moves`). `events`: what led here from the position before."""

    version: int
    view: View
    moves: Sequence[t.Move] | None
    events: Sequence[LoggedEvent] = ()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.view["phase"] == "match_over"


def position(told: t.GameLog | t.MadeMove | t.ShownGame, events: Sequence[LoggedEvent] = ()) -> Position | None:
    """The position that an answer tells; None if it carries no view, as the parts of a long log but for its last."""
    view = told.get("view")
    moves = told.get("legal_moves", {"moves": []})["moves"]
    return None if view is None else Position(told["version"], view, moves, events)

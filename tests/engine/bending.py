"""How to break a game: the same record with one of its functions bent. The broken games stand in tests/engine/breaks.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.errors import IllegalMove, Violation
from tests.engine.habits import Habits
from tests.engine.playing import AnyGame


@dataclass(frozen=True)
class Told:
    """An event that tells everyone something; less of it each time that it is looked at."""

    type: ClassVar[str] = "told"
    what: Any
    fades: int = 0

    def seen_by(self, seat: int | None) -> Told:
        return Told(self.what, self.fades and self.fades - 1)


def unseen(habits: Habits, state: Any, viewer: int | None = None) -> tuple[Any, ...]:
    """Some cards that a viewer does not see."""
    return tuple(card for _, card in habits.hidden(state, viewer, ()))[:5]


def judging(game: AnyGame, judge: Callable[..., Violation | None]) -> AnyGame:
    """The game with another judge, whom `apply` obeys."""

    def apply(state: Any, seat: int | None, move: Any, arranger: Any) -> Any:
        if (found := judge(state, seat, move, arranger)) is not None:
            raise IllegalMove(found)
        return game.apply(state, seat, move, arranger)

    return replace(game, violation=judge, apply=apply)


def applying(game: AnyGame, change: Callable[..., Any], **fields: Any) -> AnyGame:
    """The game with other effects: `change` has the state before, the move, the state after and the events."""

    def apply(state: Any, seat: int | None, move: Any, arranger: Any) -> Any:
        return change(state, move, *game.apply(state, seat, move, arranger))

    return replace(game, apply=apply, **fields)


def listing(game: AnyGame, change: Callable[..., Any]) -> AnyGame:
    """The game with other lists of moves, the short one and that of all: `change` has the state, the seat and the true list."""

    def listed(state: Any, seat: int | None, arranger: Any) -> Any:
        return change(state, seat, game.legal_moves(state, seat, arranger))

    def every(state: Any, seat: int | None, arranger: Any) -> Any:
        known = game.all_moves(state, seat, arranger)
        return replace(known, moves=change(state, seat, known.moves))

    return replace(game, legal_moves=listed, all_moves=every)

"""The referee for apps that keep the state themselves: any game, through its contract only."""

from __future__ import annotations

import secrets
from typing import Any

from engine.game import Event, Game
from engine.shuffling import SEED_BYTES, commitment
from service import states

AnyGame = Game[Any, Any, Any]


def deal(
    game: AnyGame, seats: int, rules: Any, seed: str | None, starter: int | None
) -> tuple[Any, str, tuple[Event, ...]]:
    """A new match: its state, the commitment to its seed, and the events. Raises `Invalid`."""
    chosen = secrets.token_hex(SEED_BYTES) if seed is None else seed
    state, events = game.deal(seats, rules, chosen, starter)
    return state, commitment(chosen), events


def transition(
    game: AnyGame, state: Any, seat: int | None, move: Any, arranger: Any
) -> tuple[Any, tuple[Event, ...], Any]:
    """The state after a move, the events, and the outcome. Raises `CorruptState`, `Invalid`, `IllegalMove`, `Undecided`."""
    after, events = game.apply(states.checked(game, state, "/state"), seat, move, arranger)
    return after, events, game.outcome(after)


def legal_moves(game: AnyGame, state: Any, seat: int | None, arranger: Any) -> tuple[Any, ...]:
    """The moves of a seat, or of the referee. Raises `CorruptState`, `Invalid`, `Undecided`."""
    return game.legal_moves(states.checked(game, state, "/state"), seat, arranger)


def view(game: AnyGame, state: Any, seat: int | None) -> Any:
    """What a seat, or a spectator, may know. Raises `CorruptState`, `Invalid`."""
    return game.view(states.checked(game, state, "/state"), seat)

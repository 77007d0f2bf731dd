"""What one seat, or a spectator, may know of a match (rules.md §2.1, §2.5)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.game import Hidden, Points, check_seat
from engine.standings import Standing
from engine.swoop.pile import FACE_DOWN, SeenStack
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Phase, RoundScore, Seat, State, Status, is_scored


@dataclass(frozen=True, slots=True)
class SeenSeat:
    """A seat as someone else, or its owner, sees it."""

    hand: tuple[Card, ...] | Hidden
    stacks: tuple[SeenStack, ...]
    status: Status


@dataclass(frozen=True, slots=True)
class View:
    """The state without what lies face down or in other hands, and without the seed. Field by field built from what is
    open, never by taking away from the state. `to_move` is None for a spectator."""

    viewer: int | None
    to_move: bool | None
    rules: SwoopRules
    shuffles: int
    round: int
    starter: int
    turn: int | None
    phase: Phase
    plies: int
    totals: tuple[Points, ...]
    standings: tuple[Standing, ...]
    last_round: RoundScore | None
    seats: tuple[SeenSeat, ...]
    pile: tuple[Card, ...]
    removed: tuple[Card, ...]
    set_aside: Hidden
    committed: int | None
    aborted: bool


def view(state: State, seat: int | None) -> View:
    """The match as `seat` may see it; None: a spectator. Raises `Invalid` for a seat that does not exist."""
    check_seat(len(state.seats), seat)
    return View(
        viewer=seat,
        to_move=None if seat is None else seat == state.turn,
        rules=state.rules,
        shuffles=state.shuffles,
        round=state.round,
        starter=state.starter,
        turn=state.turn,
        phase=state.phase,
        plies=state.plies,
        totals=state.totals,
        standings=state.standings,
        last_round=state.last_round,
        seats=tuple(_seen(state, at, seat) for at in range(len(state.seats))),
        pile=state.pile,
        removed=state.removed,
        set_aside=Hidden(len(state.set_aside)),
        committed=state.committed,
        aborted=state.aborted,
    )


def _seen(state: State, at: int, viewer: int | None) -> SeenSeat:
    """Guards and the flipped secret are open to all, a hand to its owner, secrets to nobody; all of it once a round is over."""
    seat: Seat = state.seats[at]
    over = is_scored(state)
    flipped = state.committed if at == state.turn else seat.turned_up
    stacks = tuple(
        SeenStack(stack.guard, stack.secret if stack.secret is None or over or slot == flipped else FACE_DOWN)
        for slot, stack in enumerate(seat.stacks)
    )
    return SeenSeat(seat.hand if over or at == viewer else Hidden(len(seat.hand)), stacks, seat.status)

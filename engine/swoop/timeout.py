"""The turn that a seat out of time is given (hosted.md, Time)."""

from __future__ import annotations

from engine.cards import Card
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.pile import effect_of
from engine.swoop.state import State


def default_move(state: State, arranger: object = None) -> Move:
    """The next move of the default turn: the committed secret alone; else the best single card of hand and guards; else
    the lowest slot is flipped. Raises ValueError where no seat is to move."""
    if state.turn is None:
        raise ValueError("no seat is to move")
    if state.committed is not None:
        return Play((), ())
    holder, order = state.seats[state.turn], state.rules.order()

    def preference(single: tuple[Card, int, Play]) -> tuple[int, int, int, int]:
        """Lowest first: what is safe, then jokers, then tens, each from the hand and then from guards; what is left picks
        up, the lowest of it first, wherever it lies."""
        card, zone, _ = single
        value = order.get(card.rank, 0)
        if effect_of(state.rules, state.pile, card.rank, 1) == "pickup":
            return 3, value, zone, card.order
        return 1 if card.is_joker else 2 if card.rank == "T" else 0, zone, value, card.order

    singles = [(card, 0, Play((card,), ())) for card in holder.hand]
    for slot, stack in enumerate(holder.stacks):
        if stack.guard is not None:
            singles.append((stack.guard, 1, Play((), (slot,))))
    if singles:
        return min(singles, key=preference)[-1]
    return Flip(next(slot for slot, stack in enumerate(holder.stacks) if stack.secret is not None))

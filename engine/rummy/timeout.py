"""The turn that a seat out of time is given (hosted.md, Time)."""

from __future__ import annotations

from engine.cards import Card, without
from engine.rummy.arrangement import Arranger
from engine.rummy.legality import discardable, violation
from engine.rummy.moves import Discard, Draw, Move, Pack
from engine.rummy.scoring import costs
from engine.rummy.state import State


def default_move(state: State, arranger: Arranger) -> Move:
    """The next move of the default turn: draw from the stock, or from the discard pile if that is impossible, or pack if
    both are; then discard the card drawn, or, if it came from the discard pile, the permitted card that leaves the fewest
    loose points (of equals the one with the most points, then the first in the order of faces).

    Raises ValueError where no seat is to move, and `Undecided` where the arranger cannot prove what a card leaves."""
    if state.turn is None:
        raise ValueError("no seat is to move")
    if state.phase == "draw":
        draws = (Draw("stock"), Draw("discard"))
        return next((draw for draw in draws if violation(state, state.turn, draw, arranger) is None), Pack())
    hand = state.seats[state.turn].hand
    if state.taken is None:
        return Discard(hand[-1])

    worth = costs(state.wild_rank, state.rules)

    def cost(card: Card) -> tuple[int, int, int]:
        left = arranger.best(without(hand, (card,)), state.wild_rank, state.rules)
        return left.points, -worth[card], card.order

    return Discard(min(discardable(state, hand), key=cost))

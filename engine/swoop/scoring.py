"""What the cards that are left cost (rules.md §2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.cards import FACES, JOKER_TEXT, Card
from engine.options import POINT_NAMES
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Result, Seat, cards_of

_PLACE: Final = {card: POINT_NAMES.index(card.rank or JOKER_TEXT) for card in FACES}


def points_of(rules: SwoopRules, cards: Iterable[Card]) -> int:
    """The points of cards left in hand, guards and secrets."""
    return sum(rules.points[_PLACE[card]] for card in cards)


def score_round(rules: SwoopRules, seats: Sequence[Seat]) -> tuple[Result, ...]:
    """The results of a finished round, seat by seat: 0 for the seat without a card, the rest pay for what they hold."""
    return tuple(_result(rules, seat) for seat in seats)


def _result(rules: SwoopRules, seat: Seat) -> Result:
    held = cards_of(seat.hand, seat.stacks)
    if seat.status == "not_dealt":
        return Result(0, "not_dealt")
    if not held:
        return Result(0, "out")
    return Result(points_of(rules, held), "cards" if seat.status == "in" else "forfeited")


def settlement(results: Sequence[Result]) -> tuple[int, ...]:
    """The same round as a zero-sum payment: the seat that is out gets what the others lose; zeros if nobody is out."""
    if all(result.reason != "out" for result in results):
        return (0,) * len(results)
    pot = sum(result.points for result in results)
    return tuple(pot if result.reason == "out" else -result.points for result in results)

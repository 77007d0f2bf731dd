"""Positions for tests: hands as text, everything else filled in so that the state passes its check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.cards import Card, without
from engine.match_steps import begin
from engine.rummy.check import check
from engine.rummy.deal import whole_deck, wild_rank_of
from engine.rummy.rules import HAND_SIZE, HOUSE, RummyRules
from engine.rummy.state import Seat, State
from tests.engine.rummy.arranger import Search

SEED = "5eed" * 16
SEARCH = Search()

# Thirteen cards that win under `house` and `indian` with 9 as wild rank, and a fourteenth to fold.
WINNING = "2S 3S 4S 5S 2H 3H 4H 6C 7C 8C QD QH QC"
WINNING_GROUPS = (("2S", "3S", "4S", "5S"), ("2H", "3H", "4H"), ("6C", "7C", "8C"), ("QD", "QH", "QC"))
HOPELESS = "AS 3D 5H 7S JS KD 2D 4C 6H 8D TC QS KH"  # no group: 10+3+5+7+10+10+2+4+6+8+10+10+10 = 95 loose points


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(face) for face in text.split())


def position(
    *hands: str | None,
    rules: RummyRules = HOUSE,
    statuses: Sequence[str] = (),
    turn: int = 0,
    starter: int = 0,
    lap: int = 0,
    drawn: str | None = None,
    taken: bool = False,
    discard: str = "2C",
    top: str = "",
    stock_size: int | None = None,
    wild: str = "9D",
    opening: bool | None = None,
    **fields: Any,
) -> State:
    """A position in which seat `turn` is to move; a hand of None is filled from what the others leave.

    `lap` counts the turns that every seat has had; `drawn` adds a fourteenth card to the hand of the seat to move. `top`
    lies on the stock, bottom to top; with `stock_size`, the rest of the stock lies under the discard pile.
    """
    seats = len(hands)
    status = [*statuses, *["in"] * (seats - len(statuses))]
    spoken = [*cards(discard), *cards(top), Card(wild), *cards(drawn or "")]
    spoken += [card for hand in hands for card in cards(hand or "")]
    rest = list(without(whole_deck(rules, seats), spoken))
    rest = rest[::5] + rest[1::5] + rest[2::5] + rest[3::5] + rest[4::5]  # what is filled in forms few groups
    held = []
    for number, hand in enumerate(hands):
        own = [] if status[number] != "in" else list(cards(hand)) if hand is not None else rest[:HAND_SIZE]
        if hand is None and status[number] == "in":
            del rest[:HAND_SIZE]
        held.append(own + list(cards(drawn)) if drawn and number == turn else own)
    gone = {"in": 0, "packed_first": 0 if rules.first_pack_under_stock else 13, "packed_later": 13, "penalised": 14}
    removed = [rest.pop() for left in status for _ in range(gone[left])]
    stock = (*rest, *cards(top))
    under: tuple[Card, ...] = ()
    if stock_size is not None:
        under, stock = stock[: len(stock) - stock_size], stock[len(stock) - stock_size :]
    before = [(number - starter) % seats < (turn - starter) % seats for number in range(seats)]
    turns = [lap + earlier for earlier in before]
    turns[turn] += drawn is not None
    turns = [min(had, 1) if left == "packed_first" else had for had, left in zip(turns, status, strict=True)]
    values: dict[str, Any] = {
        "rules": rules,
        "seed": SEED,
        "shuffles": 1 + (status.count("packed_first") if rules.first_pack_under_stock else 0),
        "round": 1,
        "starter": starter,
        "turn": turn,
        "phase": "discard" if drawn else "draw",
        "plies": 2 * sum(turns) - (drawn is not None),
        "match": begin(seats, rules.terms),
        "last_round": None,
        "seats": tuple(Seat(tuple(hand), left, had) for hand, left, had in zip(held, status, turns, strict=True)),
        "stock": stock,
        "discard": (*under, *cards(discard)),
        "wild_card": Card(wild),
        "wild_rank": wild_rank_of(Card(wild), rules),
        "taken": Card(drawn) if drawn and taken else None,
        "opening": sum(turns) == 0 if opening is None else opening,
        "removed": tuple(removed),
        "aborted": False,
    }
    state = State(**{**values, **fields})
    check(state)
    return state

"""What a search found, and from there to an arrangement of real cards, which the engine lays out and checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import FACES, RANKS, Card, without
from engine.rummy.arrangement import Arrangement, Kind
from engine.rummy.declaration import WrongArrangement, arrange_declaration, arrange_scored
from engine.rummy.melds import KINDS
from solver.problem import Option, Problem, kind_of, wilds_of

_RANK_COUNT = len(RANKS)


class Found(NamedTuple):
    """The best choice of groups; `fold` is the face let go (a place in `FACES`), None for a wildcard or if none is."""

    cost: int
    chosen: tuple[Option, ...]
    fold: int | None


class Answer(NamedTuple):
    """What was found, None if nothing, and whether that is proved the best (or that there is nothing)."""

    found: Found | None
    proved: bool


def settle(given: Problem, found: Found, *, covering: bool) -> tuple[Arrangement, Card | None]:
    """The chosen groups with a real card for each wildcard, what is loose, and the card let go (None if none is).

    `covering`: the groups were to be a declaration; otherwise what the hand is scored by. Raises
    `engine.rummy.declaration.WrongArrangement` if the engine does not accept it: a fault of the solver, never of the hand.
    """
    left = given.counts.copy()
    if found.fold is not None:
        left[given.slots[found.fold]] -= 1
    parts: list[tuple[int, int, int, int, list[Card]]] = []  # kind, lowest slot, what it takes, wildcards, cards
    for order, need, _ in found.chosen:
        cards: list[Card] = []
        first = -1
        for slot, count in given.taken(need):
            first = slot if first < 0 else first
            left[slot] -= count
            cards += [FACES[given.faces[slot]]] * count
        parts.append((kind_of(order), first, need, wilds_of(order), cards))
    if len(parts) > 1:
        parts.sort()
    wilds = [FACES[given.faces[slot]] for slot in range(given.plain, len(left)) for _ in range(left[slot])]
    groups: list[tuple[Kind, list[Card]]] = []
    for kind, _, _, number, cards in parts:
        suit = cards[0].suit if cards else None
        for _ in range(number):
            # one that could not stand there as a natural card, if there is one
            at = next((at for at, card in enumerate(wilds) if card.suit != suit), 0)
            cards.append(wilds.pop(at))
        groups.append((KINDS[kind], cards))
    hand, discard = given.cards, None
    if found.fold is not None:
        discard = FACES[found.fold]
    elif given.fold:
        discard = wilds.pop(0)
    if discard is not None:
        hand = without(hand, [discard])
    loose = _dearest_first(given, left, wilds)
    if covering and not loose:
        return arrange_declaration(hand, groups, given.wild_rank, given.rules), discard
    arrangement = arrange_scored(hand, groups, loose, given.wild_rank, given.rules)
    if covering or arrangement.points != found.cost:
        raise WrongArrangement(f"it leaves {arrangement.points} points, not {found.cost}")
    return arrangement, discard


def _dearest_first(given: Problem, left: Sequence[int], wilds: list[Card]) -> list[Card]:
    """Loose cards in the order in which a player wants to be rid of them: the dearest first, of those the highest."""
    slots = [slot for slot in range(given.plain) if left[slot]]
    faces, costs = given.faces, given.costs
    slots.sort(key=lambda slot: (-costs[slot], -(faces[slot] % _RANK_COUNT), faces[slot]))
    loose = [FACES[faces[slot]] for slot in slots for _ in range(left[slot])]
    return loose + wilds

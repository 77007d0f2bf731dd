"""One hand to group, as numbers: how often each face is held, how many wildcards, what is asked.

A multiset of cards is one integer, a field of bits for each face, so that "are these cards still there" is a
subtraction and a mask. The top bit of each field is a guard: it is set in `Problem.held` and cleared by taking more
than is there. Besides the faces there is a field for the *pool*, which counts every
wildcard: a card of the wild rank that stands at its own place takes one from its face and one from the pool, a
wildcard in another card's place takes from the pool only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import FACES, JOKER, Card, Rank, in_order, without
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import costs

MIN_HAND, MAX_HAND = 7, 26
WIDTH: Final = 4  # bits for each face but the joker: up to seven copies, and the guard
_WIDE: Final = 6  # bits for the jokers and for the pool: up to 31, and the guard
JOKER_SHIFT: Final = WIDTH * JOKER.order  # the joker is the last of the faces
POOL_SHIFT: Final = JOKER_SHIFT + _WIDE
MAX_COPIES: Final = (1 << WIDTH - 1) - 1  # of a face; the mask of its field without the guard, too
POOL_MASK: Final = (1 << _WIDE - 1) - 1

JOKER_UNIT: Final = 1 << JOKER_SHIFT
POOL_UNIT: Final = 1 << POOL_SHIFT
FACES_MASK: Final = JOKER_UNIT - 1
GUARDS: Final = (
    sum(MAX_COPIES + 1 << WIDTH * face for face in range(JOKER.order))
    | POOL_MASK + 1 << JOKER_SHIFT
    | POOL_MASK + 1 << POOL_SHIFT
)  # fmt: skip
COUNTS_MASK: Final = FACES_MASK & ~GUARDS  # the faces' fields without their guards


def unit(face: int) -> int:
    """One card of a face, given as its place in `FACES`."""
    return 1 << WIDTH * face


@dataclass(frozen=True, slots=True)
class Problem:
    """A hand and its rules. `counts` holds, by place in `FACES`, how often each face is held; `costs` what each costs
    loose; `wilds` counts the wildcards; `fold` says that one card is to be let go."""

    cards: tuple[Card, ...]
    wild_rank: Rank | None
    rules: RummyRules
    fold: bool
    counts: dict[int, int]
    wilds: int
    held: int
    costs: Mapping[Card, int]

    def points(self, face: int) -> int:
        """What a card of a face costs loose, the face given as its place in `FACES`."""
        return self.costs[FACES[face]]

    def is_wild(self, face: int) -> bool:
        """Whether a face can replace another."""
        return face == JOKER.order or FACES[face].rank == self.wild_rank


def problem(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, fold: bool = False) -> Problem:
    """The instance for a hand; `fold`: one card of it is let go. The order of the cards does not matter.

    Raises ValueError for fewer than 7 or more than 26 cards, or more than seven copies of a face.
    """
    if not MIN_HAND <= len(hand) <= MAX_HAND:
        raise ValueError(f"a hand to group has {MIN_HAND} to {MAX_HAND} cards, this one has {len(hand)}")
    given = _problem(in_order(hand), wild_rank, rules, fold)
    if any(count > MAX_COPIES for face, count in given.counts.items() if face != JOKER.order):
        raise ValueError(f"a hand to group holds at most {MAX_COPIES} copies of a face")
    return given


def _problem(cards: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, fold: bool) -> Problem:
    counts: dict[int, int] = {}
    held, wilds = GUARDS, 0
    for card in cards:
        face = card.order
        counts[face] = counts.get(face, 0) + 1
        held += 1 << WIDTH * face  # the joker's field follows the faces'
        if card.rank is None or card.rank == wild_rank:
            wilds += 1
    return Problem(cards, wild_rank, rules, fold, counts, wilds, held + wilds * POOL_UNIT, costs(wild_rank, rules))


def less(given: Problem, card: Card) -> Problem:
    """The problem of the same hand without one copy of a card, grouped whole."""
    return _problem(without(given.cards, [card]), given.wild_rank, given.rules, False)

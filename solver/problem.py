"""One hand to group, as numbers: how often each face is held, how many wildcards, what is asked.

A multiset of cards of the hand is one integer: a field of bits for each face that the hand holds, its *slot*, so that "are
these cards still there" is a subtraction and a mask. The top bit of each field is a guard: it is set in `Problem.held` and
cleared by taking more than is there. Above the faces there is a field for the *pool*, which counts every wildcard: a card
of the wild rank that stands at its own place takes one from its face and one from the pool, a wildcard in another card's
place takes from the pool only. Slots are in the order of `FACES`, those of faces that can replace others after all the
rest. Thirteen faces and the pool take 46 bits: a number that compiled code keeps in a register.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import FACES, Card, Rank, in_order, without
from engine.rummy.arrangement import Kind
from engine.rummy.melds import KINDS
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import costs

MIN_HAND: Final = 7
MAX_HAND: Final = 26
MAX_COPIES: Final = 7  # of a face that is no joker
POOL_MASK: Final = 31
_POOL_GUARD: Final = 32

# A possible group as the search handles it: its place in the order of trying, what it takes from the hand, and how
# solver.gates reads it.
Option = tuple[int, int, int]
_KIND_SHIFT: Final = 10
_WILDS_SHIFT: Final = 5
_LOW: Final = 31


def promise(kind: int, wilds: int, size: int) -> int:
    """The order of trying: pure before impure before trio (places in `KINDS`), with few wildcards, long."""
    return kind << _KIND_SHIFT | wilds << _WILDS_SHIFT | _LOW - size


def kind_of(order: int) -> int:
    """The kind, a place in `KINDS`, of a group with this place in the order of trying."""
    return order >> _KIND_SHIFT


def wilds_of(order: int) -> int:
    """How many wildcards of any face it holds."""
    return order >> _WILDS_SHIFT & _LOW


class Candidate(NamedTuple):
    """One possible group. `need` is what it takes; `read` is the group as solver.gates reads it; `order` is its place in the
    order of trying; `first` is the lowest slot of its cards, behind all slots for one of wildcards alone. `cards` are the natural cards (and wildcards that must be just
    those), `wilds` how many wildcards of any face come with them, `gain` what its cards would cost loose."""

    need: int
    read: int
    order: int
    first: int
    kind: Kind
    size: int
    gain: int
    cards: tuple[Card, ...]
    wilds: int

    @property
    def option(self) -> Option:
        return self.order, self.need, self.read


class Problem:
    """A hand and its rules; never changed. `faces`, `counts`, `costs` and `units` hold by slot the face (a place in
    `FACES`), how often it is held, what one costs loose and what one takes; `slots` is by face, -1 where there is none. The
    first `plain` slots are those of faces that cannot replace others. `wilds` counts the wildcards; `fold` says that one card is to be let go."""

    def __init__(self, cards: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules, fold: bool) -> None:
        self.cards = cards
        self.wild_rank = wild_rank
        self.rules = rules
        self.fold = fold
        faces: list[int] = []
        able: list[int] = []
        for card in cards:
            if card.rank is None or card.rank == wild_rank:
                able.append(card.order)
            else:
                faces.append(card.order)
        self.wilds = len(able)
        self.faces: list[int] = []
        self.counts: list[int] = []
        self.plain = 0
        most = self._count(faces)
        self.plain = len(self.faces)
        most = max(most, self._count(able))
        self.width = most.bit_length() + 1
        self.copies = (1 << self.width - 1) - 1  # the mask of a field without its guard
        self.pool_shift = self.width * len(self.faces)
        self.pool_unit = 1 << self.pool_shift
        self.units: list[int] = []
        self.slots = [-1] * len(FACES)
        self.guards = _POOL_GUARD << self.pool_shift
        self.held = self.wilds << self.pool_shift
        shift = 0
        for slot, face in enumerate(self.faces):
            self.slots[face] = slot
            self.units.append(1 << shift if slot < self.plain else self.pool_unit + (1 << shift))
            self.guards += self.copies + 1 << shift
            self.held += self.counts[slot] << shift
            shift += self.width
        self.held += self.guards
        worth = costs(wild_rank, rules)
        self.costs = [worth[FACES[face]] for face in self.faces]

    def _count(self, faces: list[int]) -> int:
        """Give slots to faces, which are in order; the most copies of one."""
        most, last = 0, -1
        for face in faces:
            if face == last:
                self.counts[-1] += 1
            else:
                last = face
                self.faces.append(face)
                self.counts.append(1)
            most = max(most, self.counts[-1])
        return most

    def points(self) -> int:
        """What all cards cost loose."""
        total = 0
        for slot, count in enumerate(self.counts):
            total += count * self.costs[slot]
        return total

    def fits(self, need: int) -> bool:
        """Whether the hand holds what a group takes."""
        return (self.held - need) & self.guards == self.guards

    def pool(self, need: int) -> int:
        """How many wildcards a group takes, at its own place or another's."""
        return need >> self.pool_shift & POOL_MASK

    def taken(self, need: int) -> list[tuple[int, int]]:
        """The slots whose faces a group takes, and how often."""
        taken: list[tuple[int, int]] = []
        rest = need & self.pool_unit - 1
        while rest:
            slot = ((rest & -rest).bit_length() - 1) // self.width
            count = rest >> slot * self.width & self.copies
            taken.append((slot, count))
            rest -= count << slot * self.width
        return taken

    def candidate(self, option: Option) -> Candidate:
        """A possible group in full."""
        order, need, read = option
        taken = self.taken(need)
        cards: list[Card] = []
        gain = 0
        for slot, count in taken:
            gain += count * self.costs[slot]
            cards += [FACES[self.faces[slot]]] * count
        size = _LOW - (order & _LOW)
        first = taken[0][0] if taken else len(self.faces)
        return Candidate(need, read, order, first, KINDS[kind_of(order)], size, gain, in_order(cards), wilds_of(order))


def problem(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, *, fold: bool = False) -> Problem:
    """The instance for a hand; `fold`: one card of it is let go. The order of the cards does not matter.

    Raises ValueError for fewer than 7 or more than 26 cards, or more than seven copies of a face.
    """
    if not MIN_HAND <= len(hand) <= MAX_HAND:
        raise ValueError(f"a hand to group has {MIN_HAND} to {MAX_HAND} cards, this one has {len(hand)}")
    given = Problem(in_order(hand), wild_rank, rules, fold)
    if any(count > MAX_COPIES and FACES[given.faces[slot]].rank for slot, count in enumerate(given.counts)):
        raise ValueError(f"a hand to group holds at most {MAX_COPIES} copies of a face")
    return given


def less(given: Problem, card: Card) -> Problem:
    """The problem of the same hand without one copy of a card, grouped whole."""
    return Problem(without(given.cards, [card]), given.wild_rank, given.rules, False)

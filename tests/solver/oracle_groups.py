"""The brute force's groups: a hand of which it is settled what is natural and what is wild, and every group in it (rules.md §1.2).

Multisets of cards are packed into one integer, a field of `_WIDTH` bits a face, so that "is contained in" and "take away"
are one operation each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

from engine.cards import RANKS, SUITS, Card, Rank, Suit
from engine.rummy.rules import RummyRules

_WIDTH = 5  # room for counts up to 15, and a guard bit above them


@dataclass(frozen=True, slots=True)
class Reading:
    """A group in one of its readings: what it takes from the hand, how many cards, the points they would cost if loose."""

    kind: str  # "pure", "impure", "trio"
    takes: int
    size: int
    worth: int


def value(card: Card, wild_rank: Rank | None, rules: RummyRules) -> int:
    """What a loose card costs (§1.6)."""
    if card.rank is None or card.rank == wild_rank:
        return 0
    if card.rank == "A" and rules.ace_points is not None:
        return rules.ace_points
    return rules.points["A23456789TJQK".index(card.rank)]


def splits(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Iterator[Split]:
    """Every way to say of each card of the wild rank whether it is used as a natural card or as a wildcard (§1.1)."""
    held = Counter(hand)
    either = [card for card in held if card.rank is not None and card.rank == wild_rank]
    always_natural = Counter({card: n for card, n in held.items() if card.rank is not None and card.rank != wild_rank})
    always_wild = Counter({card: n for card, n in held.items() if card.rank is None})
    choices = [range(held[card] + 1) if rules.wild_at_own_place else (0,) for card in either]
    for natural in product(*choices):
        as_natural = Counter(dict(zip(either, natural, strict=True)))
        as_wild = Counter({card: held[card] for card in either}) - as_natural
        yield Split(always_natural + as_natural, always_wild + as_wild, wild_rank, rules)


class Split:
    """A hand of which it is settled what is natural and what is wild.

    Fields of the packed integers: each natural face; all wildcards; and for each suit the wildcards that are something
    else than the wild rank's card of that suit, because three cards of one face are no trio, even if one of them is
    called a wildcard. (A wildcard that may be any never needs to be one of those: by Hall's theorem the counts suffice.)
    """

    def __init__(
        self, naturals: Counter[Card], wilds: Counter[Card], wild_rank: Rank | None, rules: RummyRules
    ) -> None:
        self.naturals, self.wilds, self.wild_rank, self.rules = naturals, wilds, wild_rank, rules
        faces = sorted(naturals, key=lambda card: card.order)
        self.bit = {card: 1 << (_WIDTH * place) for place, card in enumerate(faces)}
        place = len(faces) * _WIDTH
        self.natural_mask = (1 << place) - 1
        self.a_wild, *others = (1 << (place + _WIDTH * i) for i in range(5))
        self.another: dict[Suit | None, int] = dict(zip(SUITS, others, strict=True))
        self.guards = sum(1 << (_WIDTH * i + _WIDTH - 1) for i in range(len(faces) + 5))
        self.full = sum(self.bit[card] * n for card, n in naturals.items())
        self.full += sum(self._as_wild(card) * n for card, n in wilds.items())
        self.readings = [*self._sequences(), *self._trios()]
        self.alone = [Reading("impure", size * self.a_wild, size, 0) for size in self._sizes_alone("impure_sequence")]
        self.with_lowest: dict[int, list[Reading]] = {bit: [] for bit in self.bit.values()}
        for reading in self.readings:
            self.with_lowest[self.lowest(reading.takes)].append(reading)

    def _sizes_alone(self, kind: str) -> Sequence[int]:
        """The sizes of groups of this kind that the hand's wildcards make without a natural card (§1.2)."""
        if self.rules.wildcards_alone != kind:
            return ()
        sizes = self.rules.trio_sizes if kind == "trio" else range(3, 14)
        return [size for size in sizes if size <= self.wilds.total()]

    def fewest_trios_alone(self, wilds: int) -> int | None:
        """Trios needed to group so many wildcards without a natural card; None if it cannot be done."""
        fewest: list[int | None] = [0]
        for number in range(1, wilds + 1):
            before = [fewest[number - one.size] for one in self.alone if one.size <= number]
            before += [
                known + 1
                for size in self._sizes_alone("trio")
                if size <= number and (known := fewest[number - size]) is not None
            ]
            fewest.append(min((known for known in before if known is not None), default=None))
        return fewest[wilds]

    def _as_wild(self, card: Card) -> int:
        return self.a_wild + sum(bit for suit, bit in self.another.items() if suit != card.suit)

    def parts_of(self, card: Card) -> list[int]:
        """What leaves the packed hand with one card of this face: its natural copy, or the one that is wild."""
        natural = [self.bit[card]] if card in self.naturals else []
        return natural + ([self._as_wild(card)] if self.wilds[card] else [])

    def lowest(self, packed: int) -> int:
        """One card of the lowest natural face in it."""
        low = packed & -packed
        return 1 << ((low.bit_length() - 1) // _WIDTH * _WIDTH)

    def wilds_in(self, packed: int) -> int:
        return packed // self.a_wild % (1 << _WIDTH)

    def fits(self, takes: int, rest: int) -> bool:
        return ((rest | self.guards) - takes) & self.guards == self.guards

    def _made(self, kind: str, cards: Sequence[Card], wilds: int, extra: int = 0) -> Reading:
        takes = sum(self.bit[card] for card in cards) + wilds * self.a_wild + extra
        return Reading(kind, takes, len(cards) + wilds, sum(value(card, self.wild_rank, self.rules) for card in cards))

    def _sequences(self) -> Iterator[Reading]:
        """Runs of 3 to 13 in one suit, ace low or high, and triples (§1.2)."""
        fillings: set[tuple[tuple[Card, ...], int]] = set()
        for suit in SUITS:
            run = [Card(rank + suit) for rank in (*RANKS, "A")]
            for low in range(12):
                for high in range(low + 3, min(low + 13, 14) + 1):
                    fillings.update(self._fillings(run[low:high]))
        for cards, wilds in fillings:
            yield self._made("impure" if wilds else "pure", cards, wilds)
        if self.rules.triple_is_pure_sequence:
            for card, copies in self.naturals.items():
                if copies >= 3:
                    yield self._made("pure", (card,) * 3, 0)

    def _fillings(self, window: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], int]]:
        """The natural cards of a run and the number of its wildcards, wherever these stand."""
        held = [card for card in window if card in self.naturals]
        most = self.wilds.total()
        if self.rules.max_wilds_per_sequence is not None:
            most = min(most, self.rules.max_wilds_per_sequence)
        for naturals in range(len(held), max(len(window) - most, 1) - 1, -1):
            wilds = len(window) - naturals
            if wilds == 0 or naturals >= self.rules.min_naturals_per_sequence:
                for cards in combinations(held, naturals):
                    yield cards, wilds

    def _trios(self) -> Iterator[Reading]:
        """Cards of one rank (§1.2)."""
        rules = self.rules
        for rank in RANKS:
            faces = [card for card in self.naturals if card.rank == rank]
            pick = combinations if rules.trio_suits_distinct else combinations_with_replacement
            for size in rules.trio_sizes:
                most = self.wilds.total() if rules.max_wilds_per_trio is None else rules.max_wilds_per_trio
                for wilds in range(min(most, size - 1, self.wilds.total()) + 1):
                    for cards in pick(faces, size - wilds):
                        held = all(n <= self.naturals[card] for card, n in Counter(cards).items())
                        one_face = len(set(cards)) == 1
                        if held and (wilds or not one_face):
                            own_face = one_face and rank == self.wild_rank
                            yield self._made("trio", cards, wilds, self.another[cards[0].suit] if own_face else 0)

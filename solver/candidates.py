"""Every group that could be part of an answer, and no other.

A candidate is a set of natural cards and a number of wildcards, not a layout: where in a run the wildcards stand does
not matter to anything, so a run with a wildcard at either end is one candidate. There are two lists. *Exact* candidates
say how many wildcards a group holds in every number that can matter, for a declaration must place all of them; *lean*
candidates hold the fewest that make a group, for points, where a wildcard left over costs nothing.

Left out, without loss (tests/solver/test_candidates.py holds each against the full set):

- Runs of six or more. Cut one into two runs of three or more: both are sequences (an impure one leaves a natural card
  on either side of some cut, for its wildcards may slide along it), and no gate of rules.md §1.6 is closed by having
  one sequence more. Where a declaration's `opening_cards` ask for more than six cards, runs shorter than the least sum
  stay whole: a run P as long as that cuts into a pair which meets the sum by itself, and of another one Q three cards
  can be cut off, for what is left still meets it together with P. A run with one natural card cannot be cut, and where
  `min_naturals_per_sequence` is above one, a half may have too few: those stay.
- Wildcards beyond the need, in the lean list: taking one out of a group leaves a group of the same kind.
- Trios of wildcards alone, in the lean list: they spare no points and open no gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Rank
from engine.rummy.arrangement import Kind
from engine.rummy.melds import MAX_SEQUENCE, read_as
from engine.rummy.rules import MIN_GROUP, RummyRules
from engine.rummy.scoring import card_points
from solver.gates import symbol
from solver.problem import JOKER_UNIT, MAX_COPIES, POOL_UNIT, Problem, unit

_SPLIT = 2 * MIN_GROUP  # from this length on a run can be cut in two
_RANK_COUNT = len(RANKS)
_SUIT_BITS = 3  # of how often a rank is held in each suit
_ONE_CARD = frozenset(1 << _SUIT_BITS * suit for suit in range(len(SUITS)))


class Candidate(NamedTuple):
    """One possible group. `need` is what it takes, packed as in solver.problem; `read` is the group as solver.gates reads
    it; `first` is the lowest face of its cards. `cards` are the natural cards (and wildcards that must be just those),
    `wilds` how many wildcards of any face come with them, `gain` what its cards would cost loose."""

    need: int
    read: int
    first: int
    kind: Kind
    size: int
    gain: int
    cards: tuple[Card, ...]
    wilds: int


class Choices:
    """One list of candidates. `cover` has a bit in the field of each face that some candidate takes."""

    __slots__ = ("_tables", "cover")

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self.cover = 0
        for table in tables:
            self.cover |= table.cover

    def by_first(self) -> dict[int, tuple[Candidate, ...]]:
        """The candidates by their lowest face."""
        groups: dict[int, tuple[Candidate, ...]] = {}
        for table in self._tables:
            for first, some in table.by_first:
                groups[first] = groups[first] + some if first in groups else some
        return groups

    def __iter__(self) -> Iterator[Candidate]:
        return chain.from_iterable(self.by_first().values())


class Candidates(NamedTuple):
    """The two lists: see the head of this module."""

    exact: Choices
    lean: Choices


def candidates(given: Problem) -> Candidates:
    """All candidates of a problem, in an order that depends only on which cards it holds."""
    wild_rank, wilds = given.wild_rank, given.wilds
    catalogue = _catalogue(given.rules)
    natural_wilds = given.rules.wild_at_own_place
    rings = [0, 0, 0, 0]  # the ranks at hand of each suit, the ace at both ends
    copies: dict[int, int] = {}
    tables = []
    for face, count in given.counts.items():
        if face == JOKER.order or (not natural_wilds and given.is_wild(face)):
            continue
        suit, rank = divmod(face, _RANK_COUNT)
        rings[suit] |= 1 << rank if rank else 1 | 1 << _RANK_COUNT
        copies[rank] = copies.get(rank, 0) + (count << _SUIT_BITS * suit)
        if count >= MIN_GROUP and catalogue.triples:
            tables.append(catalogue.triple(face, wild_rank))
    able, few = min(wilds, catalogue.most_wilds), min(wilds, catalogue.most_wilds, catalogue.longest - 2)
    own = 0 if wild_rank is None else catalogue.rings[wild_rank]
    for suit, ring in enumerate(rings):
        rest, start = ring, 0
        while rest and start < _RANK_COUNT:
            if rest & 1:
                near = rest & catalogue.window
                if near > 1:
                    tables.append(catalogue.runs(suit, start, near, few, wild_rank if near << start & own else None))
                if able > 1:
                    tables.append(catalogue.lone(suit, start, able, wild_rank if 1 << start & own else None))
            rest >>= 1
            start += 1
    able = min(wilds, catalogue.most_trio_wilds)
    for rank, counts in copies.items():
        if RANKS[rank] == wild_rank:
            if wilds > catalogue.most_missing:
                tables.append(catalogue.wild_trios(counts, given.counts.get(JOKER.order, 0), wild_rank))
        elif counts not in _ONE_CARD or able >= catalogue.most_missing:
            tables.append(catalogue.trios(rank, counts, able))
    return Candidates(Choices([exact for exact, _ in tables]), Choices([lean for _, lean in tables]))


class Table:
    """Candidates made once: grouped by lowest face, with what they cover."""

    __slots__ = ("by_first", "cover")

    def __init__(self, some: Sequence[Candidate]) -> None:
        groups: dict[int, list[Candidate]] = {}
        self.cover = 0
        for one in some:
            groups.setdefault(one.first, []).append(one)
            self.cover |= one.need
        self.by_first = tuple((first, tuple(group)) for first, group in groups.items())


Tables = tuple[Table, Table]  # exact and lean


class _Catalogue:
    """The candidates under one set of rules, made in small tables when they are first wanted and kept while in use."""

    def __init__(self, rules: RummyRules, size: int = 4096) -> None:
        self.rules = rules
        self.runs = lru_cache(size)(self._runs)
        self.lone = lru_cache(size)(self._lone)
        self.trios = lru_cache(size)(self._trios)
        self.wild_trios = lru_cache(size)(self._wild_trios)
        self.triple = lru_cache(size)(self._triple)
        self.triples = rules.triple_is_pure_sequence
        self.most_wilds = rules.max_wilds_per_sequence or MAX_SEQUENCE
        self.most_trio_wilds = MAX_SEQUENCE if rules.max_wilds_per_trio is None else rules.max_wilds_per_trio
        self.most_missing = rules.trio_sizes[0] - 1  # wildcards that make a trio of one natural card
        self.uncut = rules.min_naturals_per_sequence > 1  # there are impure runs that cannot be cut
        least = rules.opening_cards[0] if rules.opening_cards else _SPLIT
        self.exact_length = max(_SPLIT, least) - 1
        self.lean_length = _SPLIT - 1
        self.longest = MAX_SEQUENCE if self.uncut else self.exact_length
        self.window = (1 << self.longest) - 1
        self.rings = {rank: 1 << place | (place == 0) << _RANK_COUNT for place, rank in enumerate(RANKS)}

    def _triple(self, face: int, wild_rank: Rank | None) -> Tables:
        table = Table([make("pure_sequence", (FACES[face],) * 3, 0, wild_rank)])
        return table, table

    def _lone(self, suit: int, start: int, wilds: int, wild_rank: Rank | None) -> Tables:
        """The sequences of one natural card."""
        cards = (FACES[suit * _RANK_COUNT + start],)
        most = min(wilds, MAX_SEQUENCE - 1) if self.rules.min_naturals_per_sequence == 1 else 0
        made = [make("impure_sequence", cards, number, wild_rank) for number in range(MIN_GROUP - 1, most + 1)]
        return Table(made), Table(made[:1])

    def _runs(self, suit: int, start: int, near: int, wilds: int, wild_rank: Rank | None) -> Tables:
        """The sequences of one suit whose first of two or more natural cards is at `start`; `near` holds the ranks from
        there on."""
        exact: list[Candidate] = []
        lean: list[Candidate] = []
        for places in _place_sets(start, near, wilds):
            natural, gaps = len(places), places[-1] - start + 1 - len(places)
            cards = tuple(FACES[suit * _RANK_COUNT + place % _RANK_COUNT] for place in places)
            if not gaps and MIN_GROUP <= natural <= self.exact_length:
                exact.append(make("pure_sequence", cards, 0, wild_rank))
                if natural <= self.lean_length:
                    lean.append(exact[-1])
            if natural < max(2, self.rules.min_naturals_per_sequence):
                continue
            fewest = max(gaps, MIN_GROUP - natural, 1)
            for number in range(fewest, min(wilds, self.longest - natural) + 1):
                exact.append(make("impure_sequence", cards, number, wild_rank))
                if number == fewest and (self.uncut or natural + number <= self.lean_length):
                    lean.append(exact[-1])
        return Table(exact), Table(lean)

    def _trios(self, rank: int, counts: int, wilds: int) -> Tables:
        """The trios of a rank that is not wild, held as often in each suit as the fields of `counts` say."""
        exact, lean = [], []
        sizes = self.rules.trio_sizes
        copies = 1 if self.rules.trio_suits_distinct else MAX_COPIES
        ranges = [range(min(count, copies) + 1) for count in _by_suit(counts)]
        for chosen in product(*ranges):
            natural = sum(chosen)
            if not natural or natural > sizes[-1]:
                continue
            fewest = int(max(chosen) == natural)  # cards of one face alone are no trio
            cards = tuple(FACES[suit * _RANK_COUNT + rank] for suit, count in enumerate(chosen) for _ in range(count))
            made = [
                make("trio", cards, size - natural, None) for size in sizes if fewest <= size - natural <= wilds
            ]  # fmt: skip
            exact.extend(made)
            lean.extend(made[:1])
        return Table(exact), Table(lean)

    def _wild_trios(self, counts: int, jokers: int, wild_rank: Rank) -> Tables:
        """The trios of the wild rank: which of its cards stand for themselves is for the rules to say, so that each is
        made of cards and printed jokers, not of wildcards of any face."""
        exact = []
        faces = (*(Card(f"{wild_rank}{suit}") for suit in SUITS), JOKER)
        for chosen in product(*(range(count + 1) for count in (*_by_suit(counts), jokers))):
            if sum(chosen) in self.rules.trio_sizes:
                cards = tuple(face for face, count in zip(faces, chosen, strict=True) for _ in range(count))
                if read_as("trio", cards, wild_rank, self.rules):
                    exact.append(make("trio", cards, 0, wild_rank))
        return Table(exact), Table([])


@lru_cache(8)
def _catalogue(rules: RummyRules) -> _Catalogue:
    return _Catalogue(rules)


def _by_suit(counts: int) -> tuple[int, ...]:
    return tuple(counts >> _SUIT_BITS * suit & MAX_COPIES for suit in range(len(SUITS)))


def _place_sets(start: int, near: int, most_gaps: int) -> Iterator[tuple[int, ...]]:
    """The sets of held places, `start` the first of them, with at most so many gaps between them."""
    stack: list[tuple[tuple[int, ...], int]] = [((start,), most_gaps)]
    while stack:
        places, gaps = stack.pop()
        yield places
        last = places[-1]
        stack.extend(
            ((*places, place), gaps - (place - last - 1))
            for place in range(last + 1, last + gaps + 2)
            if near >> place - start & 1
        )


def make(kind: Kind, cards: tuple[Card, ...], wilds: int, wild_rank: Rank | None) -> Candidate:
    """The candidate of these cards and so many wildcards of any face."""
    need, gain, first = wilds * POOL_UNIT, 0, JOKER.order
    for card in cards:
        need += JOKER_UNIT if card.is_joker else unit(card.order)
        if card.is_joker or card.rank == wild_rank:
            need += POOL_UNIT
        else:
            gain += card_points(card, wild_rank)
        first = min(first, card.order)
    size = len(cards) + wilds
    return Candidate(need, symbol(kind, size), first, kind, size, gain, cards, wilds)

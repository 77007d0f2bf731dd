"""The candidates under one set of rules, made in small tables when they are first wanted and kept while in use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Rank
from engine.rummy.arrangement import Kind
from engine.rummy.melds import MAX_SEQUENCE, is_wild, read_as
from engine.rummy.rules import MIN_GROUP, RummyRules
from engine.rummy.scoring import costs
from solver.gates import KIND_ROOM, kind_bit, symbol
from solver.problem import JOKER_UNIT, MAX_COPIES, POOL_UNIT, unit

_SPLIT = 2 * MIN_GROUP  # from this length on a run can be cut in two
RANK_COUNT = len(RANKS)
SUIT_BITS = 3  # of how often a rank is held in each suit
ONE_CARD = frozenset(1 << SUIT_BITS * suit for suit in range(len(SUITS)))


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


def promise(one: Candidate) -> tuple[int, int, int]:
    """The order of trying: pure before impure, with few wildcards, long."""
    return one.read // KIND_ROOM, one.wilds, -one.size


class Table:
    """Candidates made once: grouped by lowest face, with what they cover and of which kinds they are."""

    __slots__ = ("by_first", "cover", "kinds")

    def __init__(self, some: Sequence[Candidate]) -> None:
        groups: dict[int, list[Candidate]] = {}
        self.cover = self.kinds = 0
        for one in sorted(some, key=promise):
            groups.setdefault(one.first, []).append(one)
            self.cover |= one.need
            self.kinds |= kind_bit(one.kind)
        self.by_first = tuple((first, tuple(group)) for first, group in groups.items())


Tables = tuple[Table, Table]  # exact and lean


class Catalogue:
    """The candidates under one set of rules, made table by table; each table is a cached method."""

    def __init__(self, rules: RummyRules, size: int = 4096) -> None:
        self.rules = rules
        self.runs = lru_cache(size)(self._runs)
        self.lone = lru_cache(size)(self._lone)
        self.trios = lru_cache(size)(self._trios)
        self.wild_trios = lru_cache(size)(self._wild_trios)
        self.triple = lru_cache(size)(self._triple)
        self.alone = lru_cache(size)(self._alone)
        self.triples = rules.triple_is_pure_sequence
        self.most_wilds = rules.max_wilds_per_sequence or MAX_SEQUENCE
        self.most_trio_wilds = MAX_SEQUENCE if rules.max_wilds_per_trio is None else rules.max_wilds_per_trio
        self.most_missing = rules.trio_sizes[0] - 1  # wildcards that make a trio of one natural card
        self.uncut = rules.min_naturals_per_sequence > 1  # there are impure runs that cannot be cut
        self.lean_length = _SPLIT - 1
        self.least_opening, most_opening = rules.opening_cards or (0, 0)
        self.most_in_pair = most_opening - MIN_GROUP
        self.exact_length = max(self.lean_length, min(self.least_opening - 1, self.most_in_pair))
        self.longest = MAX_SEQUENCE if self.uncut else self.exact_length
        self.window = (1 << self.longest) - 1
        self.rings = {rank: 1 << place | (place == 0) << RANK_COUNT for place, rank in enumerate(RANKS)}

    def _triple(self, face: int, wild_rank: Rank | None) -> Tables:
        table = Table([self._make("pure_sequence", (FACES[face],) * 3, 0, wild_rank)])
        return table, table

    def _lone(self, suit: int, start: int, wilds: int, wild_rank: Rank | None) -> Tables:
        """The sequences of one natural card."""
        cards = (FACES[suit * RANK_COUNT + start],)
        most = min(wilds, MAX_SEQUENCE - 1) if self.rules.min_naturals_per_sequence == 1 else 0
        made = [self._make("impure_sequence", cards, number, wild_rank) for number in range(MIN_GROUP - 1, most + 1)]
        return Table(made), Table(made[:1])

    def _runs(self, suit: int, start: int, near: int, wilds: int, wild_rank: Rank | None) -> Tables:
        """The sequences of one suit whose first of two or more natural cards is at `start`; `near` holds the ranks from
        there on."""
        exact: list[Candidate] = []
        lean: list[Candidate] = []
        for places in _place_sets(start, near, wilds):
            natural, gaps = len(places), places[-1] - start + 1 - len(places)
            cards = tuple(FACES[suit * RANK_COUNT + place % RANK_COUNT] for place in places)
            if not gaps and MIN_GROUP <= natural <= self.exact_length:
                exact.append(self._make("pure_sequence", cards, 0, wild_rank))
                if natural <= self.lean_length:
                    lean.append(exact[-1])
            if natural < max(2, self.rules.min_naturals_per_sequence):
                continue
            fewest = max(gaps, MIN_GROUP - natural, 1)
            for number in range(fewest, min(wilds, self.longest - natural) + 1):
                made, size = self._make("impure_sequence", cards, number, wild_rank), natural + number
                piece = self.least_opening - MIN_GROUP if size <= self.most_in_pair else MIN_GROUP
                if size <= self.exact_length or (self.uncut and not self._cut(places, number, piece)):
                    exact.append(made)
                if number == fewest and (
                    size <= self.lean_length or (self.uncut and not self._cut(places, number, MIN_GROUP))
                ):
                    lean.append(made)
        return Table(exact), Table(lean)

    def _cut(self, places: Sequence[int], wilds: int, piece: int) -> bool:
        """Whether an impure run can be cut into two sequences of which one has so many cards or more."""
        enough = self.rules.min_naturals_per_sequence
        for left in range(1, len(places)):
            right = len(places) - left
            gaps, more = places[left - 1] - places[0] + 1 - left, places[-1] - places[left] + 1 - right
            for number in range(gaps, wilds - more + 1):
                rest = wilds - number
                if (
                    (left >= enough if number else left >= MIN_GROUP)
                    and (right >= enough if rest else right >= MIN_GROUP)
                    and min(left + number, right + rest) >= MIN_GROUP
                    and max(left + number, right + rest) >= piece
                ):
                    return True
        return False

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
            cards = tuple(FACES[suit * RANK_COUNT + rank] for suit, count in enumerate(chosen) for _ in range(count))
            made = [
                self._make("trio", cards, size - natural, None) for size in sizes if fewest <= size - natural <= wilds
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
                    exact.append(self._make("trio", cards, 0, wild_rank))
        return Table(exact), Table([])

    def _alone(self, wilds: int) -> Tables:
        """The groups of so many wildcards or fewer without a natural card. For points one impure sequence of the fewest is enough:
        it spares none, and no gate asks for two."""
        kind = self.rules.wildcards_alone
        if kind == "trio":
            return Table(
                [self._make("trio", (), size, None) for size in self.rules.trio_sizes if size <= wilds]
            ), Table([])
        if kind == "none":
            return Table([]), Table([])
        made = [
            self._make("impure_sequence", (), size, None) for size in range(MIN_GROUP, min(wilds, MAX_SEQUENCE) + 1)
        ]
        return Table(made), Table(made[:1])

    def _make(self, kind: Kind, cards: tuple[Card, ...], wilds: int, wild_rank: Rank | None) -> Candidate:
        return make(kind, cards, wilds, wild_rank, self.rules)


@lru_cache(8)
def catalogue_of(rules: RummyRules) -> Catalogue:
    return Catalogue(rules)


def _by_suit(counts: int) -> tuple[int, ...]:
    return tuple(counts >> SUIT_BITS * suit & MAX_COPIES for suit in range(len(SUITS)))


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


def make(kind: Kind, cards: tuple[Card, ...], wilds: int, wild_rank: Rank | None, rules: RummyRules) -> Candidate:
    """The candidate of these cards and so many wildcards of any face. One of wildcards alone has the joker as its lowest face."""
    worth = costs(wild_rank, rules)
    need, gain = wilds * POOL_UNIT, 0
    for card in cards:
        need += JOKER_UNIT if card.is_joker else unit(card.order)
        if card.is_joker or card.rank == wild_rank:
            need += POOL_UNIT
        else:
            gain += worth[card]
    first = min(cards, key=lambda card: (is_wild(card, wild_rank), card.order), default=JOKER).order
    size = len(cards) + wilds
    return Candidate(need, symbol(kind, size), first, kind, size, gain, cards, wilds)

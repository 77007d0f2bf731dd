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

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Rank
from engine.rummy.arrangement import Kind
from engine.rummy.melds import MAX_SEQUENCE, read_as
from engine.rummy.rules import MIN_GROUP, RummyRules
from engine.rummy.scoring import card_points
from solver.problem import JOKER_UNIT, POOL_UNIT, Problem, unit

_SPLIT = 2 * MIN_GROUP  # from this length on a run can be cut in two
_RANK_COUNT = len(RANKS)


class Candidate(NamedTuple):
    """One possible group. `need` is what it takes, packed as in solver.problem; `cards` are the natural cards (and
    wildcards that must be just those), `wilds` how many wildcards of any face come with them; `first` is the lowest
    face of `cards`, `gain` what its cards would cost loose."""

    need: int
    first: int
    kind: Kind
    size: int
    gain: int
    cards: tuple[Card, ...]
    wilds: int


class Candidates(NamedTuple):
    """The two lists: see the head of this module."""

    exact: tuple[Candidate, ...]
    lean: tuple[Candidate, ...]


def candidates(given: Problem) -> Candidates:
    """All candidates of a problem, in an order that depends only on which cards it holds."""
    rules, wild_rank = given.rules, given.wild_rank
    catalogue = _catalogue(rules)
    masks = [0, 0, 0, 0]
    copies: dict[int, list[int]] = {}
    tables: list[Candidates] = []
    for face, count in given.counts.items():
        if face == JOKER.order or (not rules.wild_at_own_place and given.is_wild(face)):
            continue
        suit, rank = divmod(face, _RANK_COUNT)
        masks[suit] |= 1 << rank
        copies.setdefault(rank, [0, 0, 0, 0])[suit] = count
        if count >= MIN_GROUP and rules.triple_is_pure_sequence:
            tables.append(catalogue.triple(face, wild_rank))
    for suit, mask in enumerate(masks):
        if mask:
            tables.append(catalogue.sequences(suit, mask, wild_rank, given.wilds))
    for rank, counts in copies.items():
        if RANKS[rank] == wild_rank:
            tables.append(catalogue.wild_trios(tuple(counts), given.counts.get(JOKER.order, 0), wild_rank))
        else:
            tables.append(catalogue.trios(rank, tuple(counts), given.wilds))
    return Candidates(
        tuple(one for table in tables for one in table.exact), tuple(one for table in tables for one in table.lean)
    )


class _Catalogue:
    """The candidates of one suit or rank under one set of rules, each made once and kept while it is in use."""

    def __init__(self, rules: RummyRules, size: int = 4096) -> None:
        self.rules = rules
        self.sequences = lru_cache(size)(self._sequences)
        self.trios = lru_cache(size)(self._trios)
        self.wild_trios = lru_cache(size)(self._wild_trios)
        self.triple = lru_cache(size)(self._triple)
        self.most_wilds = rules.max_wilds_per_sequence or MAX_SEQUENCE
        least = rules.opening_cards[0] if rules.opening_cards else _SPLIT
        self.exact_length = max(_SPLIT, least) - 1
        self.lean_length = _SPLIT - 1

    def _triple(self, face: int, wild_rank: Rank | None) -> Candidates:
        one = (_candidate("pure_sequence", (FACES[face],) * 3, 0, wild_rank),)
        return Candidates(one, one)

    def _sequences(self, suit: int, mask: int, wild_rank: Rank | None, wilds: int) -> Candidates:
        """The sequences of one suit, of which `mask` holds the ranks at hand."""
        exact: list[Candidate] = []
        lean: list[Candidate] = []
        rules = self.rules
        uncut = rules.min_naturals_per_sequence > 1  # impure runs that cannot be cut
        longest = MAX_SEQUENCE if uncut else self.exact_length
        for places in _place_sets(mask, max(longest, self.exact_length), min(wilds, self.most_wilds)):
            natural, gaps = len(places), places[-1] - places[0] + 1 - len(places)
            cards = tuple(FACES[suit * _RANK_COUNT + place % _RANK_COUNT] for place in places)
            if not gaps and MIN_GROUP <= natural <= self.exact_length:
                exact.append(_candidate("pure_sequence", cards, 0, wild_rank))
                if natural <= self.lean_length:
                    lean.append(exact[-1])
            if natural < rules.min_naturals_per_sequence:
                continue
            fewest = max(gaps, MIN_GROUP - natural, 1)
            most = min(wilds, self.most_wilds, (MAX_SEQUENCE if natural == 1 else longest) - natural)
            for number in range(fewest, most + 1):
                exact.append(_candidate("impure_sequence", cards, number, wild_rank))
                if number == fewest and (uncut or natural + number <= self.lean_length):
                    lean.append(exact[-1])
        return Candidates(tuple(exact), tuple(lean))

    def _trios(self, rank: int, counts: tuple[int, ...], wilds: int) -> Candidates:
        """The trios of a rank that is not wild, held as often in each suit as `counts` says."""
        exact, lean = [], []
        sizes, limit = self.rules.trio_sizes, self.rules.max_wilds_per_trio
        most = wilds if limit is None else min(wilds, limit)
        ranges = [range(min(count, 1 if self.rules.trio_suits_distinct else count) + 1) for count in counts]
        for chosen in product(*ranges):
            natural = sum(chosen)
            if not natural or natural > sizes[-1] or (natural >= 3 and max(chosen) == natural):
                continue
            cards = tuple(FACES[suit * _RANK_COUNT + rank] for suit, count in enumerate(chosen) for _ in range(count))
            made = [
                _candidate("trio", cards, size - natural, None) for size in sizes if 0 <= size - natural <= most
            ]  # fmt: skip
            exact.extend(made)
            lean.extend(made[:1])
        return Candidates(tuple(exact), tuple(lean))

    def _wild_trios(self, counts: tuple[int, ...], jokers: int, wild_rank: Rank) -> Candidates:
        """The trios of the wild rank: which of its cards stand for themselves is for the rules to say, so that each is
        made of cards and printed jokers, not of wildcards of any face."""
        exact = []
        faces = (*(Card(f"{wild_rank}{suit}") for suit in SUITS), JOKER)
        for chosen in product(*(range(count + 1) for count in (*counts, jokers))):
            if sum(chosen) in self.rules.trio_sizes:
                cards = tuple(face for face, count in zip(faces, chosen, strict=True) for _ in range(count))
                if read_as("trio", cards, wild_rank, self.rules):
                    exact.append(_candidate("trio", cards, 0, wild_rank))
        return Candidates(tuple(exact), ())


@lru_cache(32)
def _catalogue(rules: RummyRules) -> _Catalogue:
    return _Catalogue(rules)


def _place_sets(mask: int, longest: int, most_gaps: int) -> Iterator[tuple[int, ...]]:
    """The sets of held places that fit into a run of `longest` with at most so many gaps; the ace is low and high."""
    ring = mask | (mask & 1) << _RANK_COUNT
    for start in range(_RANK_COUNT):
        if not ring >> start & 1:
            continue
        stack: list[tuple[tuple[int, ...], int]] = [((start,), most_gaps)]
        while stack:
            places, gaps = stack.pop()
            yield places
            end = min(start + longest, _RANK_COUNT + 1, places[-1] + gaps + 2)
            stack.extend(
                ((*places, place), gaps - (place - places[-1] - 1))
                for place in range(places[-1] + 1, end)
                if ring >> place & 1
            )


def _candidate(kind: Kind, cards: tuple[Card, ...], wilds: int, wild_rank: Rank | None) -> Candidate:
    need = wilds * POOL_UNIT
    for card in cards:
        need += JOKER_UNIT if card.is_joker else unit(card.order)
        if card.is_joker or card.rank == wild_rank:
            need += POOL_UNIT
    gain = sum(card_points(card, wild_rank) for card in cards)
    return Candidate(need, min(card.order for card in cards), kind, len(cards) + wilds, gain, cards, wilds)

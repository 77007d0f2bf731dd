"""Every group that could be part of an answer, and no other.

A candidate is a set of natural cards and a number of wildcards, not a layout: where in a run the wildcards stand does
not matter to anything, so a run with a wildcard at either end is one candidate. There are two lists. *Exact* candidates
say how many wildcards a group holds in every number that can matter, for a declaration must place all of them; *lean*
candidates hold the fewest that make a group, for points, where a wildcard left over costs nothing.

Left out, without loss (tests/solver/test_candidates.py holds each against the full set):

- Runs of six or more that can be cut into two sequences, for no gate of rules.md §1.6 is closed by having one sequence
  more. Where the rules ask for one natural card, every run with two can be: an impure one leaves a natural card on either
  side of some cut, for its wildcards may slide along it. Where they ask for more, `Catalogue` looks for a cut: each side
  has natural cards enough, or is pure. A run with one natural card cannot be cut.
  What a declaration's `opening_cards` ask of a pair, from the least sum to the most, must not be lost. A run so long that
  it leaves no group of three room within the most is in no such pair. One as long as the least is not missed: if it is
  pure, its parts meet the sum together; if not, the pair's other run still meets it together with a part of the least
  less three cards or more. All others stay whole.
- Wildcards beyond the need, in the lean list: taking one out of a group leaves a group of the same kind.
- Trios of wildcards alone, in the lean list: they spare no points and open no gate.
- All of the lean list, where groups of the kinds in it can never count: a hand without a pure sequence under
  `no_pure_all_loose`, say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from engine.cards import JOKER, RANKS
from engine.rummy.rules import MIN_GROUP
from solver.catalogue import ONE_CARD, RANK_COUNT, SUIT_BITS, Candidate, Table, catalogue_of
from solver.gates import scoring_gates
from solver.problem import Problem


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
    catalogue = catalogue_of(given.rules)
    natural_wilds = given.rules.wild_at_own_place
    rings = [0, 0, 0, 0]  # the ranks at hand of each suit, the ace at both ends
    copies: dict[int, int] = {}
    tables = []
    for face, count in given.counts.items():
        if face == JOKER.order or (not natural_wilds and given.is_wild(face)):
            continue
        suit, rank = divmod(face, RANK_COUNT)
        rings[suit] |= 1 << rank if rank else 1 | 1 << RANK_COUNT
        copies[rank] = copies.get(rank, 0) + (count << SUIT_BITS * suit)
        if count >= MIN_GROUP and catalogue.triples:
            tables.append(catalogue.triple(face, wild_rank))
    able, few = min(wilds, catalogue.most_wilds), min(wilds, catalogue.most_wilds, catalogue.longest - 2)
    own = 0 if wild_rank is None else catalogue.rings[wild_rank]
    for suit, ring in enumerate(rings):
        rest, start = ring, 0
        while rest and start < RANK_COUNT:
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
        elif counts not in ONE_CARD or able >= catalogue.most_missing:
            tables.append(catalogue.trios(rank, counts, able))
    if given.rules.wildcards_alone != "none":
        tables.append(catalogue.alone(wilds))
    kinds = 0
    for _, lean in tables:
        kinds |= lean.kinds
    counting = scoring_gates(given.rules).opens(kinds)
    return Candidates(Choices([exact for exact, _ in tables]), Choices([lean for _, lean in tables if counting]))

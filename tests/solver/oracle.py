"""What a hand is worth, by brute force: the judge of the solver, written from rules.md §1.2, §1.3 and §1.6 alone.

It shares no code with the solver, nor with the engine's groups and scores. The idea: settle first which cards of the wild
rank are used as natural cards; then natural cards are natural, wildcards are (almost) alike, and every set of disjoint
groups is tried, each group in each of its readings. What the gates ask is judged at the end, on the whole set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.rummy.rules import RummyRules
from tests.solver.oracle_groups import Split, splits, value

_NEVER = 99


@dataclass(frozen=True, slots=True)
class Answer:
    """What a hand costs its loser, before and after the cap, and whether it can be declared as it is: two questions that
    are answered without a look at each other. `loose`: the points of its loose cards; another number than `points` where
    the full count is charged for want of a pure sequence (§1.6), which is `full`."""

    points: int
    capped: int
    declarable: bool
    loose: int
    full: bool = False


def solve(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Answer:
    """The answer for up to 14 cards, none of which is let go."""
    searches = [_Search(split, rules) for split in splits(hand, wild_rank, rules)]
    return _answer(hand, wild_rank, rules, [(search, search.split.full) for search in searches])


def discards(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> dict[Card, Answer]:
    """For each face of the hand, the answer for the hand without one such card."""
    searches = [_Search(split, rules) for split in splits(hand, wild_rank, rules)]
    answers = {}
    for card in dict.fromkeys(hand):
        rest = list(hand)
        rest.remove(card)
        starts = [(search, search.split.full - part) for search in searches for part in search.split.parts_of(card)]
        answers[card] = _answer(rest, wild_rank, rules, starts)
    return answers


def _answer(
    hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules, starts: Sequence[tuple[_Search, int]]
) -> Answer:
    flat, loose = rules.full_count_without_pure, sum(value(card, wild_rank, rules) for card in hand)
    covered = [search.most_covered(start) for search, start in starts]
    full = flat is not None and all(most is None for most in covered)
    if not full:
        loose -= max(most for most in covered if most is not None)
    points = loose if flat is None or not full else flat
    capped = points if rules.points_cap is None else min(points, rules.points_cap)
    return Answer(points, capped, any(search.declarable(start) for search, start in starts), loose, full)


class _Search:
    """Every set of disjoint groups of one split hand, remembered by what is left of it."""

    def __init__(self, split: Split, rules: RummyRules) -> None:
        self.split, self.rules = split, rules
        self.covered: dict[int, dict[tuple[int, int, int], int]] = {}
        self.trios_to_cover: dict[int, int] = {}

    def most_covered(self, start: int) -> int | None:
        """The most points that a set of groups takes off the hand, all of them counting (§1.6); where the full count is
        charged without a pure sequence, of the sets with one, and None if there is none."""
        return max((worth for made, worth in self._cover(start).items() if self._all_count(*made)), default=None)

    def _cover(self, rest: int) -> dict[tuple[int, int, int], int]:
        """For each (pure, impure, trios) that can be made of `rest`, the most points covered.

        Counted only as far as gates ask: two pure ones, one impure one, trios up to the limit (without one: whether any).
        """
        if not rest & self.split.natural_mask:
            alone = {(0, 1, 0): 0} if any(self.split.fits(one.takes, rest) for one in self.split.alone) else {}
            return {(0, 0, 0): 0, **alone}
        if (known := self.covered.get(rest)) is not None:
            return known
        lowest = self.split.lowest(rest)
        limit = self.rules.max_trios_scored
        best = dict(self._cover(rest - lowest))
        for reading in self.split.with_lowest[lowest]:
            if not self.split.fits(reading.takes, rest):
                continue
            for (pure, impure, trios), worth in self._cover(rest - reading.takes).items():
                if reading.kind == "pure":
                    made = (min(pure + 1, 2), impure, trios)
                elif reading.kind == "impure":
                    made = (pure, 1, trios)
                elif limit is None:
                    made = (pure, impure, 1)
                elif trios < limit:
                    made = (pure, impure, trios + 1)
                else:
                    continue
                if worth + reading.worth > best.get(made, -1):
                    best[made] = worth + reading.worth
        self.covered[rest] = best
        return best

    def _all_count(self, pure: int, impure: int, trios: int) -> bool:
        """Whether every group of such a set counts in a score."""
        rules = self.rules
        if rules.full_count_without_pure is not None and pure == 0:
            return False
        if pure + impure + trios == 0:
            return True
        if rules.no_pure_all_loose and pure == 0:
            return False
        if rules.no_second_all_loose and pure == 1 and impure == 0:
            return False
        if rules.impure_needs_pure and impure and pure == 0:
            return False
        return (
            trios == 0
            or {
                "second_sequence": impure > 0 or pure > 1,
                "impure_sequence": impure > 0,
                "pure_and_second": pure > 1 or (pure == 1 and impure > 0),
                "nothing": True,
            }[rules.trio_needs]
        )

    def declarable(self, start: int) -> bool:
        """All cards grouped, a pure sequence and another one of the right sizes, trios within the limit (§1.3)."""
        limit = _NEVER - 1 if self.rules.max_trios is None else self.rules.max_trios
        if self._fewest_trios(start) > limit:
            return False
        least, most = self.rules.opening_cards or (0, _NEVER)
        sequences = [
            reading
            for reading in (*self.split.readings, *self.split.alone)
            if reading.kind != "trio" and self.split.fits(reading.takes, start)
        ]
        return any(
            least <= first.size + second.size <= most
            and self.split.fits(second.takes, start - first.takes)
            and self._fewest_trios(start - first.takes - second.takes) <= limit
            for first in sequences
            if first.kind == "pure"
            for second in sequences
        )

    def _fewest_trios(self, rest: int) -> int:
        """Trios needed to group every card of `rest`; `_NEVER` if it cannot be done."""
        if not rest & self.split.natural_mask:
            alone = self.split.fewest_trios_alone(self.split.wilds_in(rest))
            return _NEVER if alone is None else alone
        if (known := self.trios_to_cover.get(rest)) is not None:
            return known
        fewest = min(
            (
                self._fewest_trios(rest - reading.takes) + (reading.kind == "trio")
                for reading in self.split.with_lowest[self.split.lowest(rest)]
                if self.split.fits(reading.takes, rest)
            ),
            default=_NEVER,
        )
        self.trios_to_cover[rest] = min(fewest, _NEVER)
        return self.trios_to_cover[rest]

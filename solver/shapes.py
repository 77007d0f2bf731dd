"""What rules say of the shapes of groups, as numbers, and which runs need not be looked at because they can be cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.rummy.melds import MAX_SEQUENCE
from engine.rummy.rules import MIN_GROUP, RummyRules
from solver.gates import pure_is_best

PURE: Final = 0  # places in KINDS
IMPURE: Final = 1
TRIO: Final = 2


class Shapes:
    """What rules say of the shapes of groups, as numbers."""

    def __init__(self, rules: RummyRules) -> None:
        self.triples = rules.triple_is_pure_sequence
        self.natural_wilds = rules.wild_at_own_place
        self.most_wilds = rules.max_wilds_per_sequence or MAX_SEQUENCE
        self.fewest_naturals = rules.min_naturals_per_sequence
        self.trio_sizes = list(rules.trio_sizes)
        self.most_trio_wilds = MAX_SEQUENCE if rules.max_wilds_per_trio is None else rules.max_wilds_per_trio
        self.trio_copies = 1 if rules.trio_suits_distinct else MAX_SEQUENCE
        self.uncut = rules.min_naturals_per_sequence > 1  # there are impure runs that cannot be cut
        self.lean_length = 2 * MIN_GROUP - 1  # one more, and it can be cut in two
        least, most = rules.opening_cards or (0, 0)
        self.least_opening = least
        self.most_in_pair = most - MIN_GROUP
        self.exact_length = max(self.lean_length, min(least - 1, self.most_in_pair))
        self.longest = MAX_SEQUENCE if self.uncut else self.exact_length
        self.pure_is_best = pure_is_best(rules)
        self.wilds_alone = rules.wildcards_alone


@lru_cache(64)
def shapes_of(rules: RummyRules) -> Shapes:
    return Shapes(rules)


def cuts(places: Sequence[int], wilds: int, enough: int, piece: int) -> bool:
    """Whether an impure run, its natural cards at these places, can be cut into two sequences of which one has `piece` cards
    or more; an impure one needs `enough` natural cards."""
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

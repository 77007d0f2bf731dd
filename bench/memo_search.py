"""The baseline: a plain memoised search in Python, as one would write it first, timed beside the solver.

Candidate groups are made for the hand; then the lowest card is loose or in one of its groups, and what is left of the
hand, with what has been made so far, is remembered. No reductions, no bounds but stopping at nought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from engine.cards import RANKS, SUITS, Card, Rank
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import costs, trios_count

_WIDTH = 6
_NEVER = 10_000


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    size: int
    takes: int


def memo_search(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> tuple[int, bool]:
    """Whether the hand (of 14: with some card let go) can be declared, and if not, the fewest points. The presets' options only."""
    search = _Search(hand, wild_rank, rules)
    fold = len(hand) == HAND_SIZE + 1
    if search.declared(search.full, (), 0, fold):
        return 0, True
    return search.points(search.full, (0, 0, 0), fold), False


class _Search:
    def __init__(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> None:
        self.held, self.wild_rank, self.rules = Counter(hand), wild_rank, rules
        self.costs = costs(wild_rank, rules)
        natural = [card for card in self.held if not card.is_joker]
        self.faces = sorted(natural, key=lambda card: (card.rank == wild_rank, card.order))  # what may be wild last
        self.wild = 1 << _WIDTH * len(self.faces)
        self.bit = {
            card: (1 << _WIDTH * place) + (self.wild if card.rank == wild_rank else 0)
            for place, card in enumerate(self.faces)
        }
        self.guards = sum(1 << _WIDTH * place + _WIDTH - 1 for place in range(len(self.faces) + 1))
        self.wilds = sum(n for card, n in self.held.items() if card.is_joker or card.rank == wild_rank)
        self.full = self.guards + sum(self.bit[card] * self.held[card] for card in self.faces)
        self.full += self.wild * self.held[Card("JK")]
        self.by_lowest: dict[Card, list[_Group]] = {card: [] for card in self.faces}
        for kind, cards, wilds in {*self._sequences(), *self._trios()}:
            takes = sum(self.bit[card] for card in cards) + wilds * self.wild
            lowest = min(cards, key=self.faces.index)
            self.by_lowest[lowest].append(_Group(kind, len(cards) + wilds, takes))
        self.known: dict[object, int] = {}

    def _sequences(self) -> list[tuple[str, tuple[Card, ...], int]]:
        found = []
        limit = self.rules.max_wilds_per_sequence
        most = self.wilds if limit is None else min(limit, self.wilds)
        for suit in SUITS:
            run = [Card(rank + suit) for rank in (*RANKS, "A")]
            for low, high in combinations(range(15), 2):
                if not 3 <= high - low <= HAND_SIZE:
                    continue
                held = [card for card in run[low:high] if card in self.held]
                gaps = high - low - len(held)
                for wilds in range(gaps, min(most, high - low - 1) + 1):
                    kind = "impure" if wilds else "pure"
                    found += [(kind, cards, wilds) for cards in combinations(held, high - low - wilds)]
        if self.rules.triple_is_pure_sequence:
            found += [("pure", (card,) * 3, 0) for card in self.faces if self.held[card] >= 3]
        return found

    def _trios(self) -> list[tuple[str, tuple[Card, ...], int]]:
        found = []
        pick = combinations if self.rules.trio_suits_distinct else combinations_with_replacement
        limit = self.rules.max_wilds_per_trio
        for rank in RANKS:
            faces = [card for card in self.faces if card.rank == rank]
            for size in self.rules.trio_sizes:
                for wilds in range(min(self.wilds if limit is None else limit, self.wilds, size - 1) + 1):
                    for cards in pick(faces, size - wilds):
                        one_face = len(set(cards)) == 1
                        others = self.wilds - (self.held[cards[0]] if rank == self.wild_rank else 0)
                        if (not one_face or (wilds and others)) and not Counter(cards) - self.held:
                            found.append(("trio", cards, wilds))
        return found

    def _lowest(self, rest: int) -> Card | None:
        """The first natural face left; a card of the wild rank only as far as the pool of wildcards still holds it."""
        for place, card in enumerate(self.faces):
            if rest >> _WIDTH * place & 31 and (card.rank != self.wild_rank or rest // self.wild & 31):
                return card
        return None

    def _fitting(self, card: Card, rest: int) -> list[_Group]:
        return [group for group in self.by_lowest[card] if (rest - group.takes) & self.guards == self.guards]

    def points(self, rest: int, made: tuple[int, int, int], fold: bool) -> int:
        """Fewest points of what is left after so many pure and impure sequences and trios."""
        key = (rest, made, fold)
        if (known := self.known.get(key)) is not None:
            return known
        card = self._lowest(rest)
        if card is None:
            return 0 if self._counts(*made) else _NEVER
        loose = rest - (1 << _WIDTH * self.faces.index(card))  # a wildcard not used here may still replace another
        best = self.points(loose, made, fold) + self.costs[card]
        if fold and best:
            best = min(best, self.points(loose, made, False))
        pure, impure, trios = made
        for group in self._fitting(card, rest):
            if not best:
                break
            if group.kind == "pure":
                after = (min(pure + 1, 2), impure, trios)
            elif group.kind == "impure":
                after = (pure, 1, trios)
            elif self.rules.max_trios_scored is None:
                after = (pure, impure, 1)
            elif trios < self.rules.max_trios_scored:
                after = (pure, impure, trios + 1)
            else:
                continue
            best = min(best, self.points(rest - group.takes, after, fold))
        self.known[key] = best
        return best

    def _counts(self, pure: int, impure: int, trios: int) -> bool:
        if not pure + impure + trios:
            return True
        if not pure and (self.rules.no_pure_all_loose or (impure and self.rules.impure_needs_pure)):
            return False
        return not trios or trios_count(pure, impure, self.rules)

    def declared(self, rest: int, sizes: tuple[tuple[str, int], ...], trios: int, fold: bool) -> bool:
        """Whether what is left can all be grouped so that the whole is a declaration."""
        key = (rest, sizes, trios, fold)
        if (known := self.known.get(key)) is not None:
            return bool(known)
        card = self._lowest(rest)
        if card is None:
            return rest // self.wild & 31 == fold and self._opens(sizes)
        one = 1 << _WIDTH * self.faces.index(card)
        wins = card.rank == self.wild_rank and self.declared(rest - one, sizes, trios, fold)
        wins = wins or (fold and self.declared(rest - self.bit[card], sizes, trios, False))
        for group in self._fitting(card, rest):
            if wins:
                break
            if group.kind != "trio":
                after = tuple(sorted((*sizes, (group.kind, group.size))))
                wins = self.declared(rest - group.takes, after, trios, fold)
            elif self.rules.max_trios is None or trios < self.rules.max_trios:
                wins = self.declared(rest - group.takes, sizes, trios + 1, fold)
        self.known[key] = wins
        return wins

    def _opens(self, sizes: tuple[tuple[str, int], ...]) -> bool:
        least, most = self.rules.opening_cards or (0, _NEVER)
        pairs = [pair for pair in combinations(sizes, 2) if "pure" in (pair[0][0], pair[1][0])]
        return any(least <= first[1] + second[1] <= most for first, second in pairs)

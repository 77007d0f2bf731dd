"""Arrangers for tests of play: one that finds no group at all, and a plain search over groups of three to five cards.

The search is exact wherever longer groups can be split without loss, as under `house`; under other rules it may leave more
points than need be, which matters to no test here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from engine.cards import Card, Rank, in_order, missing, without
from engine.rummy.arrangement import Arrangement, Group
from engine.rummy.declaration import declaration_faults
from engine.rummy.melds import KINDS, is_wild, read_as
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import costs, counting, loose_points


class NoGroups:
    """Every card is loose and nothing wins."""

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        return Arrangement((), in_order(hand), loose_points(hand, wild_rank, rules), False)

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        return None

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        return {}


class Search:
    """Tries every set of disjoint groups."""

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        return _best(in_order(hand), wild_rank, rules)

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        return _declaration(in_order(hand), wild_rank, rules)

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        found = {card: self.declaration(without(hand, (card,)), wild_rank, rules) for card in in_order(set(hand))}
        return {card: arrangement for card, arrangement in found.items() if arrangement}


class Naturals:
    """Groups without wildcards only, of three or four cards: quick, for random play by the thousand."""

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        return _naturals(in_order(hand), wild_rank, rules)[0]

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        return _naturals(in_order(hand), wild_rank, rules)[1]

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        found = {card: self.declaration(without(hand, (card,)), wild_rank, rules) for card in in_order(set(hand))}
        return {card: arrangement for card, arrangement in found.items() if arrangement}


@lru_cache(maxsize=50_000)
def _naturals(
    hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules
) -> tuple[Arrangement, Arrangement | None]:
    """What the hand is scored by, and a declaration of it."""
    found: list[tuple[Group, ...]] = [()]
    faces = in_order(set(hand))
    runs = [faces[at : at + size] for size in (3, 4) for at in range(len(faces) - size + 1)]
    pure = [
        read_as("pure_sequence", run, wild_rank, rules) for run in runs if run[-1].order - run[0].order == len(run) - 1
    ]
    of_rank = [[card for card in faces if card.rank == rank != wild_rank] for rank in {card.rank for card in faces}]
    trios = [read_as("trio", cards, wild_rank, rules) for same in of_rank for cards in combinations(same, 3)]
    for group in filter(None, [*pure, *trios]):
        more = [(*chosen, group) for chosen in found]
        found += [chosen for chosen in more if not missing([card for made in chosen for card in made.cards], hand)]
    best = min((_scored(hand, chosen, wild_rank, rules) for chosen in found), key=lambda one: one.points)
    return best, next((_declared(chosen) for chosen in found if _wins(hand, chosen, rules)), None)


@lru_cache(maxsize=20_000)
def _best(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
    groups = [(group, Counter(group.cards)) for group in _groups(hand, wild_rank, rules)]
    best = _scored(hand, (), wild_rank, rules)

    def search(rest: Counter[Card], chosen: tuple[Group, ...], lost: int) -> None:
        nonlocal best
        if lost >= best.points:
            return
        first = next((card for card in hand if rest[card] and not is_wild(card, wild_rank)), None)
        if first is None:
            for finished in _with_wilds_alone(rest, groups, chosen):
                found = _scored(hand, finished, wild_rank, rules)
                if found.points < best.points:
                    best = found
            return
        for group, cards in groups:
            if first in cards and cards <= rest:
                search(rest - cards, (*chosen, group), lost)
        search(rest - Counter((first,)), chosen, lost + costs(wild_rank, rules)[first])

    search(Counter(hand), (), 0)
    return best


@lru_cache(maxsize=20_000)
def _declaration(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
    groups = [(group, Counter(group.cards)) for group in _groups(hand, wild_rank, rules)]

    def search(rest: Counter[Card], chosen: tuple[Group, ...]) -> Arrangement | None:
        first = next((card for card in hand if rest[card] and not is_wild(card, wild_rank)), None)
        if first is None:
            finished = _with_wilds_alone(rest, groups, chosen)
            return next((_declared(each) for each in finished if _wins(hand, each, rules)), None)
        found = (search(rest - cards, (*chosen, group)) for group, cards in groups if first in cards and cards <= rest)
        return next(filter(None, found), None)

    return search(Counter(hand), ())


def _with_wilds_alone(
    rest: Counter[Card], groups: list[tuple[Group, Counter[Card]]], chosen: tuple[Group, ...]
) -> Iterator[tuple[Group, ...]]:
    """The groups chosen, and with them every set of groups of the wildcards that are left; or those wildcards put to use:
    at the end of a sequence one of them costs nothing and leaves no card loose."""
    yield chosen
    for group, cards in groups:
        if cards <= rest:
            yield from _with_wilds_alone(rest - cards, groups, (*chosen, group))


def _scored(
    hand: tuple[Card, ...], groups: tuple[Group, ...], wild_rank: Rank | None, rules: RummyRules
) -> Arrangement:
    kept = counting(groups, rules)
    loose = without(hand, [card for group in kept for card in group.cards])
    return Arrangement(kept, loose, loose_points(loose, wild_rank, rules), _wins(hand, kept, rules))


def _declared(groups: tuple[Group, ...]) -> Arrangement:
    return Arrangement(groups, (), 0, True)


def _wins(hand: tuple[Card, ...], groups: tuple[Group, ...], rules: RummyRules) -> bool:
    return sum(len(group.cards) for group in groups) == len(hand) and not declaration_faults(groups, rules)


def _groups(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> tuple[Group, ...]:
    held = Counter(hand)
    wilds = [card for card in hand if is_wild(card, wild_rank)]
    helpers = {extra for size in range(3) for extra in combinations(wilds, size)}
    alike = [[card for card in held if card.suit == suit] for suit in "SHDC"]
    bases = {base for cards in alike for size in range(1, 6) for base in combinations(cards, size)}
    ranks = {card.rank for card in hand if card.rank}
    bases |= {
        base
        for rank in ranks
        for size in range(1, 4)
        for base in combinations([card for card in hand if card.rank == rank], size)
    }
    found = {}
    for base in bases:
        for extra in helpers:
            cards = in_order(base + extra)
            if 3 <= len(cards) <= 5 and cards not in found and Counter(cards) <= held:
                readings = (read_as(kind, cards, wild_rank, rules) for kind in KINDS)
                found[cards] = [group for group in readings if group]
    return tuple(group for cards in sorted(found) for group in found[cards])

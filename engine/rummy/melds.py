"""What a group of cards is: pure sequence, impure sequence, trio, or none of them and why (rules.md §1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import get_args

from engine.cards import RANKS, SUITS, Card, Rank, Suit, in_order
from engine.rummy.arrangement import Group, Kind
from engine.rummy.rules import MIN_GROUP, RummyRules

KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_SEQUENCE = len(RANKS)
_RING = (*RANKS, RANKS[0])  # the ace low at place 0 and high at place 13
_PLACES: dict[Rank, int] = {  # a bit for each place
    rank: sum(1 << place for place, at in enumerate(_RING) if at == rank) for rank in RANKS
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a group or a declaration: a stable code, and a message that says what would be right."""

    code: str
    message: str


def is_wild(card: Card, wild_rank: Rank | None) -> bool:
    """Whether a card can replace another: a printed joker, or any card of the wild rank."""
    return card.rank is None or card.rank == wild_rank


def readings(cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> tuple[Group, ...]:
    """Every kind of group that these cards are, best kind first; `Group.cards` are the cards in the order given.

    A pure sequence is never worse than an impure one, nor an impure one than a trio: in every condition of
    rules.md §1.3 the earlier kind satisfies what the later one does.
    """
    found = (read_as(kind, cards, wild_rank, rules) for kind in KINDS)
    return tuple(_in_given_order(group, cards) for group in found if group)


def read_as(kind: Kind, cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    """These cards as a group of one kind, laid out in the order of what they stand for, or None.

    The layout depends only on which cards they are: the wildcards of a sequence stand as high as they can.
    """
    return _read(kind, in_order(cards), wild_rank, rules)


@lru_cache(maxsize=4096)  # a solver's answer is read once to lay it out and once to check it
def _read(kind: Kind, cards: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    if kind == "trio":
        return _trio(cards, wild_rank, rules)
    if not MIN_GROUP <= len(cards) <= MAX_SEQUENCE:
        return None
    if kind == "pure_sequence":
        return _pure_sequence(cards, wild_rank, rules)
    return _impure_sequence(cards, wild_rank, rules)


def fault_of(cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Fault | None:
    """Why these cards are no group: the first fault that applies, or None if they are one."""
    if readings(cards, wild_rank, rules):
        return None
    if len(cards) < MIN_GROUP:
        return Fault("group_too_small", f"a group has at least {MIN_GROUP} cards, this one has {len(cards)}")
    naturals = [card for card in cards if not is_wild(card, wild_rank)] or [
        card for card in cards if _natural(card, wild_rank, rules)
    ]
    ranks = {card.rank for card in naturals}
    if len(naturals) >= 2 and len(ranks) == 1 and len(cards) > max(rules.trio_sizes):
        sizes = " or ".join(map(str, rules.trio_sizes))
        return Fault("trio_too_large", f"a trio has {sizes} cards, this one has {len(cards)}")
    if readings(cards, wild_rank, _any_number_of_wilds(rules)):
        return Fault("too_many_wilds", f"too many wildcards: {_wild_limits(rules)}")
    return Fault(
        "not_a_group",
        "neither consecutive cards of one suit nor a trio of one rank, with wildcards in the place of what is missing",
    )


def _any_number_of_wilds(rules: RummyRules) -> RummyRules:
    return replace(rules, max_wilds_per_sequence=None, max_wilds_per_trio=None, min_naturals_per_sequence=1)


def _wild_limits(rules: RummyRules) -> str:
    limits = []
    if rules.max_wilds_per_sequence is not None:
        limits.append(f"a sequence may hold {rules.max_wilds_per_sequence}")
    if rules.min_naturals_per_sequence > 1:
        limits.append(f"a sequence needs {rules.min_naturals_per_sequence} natural cards")
    if rules.max_wilds_per_trio is not None:
        limits.append(f"a trio may hold {rules.max_wilds_per_trio}")
    return ", ".join(limits)


def _in_given_order(group: Group, cards: Sequence[Card]) -> Group:
    stands_for: dict[Card, list[str]] = {}
    for card, place in zip(group.cards, group.stands_for, strict=True):
        stands_for.setdefault(card, []).append(place)
    return Group(group.kind, tuple(cards), tuple(stands_for[card].pop(0) for card in cards))


def _natural(card: Card, wild_rank: Rank | None, rules: RummyRules) -> bool:
    """Whether a card can stand at its own place as a natural card."""
    return card.rank is not None and (card.rank != wild_rank or rules.wild_at_own_place)


def _pure_sequence(cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    if not all(_natural(card, wild_rank, rules) for card in cards):
        return None
    if rules.triple_is_pure_sequence and len(cards) == 3 and len(set(cards)) == 1:
        return Group("pure_sequence", tuple(cards), tuple(cards))
    if len({card.suit for card in cards}) != 1:
        return None
    ranks = [card.rank for card in cards if card.rank]
    for window in _windows(len(cards), ranks):
        ordered = tuple(Card(_RING[place] + str(cards[0].suit)) for place in window)
        return Group("pure_sequence", ordered, ordered)
    return None


def _impure_sequence(cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    """Every way to tell naturals from wildcards: a card of the wild rank and of the run's suit may be either."""
    fixed = [card for card in cards if not is_wild(card, wild_rank)]
    suits = {card.suit for card in fixed} or {card.suit for card in cards if card.suit}
    if len(suits) > 1 and fixed:
        return None
    for suit in (suit for suit in SUITS if suit in suits):
        own = [card for card in cards if card.suit == suit and card.rank == wild_rank and rules.wild_at_own_place]
        for naturals in ([*fixed, *own[:1]], fixed) if own else (fixed,):
            wilds = len(cards) - len(naturals)
            if len(naturals) < rules.min_naturals_per_sequence or wilds < 1:
                continue
            if rules.max_wilds_per_sequence is not None and wilds > rules.max_wilds_per_sequence:
                continue
            ranks = [card.rank for card in naturals if card.rank]
            # a card of the wild rank may be a wildcard even in its own place: the reading that helps the player counts.
            # It is laid out elsewhere if it can be, where one sees that it is one
            elsewhere = _windows(len(cards), ranks, avoid=wild_rank if own and naturals == fixed else None)
            for window in chain(elsewhere, _windows(len(cards), ranks)):
                return _laid_out(window, suit, naturals, cards)
    return None


def _windows(length: int, ranks: Sequence[Rank], avoid: Rank | None = None) -> Iterator[range]:
    """The runs of `length` places, highest first, in which the ranks have a place each and `avoid` has none."""
    if len(set(ranks)) != len(ranks):
        return
    needed = [_PLACES[rank] for rank in ranks]
    shunned = _PLACES[avoid] if avoid else 0
    for start in range(len(_RING) - length, -1, -1):
        places = ((1 << length) - 1) << start
        if not places & shunned and all(map(places.__and__, needed)):
            yield range(start, start + length)


def _laid_out(window: range, suit: Suit | None, naturals: Iterable[Card], cards: Sequence[Card]) -> Group:
    by_rank = {card.rank: card for card in naturals}
    wilds = list(cards)
    for card in by_rank.values():
        wilds.remove(card)
    ordered, stands_for = [], []
    for place in window:
        ordered.append(by_rank[_RING[place]] if _RING[place] in by_rank else wilds.pop(0))
        stands_for.append(f"{_RING[place]}{suit}")
    return Group("impure_sequence", tuple(ordered), tuple(stands_for))


def _trio(cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    if len(cards) not in rules.trio_sizes:
        return None
    fixed = [card for card in cards if not is_wild(card, wild_rank)]
    of_rank = fixed or [card for card in cards if _natural(card, wild_rank, rules)]
    ranks = {card.rank for card in of_rank}
    if len(ranks) != 1:
        return None
    if len(set(cards)) == 1:  # identical faces alone are a triple or nothing, wild rank or not
        return None
    # where suits must differ, a second copy of a wild face is a wildcard in another suit's place
    naturals = list(dict.fromkeys(of_rank)) if rules.trio_suits_distinct and not fixed else of_rank
    if rules.trio_suits_distinct and len(set(naturals)) != len(naturals):
        return None
    if rules.max_wilds_per_trio is not None and len(cards) - len(naturals) > rules.max_wilds_per_trio:
        return None
    wilds = list(cards)
    for card in naturals:
        wilds.remove(card)
    rank = str(naturals[0].rank)
    return Group("trio", (*naturals, *wilds), (*naturals, *[rank] * len(wilds)))

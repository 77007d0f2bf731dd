"""What a group of cards is: pure sequence, impure sequence, trio, or none of them and why (rules.md §1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import get_args

from engine.cards import RANKS, SUITS, Card, Rank, Suit, in_order
from engine.rummy.arrangement import Group, Kind
from engine.rummy.rules import MIN_GROUP, RummyRules
from engine.rummy.verdicts import Fault as Fault

KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_SEQUENCE = len(RANKS)
_RING = (*RANKS, RANKS[0])  # the ace low at place 0 and high at place 13
_ROWS: dict[Suit, tuple[Card, ...]] = {suit: tuple(Card(rank + suit) for rank in _RING) for suit in SUITS}
_PLACES: dict[Rank | None, int] = {  # a bit for each place
    rank: sum(1 << place for place, at in enumerate(_RING) if at == rank) for rank in RANKS
}


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
    if kind == rules.wildcards_alone and (group := _wildcards_alone(kind, cards, wild_rank, rules)):
        return group
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
        "neither consecutive cards of one suit nor a trio of one rank, with wildcards in the place of what is missing: "
        + _what_is_wrong(naturals, len(cards) - len(naturals), rules),
    )


def _what_is_wrong(naturals: Sequence[Card], wilds: int, rules: RummyRules) -> str:
    """What keeps natural cards and so many wildcards from being the group that they are closest to."""
    ranks, suits = {card.rank for card in naturals}, {card.suit for card in naturals}
    twice = next((card for card in naturals if naturals.count(card) > 1), None)
    if not naturals:
        return "wildcards alone are no group"
    if len(ranks) > 1 and len(suits) > 1:
        return "these are of more than one rank and of more than one suit"
    if len(ranks) > 1 and twice:
        return f"{twice} stands twice, and a sequence has one place for it"
    if len(ranks) > 1 and len(naturals) + wilds > MAX_SEQUENCE:
        return f"a sequence has {MAX_SEQUENCE} cards at the most"
    if len(ranks) > 1:
        return f"cards that are missing between them: {_gap(naturals)}; wildcards: {wilds}"
    if len(naturals) + wilds not in rules.trio_sizes:
        return f"a trio has {' or '.join(map(str, rules.trio_sizes))} cards"
    if len(set(naturals)) == 1 and not wilds:
        return f"nothing but copies of {twice} is no trio"
    return f"the natural cards of a trio must differ in suit, and {twice} stands twice"


def _gap(naturals: Sequence[Card]) -> int:
    """How many cards are missing between those of one suit, the ace where fewer are."""
    held = sum(_PLACES[card.rank] for card in naturals)
    low, high = held & ~(1 << len(RANKS)), held & ~1
    return min(places.bit_length() - (places & -places).bit_length() + 1 for places in (low, high)) - len(naturals)


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
    suit = cards[0].suit
    if suit is None or any(card.suit != suit for card in cards):
        return None
    start = _highest_start(len(cards), cards)
    if start < 0:
        return None
    ordered = _ROWS[suit][start : start + len(cards)]
    return Group("pure_sequence", ordered, ordered)


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
            # a card of the wild rank may be a wildcard even in its own place: the reading that helps the player counts.
            # It is laid out elsewhere if it can be, where one sees that it is one
            start = _highest_start(len(cards), naturals, wild_rank) if own and naturals == fixed else -1
            if start < 0:
                start = _highest_start(len(cards), naturals)
            if start >= 0:
                return _laid_out(start, suit, naturals, cards)
    return None


def _highest_start(length: int, naturals: Sequence[Card], avoid: Rank | None = None) -> int:
    """The highest place at which a run of `length` places can start so that the cards have a place each in it and a card of
    the rank `avoid` has none; -1 if there is no such place."""
    needed = [_PLACES[card.rank] for card in naturals]
    if len(set(needed)) != len(needed):
        return -1
    shunned = _PLACES[avoid] if avoid else 0
    start = len(_RING) - length
    places = ((1 << length) - 1) << start
    while places & shunned or not all(map(places.__and__, needed)):
        if not start:
            return -1
        start -= 1
        places >>= 1
    return start


def _laid_out(start: int, suit: Suit, naturals: Iterable[Card], cards: Sequence[Card]) -> Group:
    by_rank = {card.rank: card for card in naturals}
    wilds = list(cards)
    for card in by_rank.values():
        wilds.remove(card)
    stands_for = _ROWS[suit][start : start + len(cards)]
    ordered = tuple(by_rank[face.rank] if face.rank in by_rank else wilds.pop(0) for face in stands_for)
    return Group("impure_sequence", ordered, stands_for)


def _wildcards_alone(kind: Kind, cards: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Group | None:
    """Wildcards without a natural card, which stand for nothing but themselves."""
    sizes = rules.trio_sizes if kind == "trio" else range(MIN_GROUP, MAX_SEQUENCE + 1)
    if len(cards) not in sizes or not all(is_wild(card, wild_rank) for card in cards):
        return None
    return Group(kind, tuple(cards), tuple(cards))


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

"""Hands to measure and to compare on, the same for the same seed; never more than three copies of a face and six jokers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Rank, deck, in_order
from engine.rummy.rules import HOUSE, INDIAN, RummyRules


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand and the wild rank it is judged under."""

    hand: tuple[Card, ...]
    wild_rank: Rank | None

    def __str__(self) -> str:
        return f"{' '.join(self.hand)} (wild rank {self.wild_rank})"


def hands(kind: str, count: int, size: int = 13, seed: int = 0) -> Iterator[Dealt]:
    """`count` hands of one of `KINDS`, each from a generator of its own, so that one can be made again alone."""
    for number in range(count):
        yield hand(kind, size, f"{seed}/{number}")


def hand(kind: str, size: int, seed: str) -> Dealt:
    """One hand of one of `KINDS`."""
    return KINDS[kind](random.Random(f"{kind}/{size}/{seed}"), size)


def _shoe(rng: random.Random, decks: int | None = None) -> list[Card]:
    decks = decks or rng.choice((1, 2, 3))
    cards = list(deck(decks, 2 * decks))
    rng.shuffle(cards)
    return cards


def _wild_rank(rng: random.Random) -> Rank | None:
    return rng.choice((*RANKS, *RANKS, None))


def _dealt(rng: random.Random, chosen: list[Card], shoe: list[Card], size: int, wild_rank: Rank | None) -> Dealt:
    """The first `size` of the chosen cards, made full from the shoe, shuffled."""
    cards = (chosen + shoe)[:size]
    rng.shuffle(cards)
    return Dealt(tuple(cards), wild_rank)


def _take(shoe: list[Card], wanted: list[Card]) -> list[Card]:
    """Those of the wanted cards that the shoe holds, taken out of it."""
    taken = []
    for card in wanted:
        if card in shoe:
            shoe.remove(card)
            taken.append(card)
    return taken


def _run(rng: random.Random, length: int) -> list[Card]:
    start, suit = rng.randint(0, 14 - length), rng.choice(SUITS)
    return [Card((*RANKS, "A")[place] + suit) for place in range(start, start + length)]


def _wilds(rng: random.Random, shoe: list[Card], count: int, wild_rank: Rank | None) -> list[Card]:
    able = [card for card in shoe if card.is_joker or card.rank == wild_rank]
    return _take(shoe, rng.sample(able, min(count, len(able))))


def random_hand(rng: random.Random, size: int) -> Dealt:
    """Dealt from one to three decks."""
    return _dealt(rng, [], _shoe(rng), size, _wild_rank(rng))


def near_complete(rng: random.Random, size: int) -> Dealt:
    """Built from groups, then none, one or two cards changed."""
    shoe, wild_rank, chosen = _shoe(rng), _wild_rank(rng), list[Card]()
    while len(chosen) < size:
        length = rng.choice((3, 3, 3, 4, 4, 5))
        match rng.choice(("pure", "pure", "impure", "impure", "trio")):
            case "pure":
                group = _run(rng, length)
            case "impure":
                group = [*rng.sample(_run(rng, length), length - 1), JOKER]
            case _:
                rank = rng.choice(RANKS)
                group = [card for card in shoe if card.rank == rank][:3]
        chosen += _take(shoe, group)
    chosen = chosen[:size]
    for _ in range(rng.choice((0, 1, 1, 2))):
        chosen.pop(rng.randrange(len(chosen)))
    return _dealt(rng, chosen, shoe, size, wild_rank)


def wilds_rich(rng: random.Random, size: int) -> Dealt:
    """A quarter to more than half of the cards are wildcards."""
    shoe, wild_rank = _shoe(rng), _wild_rank(rng)
    chosen = _wilds(rng, shoe, rng.randint(size // 4, size * 3 // 5), wild_rank)
    return _dealt(rng, chosen, shoe, size, wild_rank)


def long_run(rng: random.Random, size: int) -> Dealt:
    """Three decks: a long run in one suit, wildcards, and second copies of the run's cards."""
    shoe, wild_rank = _shoe(rng, 3), _wild_rank(rng)
    run = _run(rng, min(rng.randint(size // 2, size * 4 // 5), 13))
    chosen = _take(shoe, run) + _wilds(rng, shoe, rng.randint(2, max(size // 3, 2)), wild_rank)
    chosen += _take(shoe, rng.sample(run, len(run)))
    return _dealt(rng, chosen, shoe, size, wild_rank)


def many_copies(rng: random.Random, size: int) -> Dealt:
    """Three decks: two or three copies of the cards of a few ranks in a row, with wildcards."""
    shoe, wild_rank = _shoe(rng, 3), _wild_rank(rng)
    start, width = rng.randint(0, 8), rng.randint(3, 5)
    suits = rng.sample(SUITS, rng.randint(1, 3))
    block = [card for card in shoe if card.suit in suits and RANKS[start : start + width].count(card.rank or "A")]
    block = [card for card in block if not card.is_joker]
    chosen = _wilds(rng, shoe, rng.randint(0, size // 3), wild_rank)
    chosen += _take(shoe, block[: size - len(chosen)])
    return _dealt(rng, chosen, shoe, size, wild_rank)


def adversarial(rng: random.Random, size: int) -> Dealt:
    """What costs a solver most: long runs or many copies, with many wildcards, from three decks."""
    return rng.choice((long_run, long_run, many_copies))(rng, size)


KINDS: Final[Mapping[str, Callable[[random.Random, int], Dealt]]] = {
    "random": random_hand,
    "near": near_complete,
    "wilds": wilds_rich,
    "adversarial": adversarial,
}


_OPTIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "wild_at_own_place": (True, False),
    "triple_is_pure_sequence": (True, False),
    "max_wilds_per_sequence": (1, 2, 3, 5, 8, 12, None),
    "min_naturals_per_sequence": (1, 2, 3, 4, 5, 7),
    "trio_sizes": ((3,), (3, 4), (4,), (3, 4, 5), (3, 5), (4, 7), tuple(range(3, 14))),
    "max_wilds_per_trio": (0, 1, 2, 4, 12, None),
    "trio_suits_distinct": (True, False),
    "opening_cards": (None, (6, 6), (6, 7), (7, 13), (8, 8), (8, 10), (9, 9), (10, 13), (11, 11), (13, 13)),
    "max_trios": (0, 1, 2, 3, None),
    "max_trios_scored": (0, 1, 2, 3, None),
    "trio_needs": ("second_sequence", "impure_sequence", "pure_and_second", "nothing"),
    "impure_needs_pure": (True, False),
    "no_pure_all_loose": (True, False),
    "no_second_all_loose": (True, False),
    "wildcards_alone": ("none", "trio", "impure_sequence"),
    "full_count_without_pure": (None, 10, 80),
    "ace_points": (None, 1, 5, 15),
    "points": (
        HOUSE.points,
        (1, *range(2, 10), 10, 10, 10, 10),
        (15, *(5,) * 8, *(10,) * 4),
        (1,) * 13,
        tuple(range(13, 0, -1)),
    ),
}


def option_mix(rng: random.Random, share: float = 0.35) -> RummyRules:
    """A preset with about that share of the options that concern groups, declarations and scores set at random."""
    chosen = {name: rng.choice(values) for name, values in _OPTIONS.items() if rng.random() < share}
    return replace(rng.choice((HOUSE, INDIAN)), **chosen)


def options_mutated(rng: random.Random, rules: RummyRules) -> RummyRules:
    """The rules with one or two of these options set at random."""
    names = rng.sample(list(_OPTIONS), rng.choice((1, 1, 2)))
    return replace(rules, **{name: rng.choice(_OPTIONS[name]) for name in names})


def mutated(rng: random.Random, dealt: Dealt) -> Dealt:
    """One to three cards exchanged, sometimes the wild rank as well; copies stay within three decks."""
    cards, wild_rank = list(dealt.hand), dealt.wild_rank
    for _ in range(rng.choice((1, 1, 2, 3))):
        cards.pop(rng.randrange(len(cards)))
        free = [face for face in FACES if cards.count(face) < (6 if face.is_joker else 3)]
        near = [face for face in free if any(face.suit == card.suit or face.rank == card.rank for card in cards)]
        cards.append(rng.choice((near or free) if rng.random() < 0.6 else free))
        if rng.random() < 0.15 and cards.count(JOKER) < 6:
            cards[rng.randrange(len(cards))] = JOKER
    if rng.random() < 0.2:
        wild_rank = _wild_rank(rng)
    return Dealt(in_order(cards), wild_rank)

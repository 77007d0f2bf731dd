"""Which hands the decks in play can have dealt (rules.md §1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.errors import Flaw, ImpossibleHand
from engine.rummy.rules import LOOSE_COPIES, LOOSE_JOKERS, RummyRules


@dataclass(frozen=True, slots=True)
class Limits:
    """How often a face, and the printed joker, can occur."""

    copies: int
    jokers: int


def limits(rules: RummyRules, seats: int | None = None, jokers_given: bool = False) -> Limits:
    """The limits at a table of so many seats, or of cards sent by themselves (`seats` None).

    By themselves, cards are held to what `decks` or the joker option say if the caller set them, else to three copies
    of a face and six jokers under every preset. `jokers_given`: the caller set `printed_jokers_per_deck`.
    """
    if seats is not None:
        decks = rules.decks_for(seats)
        return Limits(decks, rules.jokers_in(decks))
    if rules.decks is not None:
        return Limits(rules.decks, rules.jokers_in(rules.decks))
    if rules.printed_jokers is not None or jokers_given:
        return Limits(LOOSE_COPIES, rules.jokers_in(LOOSE_COPIES))
    return Limits(LOOSE_COPIES, LOOSE_JOKERS)


def check_size(cards: Sequence[Card], sizes: Sequence[int], pointer: str) -> None:
    """Raise `ImpossibleHand` unless there are as many cards as one of `sizes` says."""
    if len(cards) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise ImpossibleHand(Flaw(pointer, f"{wanted} cards are needed, here are {len(cards)}"))


def check_copies(placed: Iterable[tuple[str, Card]], most: Limits) -> None:
    """Raise `ImpossibleHand` at each card, given with its pointer, that is one copy more than the decks hold."""
    seen: Counter[Card] = Counter()
    flaws = []
    for pointer, card in placed:
        seen[card] += 1
        allowed = most.jokers if card.is_joker else most.copies
        if seen[card] > allowed:
            flaws.append(Flaw(pointer, f"copy {seen[card]} of {card}; the decks in play hold {allowed}"))
    if flaws:
        raise ImpossibleHand(*flaws)

"""Which hands the decks in play can have dealt (rules.md §1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.cards import Card
from engine.errors import Flaw, ImpossibleHand
from engine.rummy.rules import LOOSE_COPIES, LOOSE_JOKERS, RummyRules


@dataclass(frozen=True, slots=True)
class Limits:
    """How often a face, and the printed joker, can occur; `why` says so to who has sent more."""

    copies: int
    jokers: int
    why: str = field(default="", compare=False)


def limits(rules: RummyRules, seats: int | None = None, jokers_given: bool = False) -> Limits:
    """The limits at a table of so many seats, or of cards sent by themselves (`seats` None).

    By themselves, cards are held to what `decks` or the joker option say if the caller set them, else to three copies
    of a face and six jokers under every preset. `jokers_given`: the caller set `printed_jokers_per_deck`.
    """
    if seats is not None:
        decks = rules.decks_for(seats)
        number = "1 deck" if decks == 1 else f"{decks} decks"
        return Limits(decks, rules.jokers_in(decks), f"{seats} seats play with {number}; `rules.decks` changes that")
    if rules.decks is not None:
        return Limits(rules.decks, rules.jokers_in(rules.decks), f"`rules.decks` is {rules.decks}")
    why = f"no more than {LOOSE_COPIES} decks are thought of without a number of seats; `rules.decks` changes that"
    if rules.printed_jokers is not None or jokers_given:
        return Limits(LOOSE_COPIES, rules.jokers_in(LOOSE_COPIES), why)
    return Limits(LOOSE_COPIES, LOOSE_JOKERS, why)


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
            because = f" ({most.why})" if most.why else ""
            flaws.append(Flaw(pointer, f"copy {seen[card]} of {card}; the decks in play hold {allowed}{because}"))
    if flaws:
        raise ImpossibleHand(*flaws)

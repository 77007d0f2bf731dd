"""Which cards can lie on a table, or be left at the end of a round, of which nothing else is known (rules.md §2.1, §2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.cards import Card, InPlay, surplus
from engine.errors import Flaw, ImpossibleHand, Invalid
from engine.swoop.pile import K, SeenStack, always_clears
from engine.swoop.rules import MAX_STACKS, SEATS, SwoopRules
from engine.swoop.state import Seat

# Cards sent by themselves may come from four decks, which is what eight players use under `house`, and from more where
# the rules deal from more.
STANDALONE_COPIES: Final = 4


def check_table(
    rules: SwoopRules,
    pile: Sequence[Card],
    hand: Sequence[Card],
    stacks: Sequence[SeenStack],
    committed: int | None,
) -> None:
    """Refuse a table that cannot lie before a play; the way to it is not asked. Raises `Invalid` for stacks and slots that
    cannot be, `ImpossibleHand` for cards that cannot lie there or so often; each names every such place."""
    flaws = [] if committed is None else _committed_flaws(stacks, committed)
    if not 1 <= len(stacks) <= MAX_STACKS:
        flaws.append(Flaw("/stacks", f"must be from 1 to {MAX_STACKS} stacks"))
    if flaws:
        raise Invalid(*flaws)
    never = [
        Flaw(f"/pile/{place}", f"{card} clears the pile, so it never lies there")
        for place, card in enumerate(pile)
        if always_clears(card.rank)
    ]
    if never or (never := _copy_flaws(_most(rules, None), (*_placed("/pile", pile), *_held("", hand, stacks)))):
        raise ImpossibleHand(*never)


def check_round(rules: SwoopRules, seats: Sequence[Seat]) -> None:
    """Refuse what seats hold at the end of a round: raises `ImpossibleHand` at every card that is one copy too many. One
    seat alone may come from a table of any size."""
    most = _most(rules, len(seats) if len(seats) in SEATS else None)
    places = (place for number, seat in enumerate(seats) for place in _held(f"/seats/{number}", seat.hand, seat.stacks))
    if flaws := _copy_flaws(most, places):
        raise ImpossibleHand(*flaws)


def _held(at: str, hand: Sequence[Card], stacks: Sequence[K]) -> Iterator[tuple[str, Card]]:
    """The known cards of a hand and its stacks, each with its pointer."""
    yield from _placed(f"{at}/hand", hand)
    for slot, stack in enumerate(stacks):
        for part, card in (("guard", stack.guard), ("secret", stack.secret)):
            if isinstance(card, Card):
                yield f"{at}/stacks/{slot}/{part}", card


def _placed(at: str, cards: Sequence[Card]) -> Iterator[tuple[str, Card]]:
    return ((f"{at}/{place}", card) for place, card in enumerate(cards))


def _most(rules: SwoopRules, seats: int | None) -> InPlay:
    """How often a face and the joker may lie at a table of so many seats, or of a size not known: the largest is dealt from
    the most cards."""
    copies = max(STANDALONE_COPIES, rules.in_play(SEATS[-1] if seats is None else seats).copies)
    return InPlay(copies, max(copies, rules.jokers_in(copies)))


def _copy_flaws(most: InPlay, placed: Iterable[tuple[str, Card]]) -> list[Flaw]:
    """The cards, given with their pointers, that are one copy too many."""
    found = surplus(placed, *most)
    return [Flaw(pointer, f"there are at most {allowed} cards {card}") for pointer, card, _, allowed in found]


def _committed_flaws(stacks: Sequence[SeenStack], committed: int) -> list[Flaw]:
    if not 0 <= committed < len(stacks):
        return [Flaw("/committed", f"no such slot; the slots are 0 to {len(stacks) - 1}")]
    stack = stacks[committed]
    if stack.guard is not None:
        return [
            Flaw("/committed", f"the secret of slot {committed} lies under a guard, so it cannot have been flipped")
        ]
    if stack.secret is None:
        return [Flaw("/committed", f"slot {committed} has no secret")]
    if not isinstance(stack.secret, Card):
        return [Flaw(f"/stacks/{committed}/secret", "a committed secret lies face up: write its card")]
    return []

"""A loser's hand as the loser has grouped it (rules.md §1.6, "Whose grouping")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from engine.cards import Card, Rank, without
from engine.errors import Flaw, ImpossibleHand
from engine.rummy.arrangement import Arrangement, Group
from engine.rummy.declaration import declaration_faults
from engine.rummy.melds import Fault, fault_of, read_as, readings
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import count, counting, loose_points


@dataclass(frozen=True, slots=True)
class SentGroup:
    """One group as sent: the group that it counts as, or why it does not count."""

    cards: tuple[Card, ...]
    group: Group | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Submitted:
    """A hand grouped by its player: each group as sent, and what the hand is scored by, in which only groups that count are."""

    groups: tuple[SentGroup, ...]
    arrangement: Arrangement


def as_sent(
    groups: Sequence[Sequence[Card]], hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules
) -> Submitted:
    """What a hand is scored by if it is grouped so. Cards in no group are loose, and those of a group that is none or does not
    count; a group that is of several kinds is of the kind that costs its player least.

    Raises `ImpossibleHand` for cards that the hand does not hold, with pointers to them (``/groups/0/2``).
    """
    if flaws := tuple(_foreign(groups, hand)):
        raise ImpossibleHand(*flaws)
    found = [readings(cards, wild_rank, rules) for cards in groups]
    right = [place for place, kinds in enumerate(found) if kinds]
    tries = [_scored(chosen, hand, wild_rank, rules) for chosen in product(*(found[place] for place in right))]
    shown, arrangement = min(tries, key=lambda one: count(one[1], rules))  # of equals the kinds that help most
    of_place = dict(zip(right, shown, strict=True))
    kept = [group.cards for group in arrangement.groups]
    told = []
    for place, cards in enumerate(groups):
        group = of_place.get(place)
        laid = None if group is None else read_as(group.kind, group.cards, wild_rank, rules)
        if laid is None:
            told.append(SentGroup(tuple(cards), None, fault_of(cards, wild_rank, rules)))
        elif laid.cards in kept:
            kept.remove(laid.cards)
            told.append(SentGroup(tuple(cards), group, None))
        else:
            told.append(SentGroup(tuple(cards), group, Fault("does_not_count", _why(laid, shown, rules))))
    return Submitted(tuple(told), arrangement)


def _scored(
    groups: tuple[Group, ...], hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules
) -> tuple[tuple[Group, ...], Arrangement]:
    """These groups, and the arrangement of those that count; of more trios than count, the dearest do."""
    laid = [group for one in groups if (group := read_as(one.kind, one.cards, wild_rank, rules))]
    laid.sort(key=lambda group: -loose_points(group.cards, wild_rank, rules))
    kept = counting(tuple(laid), rules)
    loose = without(hand, [card for group in kept for card in group.cards])
    wins = not loose and not declaration_faults(kept, rules)
    return groups, Arrangement(kept, loose, loose_points(loose, wild_rank, rules), wins)


def _foreign(groups: Sequence[Sequence[Card]], hand: Sequence[Card]) -> Iterator[Flaw]:
    rest = list(hand)
    for number, cards in enumerate(groups):
        for place, card in enumerate(cards):
            if card in rest:
                rest.remove(card)
            else:
                yield Flaw(f"/groups/{number}/{place}", f"{card} is not in the hand, or in another group already")


def _why(group: Group, groups: Sequence[Group], rules: RummyRules) -> str:
    """Why a group does not count beside the others (`engine.rummy.scoring.counting`)."""
    pure = any(each.kind == "pure_sequence" for each in groups)
    if not pure and (rules.pure_or_all_loose or (group.kind == "impure_sequence" and rules.impure_needs_pure)):
        return "there is no pure sequence, without which it does not count"
    if group.kind != "trio" or (
        pure and len([each for each in groups if each.kind != "trio"]) < 2 and rules.no_second_all_loose
    ):
        return "there is no second sequence, without which no group counts"
    if rules.max_trios_scored is not None and sum(each.kind == "trio" for each in groups) > rules.max_trios_scored:
        return (
            f"of trios, {rules.max_trios_scored} count, and only beside what trio_needs asks for ({rules.trio_needs})"
        )
    return f"a trio counts only beside what trio_needs asks for ({rules.trio_needs})"

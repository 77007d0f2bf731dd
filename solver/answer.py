"""What a search found, and from there to an arrangement of real cards, checked by the engine before it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import FACES, RANKS, Card, without
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import WrongArrangement, declaration_faults, verify_declaration, verify_scored
from engine.rummy.melds import KINDS, is_wild, read_as
from engine.rummy.scoring import loose_points
from solver.catalogue import Candidate
from solver.problem import Problem


@dataclass(frozen=True, slots=True)
class Found:
    """The best choice of groups; `fold` is the face let go (a place in `FACES`), None for a wildcard or if none is."""

    cost: int
    chosen: tuple[Candidate, ...]
    fold: int | None


class Answer(NamedTuple):
    """What was found, None if nothing, and whether that is proved the best (or that there is nothing)."""

    found: Found | None
    proved: bool


def settle(given: Problem, found: Found, *, covering: bool) -> tuple[Arrangement, Card | None]:
    """The chosen groups with a real card for each wildcard, what is loose, and the card let go (None if none is).

    `covering`: the groups were to be a declaration; otherwise what the hand is scored by. Raises `engine.rummy.declaration.WrongArrangement` if the engine does not accept it: a fault of the solver, never of
    the hand.
    """
    wild_rank, rules = given.wild_rank, given.rules
    rest = without(given.cards, [card for candidate in found.chosen for card in candidate.cards])
    wilds = [card for card in rest if is_wild(card, wild_rank)]
    groups = []
    for candidate in sorted(found.chosen, key=_group_order):
        cards = [*candidate.cards, *(wilds.pop(_wild_for(candidate, wilds)) for _ in range(candidate.wilds))]
        group = read_as(candidate.kind, cards, wild_rank, rules)
        if group is None:
            raise WrongArrangement(f"{' '.join(cards)} are no {candidate.kind}")
        groups.append(group)
    hand, discard = given.cards, None
    if given.fold:
        discard = wilds[0] if found.fold is None else FACES[found.fold]
        hand = without(hand, [discard])
    loose = _dearest_first(without(hand, [card for group in groups for card in group.cards]), given.costs)
    wins = not loose and not declaration_faults(groups, rules)
    arrangement = Arrangement(tuple(groups), loose, loose_points(loose, wild_rank, rules), wins)
    if arrangement.points != found.cost:
        raise WrongArrangement(f"it leaves {arrangement.points} points, not {found.cost}")
    verify = verify_declaration if covering else verify_scored
    verify(hand, arrangement, wild_rank, rules)
    return arrangement, discard


def _dearest_first(cards: Sequence[Card], worth: Mapping[Card, int]) -> tuple[Card, ...]:
    """Loose cards in the order in which a player wants to be rid of them."""
    return tuple(
        sorted(
            cards,
            key=lambda card: (-worth[card], -RANKS.index(card.rank) if card.rank else 0, card.order),
        )
    )


def _group_order(candidate: Candidate) -> tuple[int, int, int]:
    return (KINDS.index(candidate.kind), candidate.first, candidate.need)


def _wild_for(candidate: Candidate, wilds: Sequence[Card]) -> int:
    """Which wildcard to put in: one that could not stand there as a natural card, if there is one."""
    suit = candidate.cards[0].suit if candidate.cards else None
    return next((at for at, card in enumerate(wilds) if card.suit != suit), 0)

"""An arranger that searches for nothing: it knows the arrangements that a recorded match was decided by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.cards import Card, Rank, in_order
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import verify_arrangement
from engine.rummy.events import Penalised, RoundScored
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import loose_points


class RecordedArranger:
    """`Arranger` for replaying one move, from the `events` that were recorded of it (those of other games say nothing).

    What it answers is an arrangement of the hand it is asked about, checked by the rules; that no better one exists is
    for the solver to say. A hand whose declaration was recorded as failed has no winning one: it is answered as all loose.
    """

    def __init__(self, events: Iterable[Any]) -> None:
        events = tuple(events)
        results = [result for event in events if isinstance(event, RoundScored) for result in event.results]
        found = [result.grouping for result in results if result.grouping is not None]
        self._by_hand = {in_order(_cards_of(each)): each for each in found}
        self._failed = any(isinstance(event, Penalised) for event in events)

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """The recorded arrangement. Raises `WrongArrangement` where it is none of this hand's, `Undecided` without one."""
        found = self._by_hand.get(in_order(hand))
        if found is not None:
            verify_arrangement(hand, found, wild_rank, rules)
            return found
        if self._failed:
            return Arrangement((), tuple(hand), loose_points(hand, wild_rank), False)
        raise Undecided(f"no arrangement of {' '.join(in_order(hand))} is recorded")

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """Never needed to replay: a record holds moves, not what else would have been legal."""
        raise Undecided("a record says nothing of moves that were not made")


def _cards_of(arrangement: Arrangement) -> tuple[Card, ...]:
    return (*(card for group in arrangement.groups for card in group.cards), *arrangement.loose)

"""An arranger that searches for nothing: it knows the arrangements that a recorded match was decided by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.cards import Card, Rank, in_order
from engine.errors import Undecided
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import verify_declaration, verify_scored
from engine.rummy.events import Penalised, RoundScored
from engine.rummy.rules import RummyRules


class RecordedArranger:
    """`Arranger` for replaying one move, from the `events` that were recorded of it (those of other games say nothing).

    What it answers is an arrangement of the hand it is asked about, checked by the rules; that no better one exists is
    for the solver to say. A winner's declaration and what a loser was scored by are kept apart: with more than one deck
    both can be of equal hands. A hand whose declaration was recorded as failed has no winning one.
    """

    def __init__(self, events: Iterable[Any]) -> None:
        self._scored: dict[tuple[Card, ...], Arrangement] = {}
        self._declared: dict[tuple[Card, ...], Arrangement] = {}
        self._failed = False
        for event in events:
            self._failed = self._failed or isinstance(event, Penalised)
            for seat, result in enumerate(event.results if isinstance(event, RoundScored) else ()):
                if result.grouping is not None:
                    kept = self._declared if seat == event.winner else self._scored
                    kept[in_order(_cards_of(result.grouping))] = result.grouping

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """What the hand was scored by. Raises `WrongArrangement` where it cannot be scored so, `Undecided` without one."""
        found = self._scored.get(in_order(hand))
        if found is None:
            raise Undecided(f"no arrangement of {' '.join(in_order(hand))} is recorded")
        verify_scored(hand, found, wild_rank, rules)
        return found

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        """The winner's declaration, or None where it was recorded as failed. Raises `WrongArrangement` where it is no
        declaration of the hand, `Undecided` where neither is recorded."""
        found = self._declared.get(in_order(hand))
        if found is not None:
            verify_declaration(hand, found, wild_rank, rules)
        elif not self._failed:
            raise Undecided(f"no declaration of {' '.join(in_order(hand))} is recorded")
        return found

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """Never needed to replay: a record holds moves, not what else would have been legal."""
        raise Undecided("a record says nothing of moves that were not made")


def _cards_of(arrangement: Arrangement) -> tuple[Card, ...]:
    return (*(card for group in arrangement.groups for card in group.cards), *arrangement.loose)

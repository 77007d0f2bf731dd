"""Groups and arrangements of a hand as values, and what the engine may ask of a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from engine.cards import Card, Rank
from engine.rummy.rules import RummyRules

Kind = Literal["pure_sequence", "impure_sequence", "trio"]  # the one that helps the player most first


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together. `stands_for[i]` is what `cards[i]` counts as: itself, the face that a wildcard replaces in
    a sequence (``"3C"``), or in a trio the bare rank (``"8"``)."""

    kind: Kind
    cards: tuple[Card, ...]
    stands_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Thirteen cards sorted into groups and loose cards: a declaration, or what a hand is scored by, and then all groups
    count. `points` are the loose cards' points before any cap; `declarable` says that these very groups are a winning
    declaration."""

    groups: tuple[Group, ...]
    loose: tuple[Card, ...]
    points: int
    declarable: bool


class Arranger(Protocol):
    """Finds arrangements for the engine, which never searches itself. The solver is one, a recorded match another.

    What a hand costs its loser and whether it can be declared are two questions (rules.md §1.3, §1.6): a declaration may
    hold groups that do not count in a score. Answers are proved; where they cannot be within the work limit,
    `engine.errors.Undecided` is raised.
    """

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        """The arrangement that leaves the fewest points by the rules of scoring, which know nothing of declaring."""

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        """A winning declaration of all cards of a hand, or None where there is none."""

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        """For each face of a hand of fourteen whose fold wins, a winning declaration of the other thirteen."""

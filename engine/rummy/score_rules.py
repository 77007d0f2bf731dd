"""The numbers and readings of 13-card rummy that concern scores, as documented fields (rules.md §1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import RANKS
from engine.hashed import HashedOnce
from engine.options import option
from engine.rummy.round_rules import RoundRules

MAX_CARD_POINTS: Final = 100
_POINTS: Final = (10, *range(2, 11), 10, 10, 10)  # in the order of RANKS


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRules(RoundRules):
    """The rules of a round with its scores; defaults are the preset `house`."""

    __hash__ = HashedOnce.__hash__

    points: tuple[int, ...] = option(
        "points", _POINTS, "1.6",
        "What a loose card of each rank costs. A loose wildcard costs nothing, a card of the wild rank neither.",
        names=RANKS, minimum=1, maximum=MAX_CARD_POINTS,
        before=lambda _: _POINTS,
    )  # fmt: skip
    ace_points: int | None = option(
        "integer", None, "1.6", "What a loose ace costs; null: what points says.",
        minimum=1, maximum=MAX_CARD_POINTS, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    trio_needs: str = option(
        "choice", "impure_sequence", "1.6",
        "What the same grouping must hold for its trios to count in a score: an impure sequence (impure_sequence), an impure sequence "
        "or two pure ones (second_sequence), a pure sequence and another sequence (pure_and_second), or nothing.",
        choices=("impure_sequence", "second_sequence", "pure_and_second", "nothing"),
    )  # fmt: skip
    max_trios_scored: int | None = option(
        "integer", None, "1.6", "Trios that count in a score; null: any number. What a declaration may hold is max_trios.",
        minimum=0, maximum=4, nullable=True,
        before=lambda written: written.get("max_trios"),
    )  # fmt: skip
    impure_needs_pure: bool = option(
        "boolean", False, "1.6", "Impure sequences count in a score only beside a pure sequence."
    )
    no_pure_all_loose: bool = option(
        "boolean", False, "1.6", "Without a pure sequence every card of the hand is loose."
    )
    full_count_without_pure: int | None = option(
        "integer", None, "1.6",
        "What the cards of a loser cost in all, whatever they are, where no pure sequence counts (under no_second_all_loose: nor does "
        "one without a second); null: what they cost one by one. Halving and the cap apply to it. All of them are loose then.",
        minimum=0, maximum=1000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    no_second_all_loose: bool = option(
        "boolean", False, "1.6", "With a pure sequence but no second sequence every card of the hand is loose."
    )
    first_turn_halves: bool = option(
        "boolean", True, "1.6",
        "If the starting seat declares on the very first turn of a round, before anyone else has acted, every other total of loose cards is halved.",
    )  # fmt: skip
    halve_rounding: str = option(
        "choice",
        "down",
        "1.6",
        "How a half point is rounded: down, up, or kept (exact).",
        choices=("down", "up", "exact"),
    )
    halves_for: str = option(
        "choice", "all", "1.6",
        "Under first_turn_halves: whose total is halved. Every loser's, where the very first turn of the round won (all); or that of each "
        "loser who has had no turn of its own when another seat declares, whichever turn that was (no_turn).",
        choices=("all", "no_turn"),
        before=lambda _: "all",
    )  # fmt: skip
    cap_before_halving: bool = option(
        "boolean", False, "1.6", "The cap comes before the halving: 98 points at a cap of 80 are 40, not 49.",
        before=lambda _: False,
    )  # fmt: skip
    loser_grouping: str = option(
        "choice", "best", "1.6",
        "What a loser is scored by: the grouping that leaves the fewest points (best), or its own groups as sent to /v1/rummy/scores, where it sent any (submitted); in games, which take no groups of losers, the best.",
        choices=("best", "submitted"),
        before=lambda _: "best",
    )  # fmt: skip
    points_cap: int | None = option(
        "integer",
        None,
        "1.6",
        "The most that loose cards can cost; null: no cap.",
        minimum=1,
        maximum=1000,
        nullable=True,
    )

    @property
    def rank_points(self) -> tuple[int, ...]:
        """What a loose card costs that is not wild, in the order of RANKS."""
        return self.points if self.ace_points is None else (self.ace_points, *self.points[1:])

    @property
    def pure_or_all_loose(self) -> bool:
        """Whether no card counts as grouped without a pure sequence."""
        return self.no_pure_all_loose or self.full_count_without_pure is not None

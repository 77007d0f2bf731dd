"""Every number and every reading of Swoop as a documented field, and the presets (rules.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import RANKS, InPlay, Rank
from engine.errors import Flaw
from engine.match import Terms
from engine.options import option

SEATS: Final = range(2, 9)
MAX_STACKS: Final = 8

# A 1, 2-9 their face value, ten 50, jack, queen and king 10, joker 50: in the order of POINT_NAMES (§2.4).
_POINTS: Final = (*range(1, 10), 50, 10, 10, 10, 50)

_ACE_LOW: Final[Mapping[Rank | None, int]] = {rank: value for value, rank in enumerate(RANKS, 1)}
_ACE_HIGH: Final[Mapping[Rank | None, int]] = {**_ACE_LOW, "A": len(RANKS) + 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class SwoopRules:
    """The rules of one match; defaults are the preset `house`."""

    decks: int | None = option(
        "integer",
        None,
        "2.1",
        "Decks merged for the deal; null: as many as players_per_deck and min_decks say.",
        minimum=1,
        maximum=8,
        nullable=True,
    )
    players_per_deck: int = option(
        "integer", 2, "2.1", "There is one deck for every so many players, rounded up.", minimum=1, maximum=8
    )
    min_decks: int = option(
        "integer", 1, "2.1", "The fewest decks used, however few players there are.", minimum=1, maximum=8
    )
    printed_jokers_per_deck: int = option(
        "integer",
        0,
        "2.1",
        "Printed jokers in each deck. A joker clears like a ten, but is a rank of its own: jokers and tens are not one play.",
        minimum=0,
        maximum=4,
    )
    hand_size: int = option("integer", 8, "2.1", "Cards dealt to each hand.", minimum=0, maximum=26)
    stacks: int = option(
        "integer",
        4,
        "2.1",
        "Stacks in front of each player: a guard face up, and under it a secret face down, unknown to its owner too.",
        minimum=1,
        maximum=MAX_STACKS,
    )
    ace_high: bool = option(
        "boolean", False, "2.1", "The ace ranks above the king, not below the two. Its points stay."
    )
    clear_size: int = option(
        "integer",
        4,
        "2.2",
        "So many cards of one rank on top of the pile, whoever played them, clear it; more of them do too.",
        minimum=2,
        maximum=32,
    )
    quad_beats_pickup: bool = option(
        "boolean",
        False,
        "2.2",
        "A play of clear_size or more cards of one rank clears the pile even where its rank is above the top card's; if not, it is a pick-up.",
    )
    pickup_ends_turn: bool = option(
        "boolean",
        False,
        "2.2",
        "After a pick-up the turn passes on; if not, it continues and another play must be made.",
    )
    secret_only_when_stuck: bool = option(
        "boolean",
        False,
        "2.3",
        "A secret may be flipped only where no play from hand and guards is safe or clears the pile.",
    )
    points: tuple[int, ...] = option(
        "points",
        _POINTS,
        "2.4",
        "What each card costs that is left in hand, guards and secrets when a round ends.",
        minimum=0,
        maximum=1000,
    )
    limit: int = option(
        "integer",
        150,
        "2.5",
        "The match ends after the round in which a total reaches this.",
        minimum=1,
        maximum=100000,
    )
    max_plies: int = option(
        "integer",
        2000,
        "2.5",
        "Plies in a round, flips and plays, after which it ends without a winner and everyone scores.",
        minimum=1,
        maximum=10000,
    )

    @classmethod
    def presets(cls) -> Mapping[str, SwoopRules]:
        return PRESETS

    @property
    def terms(self) -> Terms:
        """What these rules say of a match."""
        return Terms(target=self.limit, target_reason="limit")

    def contradictions(self) -> tuple[Flaw, ...]:
        return ()

    def in_play(self, seats: int) -> InPlay:
        """The cards that so many seats are dealt from (§2.1): what the deal and every check of copies go by."""
        decks = self.decks
        if decks is None:
            decks = max(self.min_decks, -(-seats // self.players_per_deck))
        return InPlay(decks, self.jokers_in(decks))

    def jokers_in(self, decks: int) -> int:
        """Printed jokers in play with so many decks (§2.1)."""
        return self.printed_jokers_per_deck * decks

    def cards_for(self, seats: int) -> int:
        """Cards that are dealt to so many seats: hands, secrets and guards (§2.1)."""
        return seats * (self.hand_size + 2 * self.stacks)

    def order(self) -> Mapping[Rank | None, int]:
        """The value of each rank in the order of play (§2.1); a joker has none, for it is never compared."""
        return _ACE_HIGH if self.ace_high else _ACE_LOW


HOUSE = SwoopRules()

# Swoop as it is usually sold (§2.6).
CLASSIC = replace(HOUSE, hand_size=11, printed_jokers_per_deck=2, min_decks=2, pickup_ends_turn=True, limit=500)

# A preset never changes once released: a changed reading is a new name.
PRESETS: Mapping[str, SwoopRules] = {"house": HOUSE, "classic": CLASSIC}

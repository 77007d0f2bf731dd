"""Every number and every reading of 13-card rummy as a documented field, and the presets (rules.md §1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.errors import Flaw
from engine.hashed import HashedOnce
from engine.match import Terms
from engine.options import option
from engine.rummy.score_rules import ScoreRules

HAND_SIZE = 13
SEATS = range(2, 11)
MIN_GROUP = 3
STANDALONE_COPIES, STANDALONE_JOKERS = 3, 6  # a hand sent by itself, where neither decks nor jokers are set (§1.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RummyRules(ScoreRules):
    """The rules of one match: those of its rounds, and how rounds make a match (§1.9); defaults are the preset `house`."""

    __hash__ = HashedOnce.__hash__

    format: str = option(
        "choice", "rounds", "1.9",
        "How rounds make a match: a number of them, or a target (rounds); until one seat is below a limit (pool); chips over a "
        "number of deals (deals). The options of the other formats say nothing.",
        choices=("rounds", "pool", "deals"),
        before=lambda _: "rounds",
    )  # fmt: skip
    pool_limit: int | None = option(
        "integer", None, "1.9", "Pool: a seat whose total reaches this is out. A pool needs one.",
        minimum=1, maximum=100000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    pool_rejoin_ceiling: int | None = option(
        "integer", None, "1.9",
        "Pool: the highest total that a seat still in may have for others to come back; below pool_limit - 1; null: no rejoining.",
        minimum=0, maximum=100000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    pool_rejoins: int | None = option(
        "integer", None, "1.9", "Pool: how often one seat may come back; null: any number of times.",
        minimum=0, maximum=1000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    pool_split: str = option(
        "choice", "none", "1.9",
        "Pool: two or three seats left of a table of three or more share the pot: at once where each total is at least "
        "pool_split_total (automatic), by agreement (manual), either (both), or never (none).",
        choices=("none", "automatic", "manual", "both"),
        before=lambda _: "none",
    )  # fmt: skip
    pool_split_total: int | None = option(
        "integer", None, "1.9",
        "Pool: what each total must at least be for an automatic split, which needs it; above pool_rejoin_ceiling.",
        minimum=0, maximum=100000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    deals: int | None = option(
        "integer", None, "1.9", "Deals: how many are played. The format needs it.", minimum=1, maximum=1000, nullable=True,
        before=lambda _: None,
    )  # fmt: skip
    chips_per_deal: int = option(
        "integer", 80, "1.9", "Deals: each seat starts with so many chips for each deal.", minimum=0, maximum=100000,
        before=lambda _: 80,
    )  # fmt: skip
    tie_break_deals: int = option(
        "integer", 3, "1.9", "Deals: at most so many more between those who are level at the top; then they share.",
        minimum=0, maximum=1000,
        before=lambda _: 3,
    )  # fmt: skip
    packing: bool = option("boolean", True, "1.9", "Players may pack; if not, pack is an illegal move.",
        before=lambda _: True,
    )  # fmt: skip

    @classmethod
    def presets(cls) -> Mapping[str, RummyRules]:
        return PRESETS

    @property
    def terms(self) -> Terms:
        """What these rules say of a match."""
        return Terms(
            format=self.format,
            rounds=self.rounds,
            target=self.target_points,
            pool_limit=self.pool_limit,
            pool_rejoin_ceiling=self.pool_rejoin_ceiling,
            pool_rejoins=self.pool_rejoins,
            pool_split=self.pool_split,
            pool_split_total=self.pool_split_total,
            pack_first=self.pack_first if self.packing else None,
            deals=self.deals,
            chips_per_deal=self.chips_per_deal,
            tie_break_deals=self.tie_break_deals,
        )

    def contradictions(self) -> tuple[Flaw, ...]:
        return (*self._round_contradictions(), *self._format_contradictions())

    def _format_contradictions(self) -> Iterator[Flaw]:
        if self.format == "pool":
            yield from self._pool_contradictions()
        if self.format == "deals" and self.deals is None:
            yield Flaw("/deals", "is needed in deals: how many are played")

    def _pool_contradictions(self) -> Iterator[Flaw]:
        if self.pool_limit is None:
            yield Flaw("/pool_limit", "is needed in a pool: the total that puts a seat out")
            return
        ceiling, least = self.pool_rejoin_ceiling, self.pool_split_total
        if ceiling is not None and ceiling >= self.pool_limit - 1:
            yield Flaw("/pool_rejoin_ceiling", f"must be below pool_limit - 1 ({self.pool_limit - 1})")
        if self.pool_split not in ("automatic", "both"):
            return
        if least is None:
            yield Flaw("/pool_split_total", "is needed for an automatic split")
        elif ceiling is not None and least <= ceiling:
            yield Flaw("/pool_split_total", f"must be above pool_rejoin_ceiling ({ceiling})")


HOUSE = RummyRules()

# The usual Points and Pool rules of Indian rummy apps (§1.8).
INDIAN = replace(
    HOUSE,
    one_deck_up_to=0,
    two_decks_up_to=6,
    printed_jokers_per_deck=1,
    exposed_joker="aces_wild",
    triple_is_pure_sequence=False,
    max_wilds_per_sequence=None,
    trio_sizes=(3, 4),
    max_wilds_per_trio=None,
    trio_suits_distinct=True,
    opening_cards=None,
    max_trios=None,
    invalid_declaration="penalty",
    may_take_discarded_wild=False,
    trio_needs="pure_and_second",
    impure_needs_pure=True,
    no_pure_all_loose=True,
    first_turn_halves=False,
    points_cap=80,
)

# The formats that rooms run (§1.9), each from `indian`.
POINTS_80 = replace(INDIAN, rounds=1)
POOL_61 = replace(
    INDIAN,
    format="pool",
    pool_limit=61,
    pack_first=15,
    pack_later=30,
    invalid_declaration_points=60,
    pool_rejoin_ceiling=44,
    pool_split="manual",
)
POOL_101 = replace(
    INDIAN, format="pool", pool_limit=101, pool_rejoin_ceiling=79, pool_split="both", pool_split_total=80
)
POOL_201 = replace(
    INDIAN,
    format="pool",
    pool_limit=201,
    pack_first=25,
    pack_later=50,
    pool_rejoin_ceiling=174,
    pool_split="both",
    pool_split_total=175,
)

# A preset never changes once released: a changed reading is a new name.
PRESETS: Mapping[str, RummyRules] = {
    "house": HOUSE,
    "indian": INDIAN,
    "points_80": POINTS_80,
    "points_80_10_30": replace(POINTS_80, pack_first=10, pack_later=30),
    "pool_61": POOL_61,
    "pool_101": POOL_101,
    "pool_201": POOL_201,
    "deals_2": replace(INDIAN, format="deals", deals=2),
    "deals_3": replace(INDIAN, format="deals", deals=3),
    "deals_6": replace(INDIAN, format="deals", deals=6),
    "best_of_3": replace(INDIAN, rounds=3),
}

"""Hypothesis strategies for cards, hands and rules."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Rank
from engine.rummy.rules import HOUSE, INDIAN, RummyRules

cards = st.sampled_from(FACES)
wild_ranks: st.SearchStrategy[Rank | None] = st.sampled_from((*RANKS, None))


@st.composite
def hands(draw: st.DrawFn, size: int = 13, max_copies: int = 3, max_jokers: int = 6) -> tuple[Card, ...]:
    """Hands that form groups: their cards come from few suits and a span of ranks, in up to three copies, with jokers."""
    suits = draw(st.lists(st.sampled_from(SUITS), min_size=1, max_size=4, unique=True))
    low = draw(st.integers(0, 9))
    high = draw(st.integers(low + 4, 13))
    copies = draw(st.integers(1, max_copies))
    shoe = [Card(rank + suit) for rank in RANKS[low:high] for suit in suits] * copies
    shoe += [JOKER] * draw(st.integers(0, max_jokers))
    while len(shoe) < size:  # too few cards for a hand: widen to what else there is
        shoe += [face for face in FACES[:-1] if shoe.count(face) < max_copies]
    places = draw(st.lists(st.integers(0, len(shoe) - 1), min_size=size, max_size=size, unique=True))
    return tuple(shoe[place] for place in places)


@st.composite
def rules(draw: st.DrawFn) -> RummyRules:
    """Either preset with any of the options changed that concern groups, declarations and scores."""
    booleans = (
        "wild_at_own_place",
        "triple_is_pure_sequence",
        "trio_suits_distinct",
        "impure_needs_pure",
        "no_pure_all_loose",
        "no_second_all_loose",
    )
    values: dict[str, st.SearchStrategy[object]] = {
        **{name: st.booleans() for name in booleans},
        "max_wilds_per_sequence": st.sampled_from((1, 2, 3, 5, None)),
        "min_naturals_per_sequence": st.integers(1, 4),
        "trio_sizes": st.sampled_from(((3,), (4,), (3, 4), (3, 5))),
        "max_wilds_per_trio": st.sampled_from((0, 1, 2, None)),
        "opening_cards": st.sampled_from((None, (6, 6), (6, 7), (7, 7), (7, 13), (9, 11))),
        "max_trios": st.sampled_from((0, 1, 2, 3, None)),
        "max_trios_scored": st.sampled_from((0, 1, 2, 3, None)),
        "trio_needs": st.sampled_from(("second_sequence", "impure_sequence", "pure_and_second", "nothing")),
        "points_cap": st.sampled_from((None, 10, 80)),
        "wildcards_alone": st.sampled_from(("none", "trio", "impure_sequence")),
        "full_count_without_pure": st.sampled_from((None, 10, 80)),
        "cap_before_halving": st.booleans(),
        "ace_points": st.sampled_from((None, 1, 5, 15)),
        "points": st.sampled_from((HOUSE.points, (1, *range(2, 10), 10, 10, 10, 10), tuple(range(13, 0, -1)))),
    }
    changed = draw(st.fixed_dictionaries({}, optional=values))
    return replace(draw(st.sampled_from((HOUSE, INDIAN))), **changed)

"""The oracle against the handed cases, and against a still plainer search over small hands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import RANKS, Card, Rank
from engine.rummy.rules import HOUSE, INDIAN, PRESETS, RummyRules
from tests import strategies
from tests.solver import oracle
from tests.solver.oracle_groups import value

CASES = Path(__file__).parent.parent / "cases"


def rows(name: str) -> list[Any]:
    rows: list[dict[str, Any]] = json.loads((CASES / name).read_text())
    return [pytest.param(row, id=row["id"]) for row in rows if row.get("kind", "solve") == "solve"]


def hand_of(row: dict[str, Any]) -> list[Card]:
    return [Card(face) for face in row["hand"]]


@pytest.mark.parametrize("row", rows("rummy-hands.json"))
@pytest.mark.parametrize("preset", ["house", "indian"])
def test_agrees_with_the_handed_hands(row: dict[str, Any], preset: str) -> None:
    answer = oracle.solve(hand_of(row), row["wild_rank"], PRESETS[preset])
    points = 0 if answer.declarable else answer.capped
    found = {"points": points, "loser_points": answer.capped, "declarable": answer.declarable}
    assert {name: found[name] for name in row[preset]} == row[preset]


@pytest.mark.parametrize("row", rows("rummy-discards.json"))
def test_agrees_with_the_handed_discards(row: dict[str, Any]) -> None:
    answers = oracle.discards(hand_of(row), row["wild_rank"], HOUSE)
    points = {card: 0 if answer.declarable else answer.points for card, answer in answers.items()}
    fewest = min(points.values())
    assert points == row["points_by_discard"]
    assert fewest == row["points"]
    folds = [card for card in points if answers[card].declarable]
    assert sorted(folds) == sorted(row["fold"])
    assert sorted(folds or [card for card in points if points[card] == fewest]) == sorted(row["best"])


@pytest.mark.parametrize("row", rows("peer-cases.json"))
def test_agrees_with_other_projects(row: dict[str, Any]) -> None:
    answer = oracle.solve(hand_of(row), row["wild_rank"], INDIAN)
    found = {"points": answer.capped, "declarable": answer.declarable}
    assert {name: found[name] for name in row["expect"]} == row["expect"]


@settings(max_examples=150, deadline=None)
@given(st.integers(5, 8).flatmap(strategies.hands), strategies.wild_ranks, strategies.rules())
def test_agrees_with_the_plainest_search(hand: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> None:
    answer = oracle.solve(hand, wild_rank, rules)
    assert (answer.points, answer.loose, answer.declarable) == plainest(hand, wild_rank, rules)


def test_a_wild_card_in_its_own_gap_may_be_called_wild() -> None:
    # pure alone opens no trio; called impure, the same three cards do: 5S 5H 5D then count
    hand = [Card(face) for face in ("TC", "JC", "QC", "5S", "5H", "5D")]
    assert oracle.solve(hand, "J", HOUSE).points == 0
    assert oracle.solve(hand, "K", HOUSE).points == 15


def test_the_scorer_never_asks_about_declaring() -> None:
    hand = list(map(Card, ["4S", "5S", "6S", "8H", "9H", "TH", "JH", "2C", "2D", "2H", "KC", "KD", "KH"]))
    assert oracle.solve(hand, None, HOUSE) == oracle.Answer(points=36, capped=36, declarable=True, loose=36)


def plainest(hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> tuple[int, int, bool]:
    """Every partition of the very cards into groups and loose ones, every kind of each group, judged word by word."""

    @cache
    def kinds(cards: tuple[Card, ...]) -> frozenset[str]:
        return frozenset(_kinds(cards, wild_rank, rules))

    def partitions(cards: tuple[Card, ...]) -> Iterator[list[tuple[str, tuple[Card, ...]]]]:
        if not cards:
            yield []
            return
        first, rest = cards[0], cards[1:]
        for chosen in range(1 << len(rest)):
            group = (first, *(card for place, card in enumerate(rest) if chosen >> place & 1))
            left = tuple(card for place, card in enumerate(rest) if not chosen >> place & 1)
            if len(group) == 1 or len(group) >= 3:
                for kind in kinds(group) if len(group) > 1 else ("loose",):
                    yield from ([(kind, group), *others] for others in partitions(left))

    tries = list(partitions(tuple(sorted(hand, key=lambda card: card.order))))
    full, loose = min(_loose_points(groups, wild_rank, rules) for groups in tries)
    points = rules.full_count_without_pure if full and rules.full_count_without_pure is not None else loose
    return points, loose, any(_wins(groups, rules) for groups in tries)


def _kinds(cards: tuple[Card, ...], wild_rank: Rank | None, rules: RummyRules) -> Iterator[str]:
    def wild(card: Card) -> bool:
        return card.is_joker or card.rank == wild_rank

    for chosen in range(1 << len(cards)):
        wilds = [card for place, card in enumerate(cards) if chosen >> place & 1]
        naturals = [card for place, card in enumerate(cards) if not chosen >> place & 1]
        if not naturals and all(map(wild, wilds)):
            if rules.wildcards_alone == "trio" and len(cards) in rules.trio_sizes:
                yield "trio"
            if rules.wildcards_alone == "impure_sequence" and len(cards) <= 13:
                yield "impure"
        if not naturals or not all(map(wild, wilds)) or any(card.is_joker for card in naturals):
            continue
        if not rules.wild_at_own_place and any(map(wild, naturals)):
            continue
        if _is_run(naturals, len(cards)):
            if not wilds:
                yield "pure"
            elif len(naturals) >= rules.min_naturals_per_sequence and len(wilds) <= (
                rules.max_wilds_per_sequence or 99
            ):
                yield "impure"
        same = len(set(cards)) == 1
        if same and not wilds and len(cards) == 3 and rules.triple_is_pure_sequence:
            yield "pure"
        most = 99 if rules.max_wilds_per_trio is None else rules.max_wilds_per_trio
        one_rank = len({card.rank for card in naturals}) == 1
        suits_fit = not rules.trio_suits_distinct or len(set(naturals)) == len(naturals)
        if one_rank and suits_fit and not same and len(cards) in rules.trio_sizes and len(wilds) <= most:
            yield "trio"


def _is_run(naturals: Sequence[Card], length: int) -> bool:
    """Whether these cards lie, with gaps, within a run of so many cards."""
    if len({card.suit for card in naturals}) != 1 or not 3 <= length <= 13:
        return False
    ranks = [card.rank for card in naturals]
    ring = (*RANKS, RANKS[0])
    return any(not Counter(ranks) - Counter(ring[low : low + length]) for low in range(14 - length + 1))


def _loose_points(
    groups: Sequence[tuple[str, tuple[Card, ...]]], wild_rank: Rank | None, rules: RummyRules
) -> tuple[bool, int]:
    """The points of the loose cards, and before them whether the full count is charged instead: with a pure sequence that
    counts, it never is."""

    def worth(cards: tuple[Card, ...]) -> int:
        return sum(value(card, wild_rank, rules) for card in cards)

    total = sum(worth(cards) for _, cards in groups)
    pure = [worth(cards) for kind, cards in groups if kind == "pure"]
    impure = [worth(cards) for kind, cards in groups if kind == "impure"]
    trios = sorted((worth(cards) for kind, cards in groups if kind == "trio"), reverse=True)
    charges_full = rules.full_count_without_pure is not None
    if not pure and (rules.no_pure_all_loose or charges_full):
        return charges_full, total
    if rules.impure_needs_pure and not pure:
        impure = []
    if rules.no_second_all_loose and len(pure) == 1 and not impure:
        return charges_full, total
    open_to_trios = {
        "second_sequence": bool(impure) or len(pure) >= 2,
        "impure_sequence": bool(impure),
        "pure_and_second": bool(pure) and len(pure) + len(impure) >= 2,
        "nothing": True,
    }[rules.trio_needs]
    counting = trios[: rules.max_trios_scored] if open_to_trios else []
    return False, total - sum(pure) - sum(impure) - sum(counting)


def _wins(groups: Sequence[tuple[str, tuple[Card, ...]]], rules: RummyRules) -> bool:
    kinds = Counter(kind for kind, _ in groups)
    if kinds["loose"] or not kinds["pure"] or kinds["pure"] + kinds["impure"] < 2:
        return False
    if rules.max_trios is not None and kinds["trio"] > rules.max_trios:
        return False
    least, most = rules.opening_cards or (0, 99)
    sequences = [(place, kind, len(cards)) for place, (kind, cards) in enumerate(groups) if kind != "trio"]
    return any(
        kind == "pure" and place != other and least <= size + second <= most
        for place, kind, size in sequences
        for other, _, second in sequences
    )

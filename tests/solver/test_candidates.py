"""The candidates that are left out are not missed: answers equal those over every group there is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from bench.hands import KINDS, hands, option_mix
from engine.cards import JOKER, RANKS, SUITS, Card, in_order, missing
from engine.rummy.arrangement import Kind
from engine.rummy.melds import KINDS as GROUP_KINDS
from engine.rummy.melds import MAX_SEQUENCE, is_wild, read_as
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from solver.candidates import Candidates, Choices
from solver.gates import declaration_gates, scoring_gates, symbol
from solver.problem import Candidate, Problem, problem, promise
from solver.reduction import Search


def every_group(given: Problem) -> Iterator[tuple[Kind, tuple[Card, ...]]]:
    """Each sub-multiset of the hand that the engine calls a group, as real cards, wildcards included."""
    faces = sorted(set(given.cards), key=given.cards.index)
    wilds = [face for face in faces if is_wild(face, given.wild_rank)]
    plain = [face for face in faces if not is_wild(face, given.wild_rank)]
    pools = [[face for face in plain if face.suit == suit] for suit in SUITS]
    pools += [[face for face in plain if face.rank == rank] for rank in RANKS]
    seen = set()
    for pool in pools:
        for size in range(3, min(len(given.cards), MAX_SEQUENCE) + 1):
            for cards in combinations_with_replacement([*pool, *wilds], size):
                if cards not in seen and not missing(cards, given.cards):
                    seen.add(cards)
                    for kind in GROUP_KINDS:
                        if read_as(kind, cards, given.wild_rank, given.rules):
                            yield kind, cards


def unreduced(given: Problem) -> Choices:
    """All groups as one list of candidates, each of the very cards that it is made of."""
    choices = Choices(given, True)
    for row in choices.rows:
        row.clear()
    for kind, cards in every_group(given):
        alone = all(is_wild(card, given.wild_rank) for card in cards) and kind != "pure_sequence"
        alike = alone and given.rules.wildcards_alone == kind  # one of wildcards alone is told as any of as many
        slots = [] if alike else [given.slots[card.order] for card in cards]
        wilds = len(cards) if alike else 0
        need = sum(given.units[slot] for slot in slots) + wilds * given.pool_unit
        slot, place = min(slots, default=len(given.faces)), GROUP_KINDS.index(kind)
        choices.rows[slot].append((promise(place, wilds, len(cards)), need, symbol(kind, len(cards))))
        choices.covers[slot] |= need
    return choices


def both(given: Problem) -> tuple[Choices, Choices]:
    choices = Candidates(given)
    return choices.exact, choices.lean


def answers(given: Problem, exact: Choices, lean: Choices) -> tuple[bool, int | None]:
    declared = Search(given, exact, declaration_gates(given.rules), covering=True, limit=10**7).best(1)
    scored = Search(given, lean, scoring_gates(given.rules), covering=False, limit=10**7).best(10_000)
    assert scored is not None or given.rules.full_count_without_pure is not None
    return declared is not None, None if scored is None else scored.cost


RULES: dict[str, Callable[[random.Random], RummyRules]] = {
    "house": lambda rng: HOUSE,
    "indian": lambda rng: INDIAN,
    "mixed": option_mix,
}


@pytest.mark.parametrize("which", RULES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "count"), [(8, 20), (10, 2)])
def test_nothing_that_matters_is_left_out(which: str, kind: str, size: int, count: int) -> None:
    rng = random.Random(f"candidates {which} {kind} {size}")
    for dealt in hands(kind, count, size, seed=3):
        rules: RummyRules = RULES[which](rng)
        given = problem(dealt.hand, dealt.wild_rank, rules)
        whole = unreduced(given)
        exact, lean = both(given)
        assert answers(given, exact, lean) == answers(given, whole, whole), f"{dealt} {rules}"


@pytest.mark.parametrize("which", RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_candidate_is_a_group(which: str, kind: str) -> None:
    rng = random.Random(f"groups {which} {kind}")
    for dealt in hands(kind, 60, seed=4):
        given = problem(dealt.hand, dealt.wild_rank, RULES[which](rng))
        wilds = [card for card in given.cards if is_wild(card, given.wild_rank)]
        for one in (some for choices in both(given) for some in choices):
            free = missing(wilds, [card for card in one.cards if card in wilds])
            if len(free) >= one.wilds:
                cards = (*one.cards, *free[: one.wilds])
                assert read_as(one.kind, cards, given.wild_rank, given.rules), f"{one} of {dealt}"


def groups(text: str, wild_rank: str | None, rules: RummyRules) -> dict[str, list[str]]:
    """The candidates of a hand in short: naturals and a star for each wildcard."""
    exact, lean = both(problem([Card(face) for face in text.split()], wild_rank, rules))

    def short(choices: Choices) -> list[str]:
        return sorted(f"{' '.join(one.cards)}{' *' * one.wilds}" for one in choices)

    return {"exact": short(exact), "lean": short(lean)}


def test_a_run_is_a_candidate_once_wherever_its_wildcard_stands() -> None:
    found = groups("4S 5S JK 9H 9D KC QD", None, HOUSE)
    assert found["lean"] == ["4S 5S *", "9H 9D *"]
    assert found["exact"] == ["4S 5S *", "9H 9D *"]


def test_runs_from_six_on_are_left_out() -> None:
    found = groups("AS 2S 3S 4S 5S 6S 7S", None, HOUSE)
    assert max(len(group.split()) for group in found["exact"]) == 5
    long = groups("AS 2S 3S 4S 5S 6S 7S", None, replace(HOUSE, opening_cards=(7, 13)))
    assert max(len(group.split()) for group in long["exact"]) == 6
    assert max(len(group.split()) for group in long["lean"]) == 5


def test_lean_groups_hold_the_fewest_wildcards() -> None:
    found = groups("4S 5S JK JK JK 9H 9D", None, replace(HOUSE, max_wilds_per_sequence=None))
    assert "4S 5S *" in found["lean"]
    assert "4S 5S * *" not in found["lean"]
    assert {"4S 5S *", "4S 5S * *", "4S 5S * * *"} <= set(found["exact"])


def test_nothing_is_searched_for_points_where_nothing_counts() -> None:
    text = "4S 5S JK JK JK 9H 9D"  # no pure sequence
    assert groups(text, None, INDIAN)["lean"] == []
    assert groups(text, None, replace(INDIAN, no_pure_all_loose=False, impure_needs_pure=False))["lean"]


def test_the_order_of_candidates_does_not_depend_on_that_of_the_cards() -> None:
    for dealt in hands("wilds", 30, seed=5):
        shuffled = random.Random(5).sample(dealt.hand, len(dealt.hand))
        ordered: list[list[Candidate]] = []
        for hand in (dealt.hand, in_order(shuffled)):
            exact, lean = both(problem(hand, dealt.wild_rank, HOUSE))
            ordered.append([*exact, *lean])
        assert ordered[0] == ordered[1]


def test_a_joker_is_never_natural() -> None:
    exact, _ = both(problem([JOKER] * 4 + [Card("5H"), Card("6H"), Card("KC")], None, HOUSE))
    assert all(JOKER not in one.cards for one in exact)

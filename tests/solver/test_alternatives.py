"""Alternatives: all that there are, as brute force over the candidates finds them, in an order that no shuffling changes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from bench.hands import KINDS, Dealt, hand, option_mix
from engine.cards import JOKER
from engine.rummy.arrangement import Arrangement, Group
from engine.rummy.declaration import declaration_faults, verify_declaration, verify_scored
from engine.rummy.melds import KINDS as GROUP_KINDS
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from engine.rummy.scoring import counting
from solver.alternatives import Shape, alternatives, shape_of
from solver.candidates import Candidates
from solver.problem import Candidate, Problem, problem
from solver.solve import best_grouping

Grouping = frozenset[tuple[Shape, int]]  # the shapes of its groups, and how often each is there

MANY = 20
STEPS = 8_000  # of brute force for one hand; those that take more are left out, and counted
CASES = [(kind, number) for kind in KINDS for number in range(18)]


def case(kind: str, number: int) -> tuple[Dealt, RummyRules]:
    rules = {0: HOUSE, 1: INDIAN}.get(number % 3) or option_mix(random.Random(f"alternatives/{kind}/{number}"))
    return hand(kind, 13, f"alternatives/{number}"), rules


def shapes(arrangement: Arrangement, dealt: Dealt) -> Counter[Shape]:
    return Counter(shape_of(group.cards, dealt.wild_rank) for group in arrangement.groups)


class TooMany(Exception):
    """More steps than brute force is given."""


def brute_force(dealt: Dealt, rules: RummyRules, best: Arrangement) -> set[Grouping]:
    """The shapes of all groupings that are worth as much as the best one."""
    given = problem(dealt.hand, dealt.wild_rank, rules)
    some = Candidates(given)
    able = list(some.exact if best.declarable else some.equals())
    gain = given.points() - best.points
    steps = 0

    def search(at: int, rest: int, chosen: tuple[Candidate, ...], gained: int) -> Iterator[tuple[Candidate, ...]]:
        nonlocal steps
        steps += 1
        if steps > STEPS:
            raise TooMany
        if right(rest, chosen, gained):
            yield chosen
        for place in range(at, len(able)):
            after = rest - able[place].need
            if after & given.guards == given.guards:
                yield from search(place, after, (*chosen, able[place]), gained + able[place].gain)

    def right(rest: int, chosen: Sequence[Candidate], gained: int) -> bool:
        groups = stand_ins(chosen)
        if best.declarable:
            naturals_left = rest & (1 << given.width * given.plain) - 1 & ~given.guards
            return not naturals_left and not given.pool(rest) and not declaration_faults(groups, rules)
        return gained == gain and counting(groups, rules) == groups

    return {frozenset(Counter(_shape(given, one) for one in chosen).items()) for chosen in search(0, given.held, (), 0)}


def _shape(given: Problem, one: Candidate) -> Shape:
    return shape_of(one.cards, given.wild_rank)[0], given.pool(one.need)


def stand_ins(chosen: Sequence[Candidate]) -> tuple[Group, ...]:
    ordered = sorted(chosen, key=lambda one: GROUP_KINDS.index(one.kind))
    return tuple(Group(one.kind, (JOKER,) * one.size, ("",) * one.size) for one in ordered)


def in_order(truth: set[Grouping], dealt: Dealt, rules: RummyRules, best: Arrangement) -> list[Grouping]:
    """The groupings by the first group in which they differ: who has it (more often) comes first."""
    given = problem(dealt.hand, dealt.wild_rank, rules)
    some = Candidates(given)
    able = sorted(
        some.exact if best.declarable else some.equals(),
        key=lambda one: (one.first, GROUP_KINDS.index(one.kind), one.wilds, -one.size, one.need),
    )
    order = list(dict.fromkeys(_shape(given, one) for one in able))
    return sorted(truth, key=lambda grouping: [-dict(grouping).get(shape, 0) for shape in order])


def test_all_that_there_are_and_no_others_in_order() -> None:
    compared = several = 0
    for kind, number in CASES:
        dealt, rules = case(kind, number)
        best = best_grouping(dealt.hand, dealt.wild_rank, rules).arrangement
        try:
            truth = brute_force(dealt, rules, best)
        except TooMany:
            continue
        main = frozenset(shapes(best, dealt).items())
        assert main in truth
        found = alternatives(dealt.hand, dealt.wild_rank, rules, best, MANY)
        assert found.complete
        told = [frozenset(shapes(each, dealt).items()) for each in found.arrangements]
        assert told == in_order(truth - {main}, dealt, rules, best)[:MANY], f"{dealt} under {rules}"
        compared += 1
        several += len(told) > 1
    assert compared > len(CASES) / 2
    assert several > 10


def test_without_work_the_list_says_that_it_is_not_complete() -> None:
    dealt, rules = case("adversarial", 0)
    best = best_grouping(dealt.hand, dealt.wild_rank, rules).arrangement
    found = alternatives(dealt.hand, dealt.wild_rank, rules, best, MANY, deterministic_time=0)
    assert found == ((), False)


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_worth_as_much_and_their_order_is_that_of_the_cards(kind: str) -> None:
    for number in range(12):
        dealt, rules = case(kind, number)
        best = best_grouping(dealt.hand, dealt.wild_rank, rules).arrangement
        found = alternatives(dealt.hand, dealt.wild_rank, rules, best, 6)
        for each in found.arrangements:
            verify = verify_declaration if best.declarable else verify_scored
            verify(dealt.hand, each, dealt.wild_rank, rules)
            assert (each.points, each.declarable) == (best.points, best.declarable)
        shuffled = random.Random(number).sample(dealt.hand, 13)
        assert alternatives(shuffled, dealt.wild_rank, rules, best, 6) == found
        fewer = alternatives(dealt.hand, dealt.wild_rank, rules, best, 3)
        assert fewer.arrangements == found.arrangements[:3]

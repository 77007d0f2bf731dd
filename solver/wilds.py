"""The candidates that are made of cards that can replace others, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.cards import FACES
from engine.rummy.melds import MAX_SEQUENCE, read_as
from engine.rummy.rules import MIN_GROUP
from solver.problem import Problem
from solver.shapes import IMPURE, TRIO

Made = tuple[int, int, int, int, int]  # lowest slot, kind, size, wildcards of any face, what it takes


def groups_of_wilds(given: Problem, exact: bool) -> Iterator[Made]:
    """All of them, for one of the lists of `solver.candidates`. For points one impure sequence of the fewest is enough, and no
    trio: they spare none, and no gate asks for two."""
    rules = given.rules
    if rules.wildcards_alone == "impure_sequence":
        for size in range(MIN_GROUP, min(given.wilds, MAX_SEQUENCE if exact else MIN_GROUP) + 1):
            yield len(given.faces), IMPURE, size, size, size * given.pool_unit
    if not exact:
        return
    if rules.wildcards_alone == "trio":
        for size in rules.trio_sizes:
            if size <= given.wilds:
                yield len(given.faces), TRIO, size, size, size * given.pool_unit
    elif rules.wild_at_own_place:
        yield from _of_the_wild_rank(given)


def _of_the_wild_rank(given: Problem) -> Iterator[Made]:
    """The trios of the wild rank: which of its cards stand for themselves is for the rules to say, so that each is made of
    cards and printed jokers, not of wildcards of any face."""
    own = range(given.plain, len(given.faces))
    for chosen in product(*(range(given.counts[slot] + 1) for slot in own)):
        if sum(chosen) in given.rules.trio_sizes:
            slots = [slot for slot, count in zip(own, chosen, strict=True) for _ in range(count)]
            cards = [FACES[given.faces[slot]] for slot in slots]
            if read_as("trio", cards, given.wild_rank, given.rules):
                yield slots[0], TRIO, len(cards), 0, sum(given.units[slot] for slot in slots)

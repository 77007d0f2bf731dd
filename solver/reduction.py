"""An exact search in front of CP-SAT: what a small exhaustive search proves need not go further.

Depth first over the faces in order: the lowest face still at hand goes into one of the groups whose lowest face it is,
or all its copies are left over. A state is what is still at hand and the state of the gates; a state that was reached
before at no more cost is not searched again, nor is one that already costs as much as the best answer so far.
The work limit counts states, so that an answer does not depend on the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from engine.cards import JOKER
from solver.answer import Found
from solver.candidates import Choices
from solver.catalogue import Candidate
from solver.gates import REFUSED, Gates
from solver.problem import (
    COUNTS_MASK,
    GUARDS,
    JOKER_UNIT,
    MAX_COPIES,
    POOL_MASK,
    POOL_SHIFT,
    POOL_UNIT,
    WIDTH,
    Problem,
    unit,
)

_UNIT_COST: Final = 1  # less than any card that is not wild costs


class _Go(Protocol):
    def __call__(self, again: _Go, rest: int, state: int, room: int, cost: int, folded: int | None) -> bool: ...


class OutOfWork(Exception):
    """The search was longer than its limit."""


class Search:
    """The search over the candidates of one problem. `covering`: every card must be in a group, wildcards too, as in a
    declaration; otherwise the points of those in none are what an answer costs. `limit`: states in all."""

    def __init__(self, given: Problem, choices: Choices, gates: Gates, *, covering: bool, limit: int) -> None:
        self._given, self._gates, self._covering = given, gates, covering
        self._limit = self._left = limit
        self._choices = choices
        self._options: dict[int, tuple[Candidate, ...]] | None = None  # made when first wanted
        self._dead: dict[tuple[int, int], int] = {}
        self._cost = {face: given.points(face) for face in given.counts}
        self._plain = COUNTS_MASK
        for face in given.counts:
            if face != JOKER.order and given.is_wild(face):
                self._plain &= ~(MAX_COPIES << WIDTH * face)
        self._alone = [
            face for face in given.counts if face != JOKER.order and not choices.cover >> WIDTH * face & MAX_COPIES
        ]

    @property
    def states(self) -> int:
        """How many it has visited."""
        return self._limit - max(0, self._left)

    def best(self, below: int) -> Found | None:
        """The cheapest choice that costs less than `below`, or None. Raises `OutOfWork`."""
        self._dead.clear()
        return self._run(self._given.held, len(self._given.cards) - self._given.fold, self._given.fold, below)

    def foldable(self) -> Iterable[int]:
        """The faces (places in `FACES`) without one copy of which every other card may be in a group."""
        must = [face for face in self._alone if not self._given.is_wild(face)]
        if not must:
            return self._given.counts
        return must if len(must) == 1 and self._given.counts[must[0]] == 1 else ()

    def covered_without(self, face: int) -> Found | None:
        """A choice that covers every card but one copy of `face`, or None. Raises `OutOfWork`. What is found out about
        one face is used for the next."""
        wild = POOL_UNIT if self._given.is_wild(face) else 0
        held = self._given.held - (JOKER_UNIT if face == JOKER.order else unit(face)) - wild
        return self._run(held, len(self._given.cards) - 1, False, _UNIT_COST)

    def _run(self, held: int, room: int, fold: bool, below: int) -> Found | None:
        cost = dearest = 0
        spare: int | None = None  # the face let go if no card of a possible group is
        for face in self._alone:
            count = held >> WIDTH * face & MAX_COPIES
            held -= count * unit(face)
            points = self._cost[face]
            cost += count * points
            if count and points > dearest:
                dearest, spare = points, face
        if fold:
            cost -= dearest
        if cost >= below:
            return None
        if self._options is None:
            self._options = self._choices.by_first()
        rows, step, accepting, lacking = self._gates.rows, self._gates.step, self._gates.accepting, self._gates.lacking
        options, costs, dead, covering = self._options, self._cost, self._dead, self._covering
        plain = self._plain
        path: list[Candidate] = []
        best: Found | None = None
        starts = self._starts(held, options.get(JOKER.order, ()))
        bound = below
        left = self._left

        def go(again: _Go, rest: int, state: int, room: int, cost: int, folded: int | None) -> bool:
            """Search on from here; whether the search is over. It is handed itself: if it held itself, only the garbage
            collector would free what it has seen."""
            nonlocal best, bound, left
            if cost >= bound or lacking[state] > room:
                return False
            faces = rest & plain or rest & COUNTS_MASK
            if not faces:
                pool = rest >> POOL_SHIFT & POOL_MASK
                if fold and folded is None and spare is None:
                    if not pool:
                        return False  # every card is in a group, and one has to go
                    pool -= 1
                if accepting[state] and not (covering and pool):
                    bound = cost
                    best = Found(cost, tuple(path), spare if folded is None else folded)
                    return covering
                return False
            key = (rest, state if folded is None else ~state)
            if dead.get(key, cost + 1) <= cost:
                return False
            dead[key] = cost
            left -= 1
            if left < 0:
                raise OutOfWork
            face = ((faces & -faces).bit_length() - 1) // WIDTH
            for candidate in options.get(face, ()):
                after = rest - candidate[0]
                if after & GUARDS == GUARDS:
                    to = rows[state][candidate[1]]
                    if to < 0:
                        to = step(state, candidate[1])
                        if to == REFUSED:
                            continue
                    path.append(candidate)
                    if again(again, after, to, room - candidate[4], cost, folded):
                        del dead[key]  # not so dead
                        return True
                    path.pop()
            shift = WIDTH * face
            count = faces >> shift & MAX_COPIES
            points = costs[face]
            after = rest - (count << shift)
            if (
                fold
                and folded is None
                and points > dearest
                and again(again, after, state, room, cost + dearest + (count - 1) * points, face)
            ):
                del dead[key]
                return True
            if again(again, after, state, room, cost + count * points, folded):
                del dead[key]
                return True
            return False

        try:
            for begun, state in starts:
                path[:] = begun
                rest, size = held, 0
                for one in begun:
                    rest, size = rest - one.need, size + one.size
                if go(go, rest, state, room - size, cost, None):
                    break
        finally:
            self._left = left
        return best

    def _starts(self, held: int, alone: Sequence[Candidate]) -> list[tuple[tuple[Candidate, ...], int]]:
        """What a search begins with, and the state of the gates then: no group, or groups of wildcards alone, which no face
        leads to. Of those that take as many wildcards and come to one state, one."""
        starts: list[tuple[tuple[Candidate, ...], int]] = [((), 0)]
        known = {(0, 0)}
        for begun, state in starts:
            for one in alone:
                to, taken = self._gates.step(state, one.read), one.need + sum(other.need for other in begun)
                if to != REFUSED and (taken, to) not in known and (held - taken) & GUARDS == GUARDS:
                    known.add((taken, to))
                    starts.append(((*begun, one), to))
        return starts

"""An exact search in front of CP-SAT: what a small exhaustive search proves need not go further.

Depth first over the slots where groups begin, in order: at each, one of the groups whose lowest face it is, or none. What
is left of a face is charged once the last slot with a group that could take it has been passed. A state is what can still
be grouped and the state of the gates; a state that was searched before at no more cost is not searched again, nor is one
that already costs as much as the best answer so far. The work limit counts states, so that an answer does not depend on
the clock.

Of fourteen cards the dearest loose one is let go: what is loose costs all of it less that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from solver.answer import Found
from solver.candidates import Choices
from solver.gates import KIND_ROOM, REFUSED, Gates
from solver.problem import POOL_MASK, Option, Problem

_NONE: Final = -1  # no card is loose yet that could be let go
_HALF: Final = 20  # bits of a cost
_FAR: Final = (1 << _HALF) - 1  # more than any hand costs
_LOW: Final = _FAR
_SIZES: Final = KIND_ROOM - 1


class OutOfWork(Exception):
    """The search was longer than its limit."""


class Search:
    """The search over the candidates of one problem. `covering`: every card must be in a group, wildcards too, as in a
    declaration; otherwise the points of those in none are what an answer costs. `limit`: states in all."""

    def __init__(self, given: Problem, choices: Choices, gates: Gates, *, covering: bool, limit: int) -> None:
        self._given = given
        self._gates: Gates = gates
        self._covering = covering
        self._limit = limit
        self._left = limit
        self._rows: list[list[int]] = gates.rows
        self._accepting: list[bool] = gates.accepting
        self._lacking: list[int] = gates.lacking
        self._guards, self._width, self._copies, self._plain = given.guards, given.width, given.copies, given.plain
        self._state_shift = given.pool_shift + 6
        # a declaration leaves no card, whatever it costs
        self._costs = [int(slot < given.plain) for slot in range(len(given.faces))] if covering else given.costs
        self._dead: dict[int, int] = {}
        self._path: list[Option] = []
        self._best: tuple[Option, ...] = ()
        self._found = False
        self._bound = self._floor = 0
        self._fold = False
        self._let_go = _NONE
        self._begin(choices)

    def _begin(self, choices: Choices) -> None:
        """Lay out the slots where groups begin, and the slots charged after each."""
        given, width, copies = self._given, self._given.width, self._given.copies
        self._starts: list[int] = []  # a mask for each
        self._options: list[list[Option]] = []
        self._gone: list[int] = []  # the fields of the slots charged after it
        self._charges: list[list[int]] = []
        self._alone: list[int] = []  # the slots that no group takes
        seen = 0
        for slot in range(len(given.faces), -1, -1):  # the last: the pool, for groups of wildcards alone
            row = choices.rows[slot]
            if not row:
                continue
            new = choices.covers[slot] & given.pool_unit - 1 & ~seen
            gone = 0
            slots: list[int] = []
            while new:
                at = ((new & -new).bit_length() - 1) // width
                field = copies << at * width
                gone |= field
                new &= ~field
                slots.append(at)
            seen |= gone
            self._starts.append(copies << slot * width if slot < len(given.faces) else POOL_MASK << given.pool_shift)
            self._options.append(row)
            self._gone.append(gone)
            self._charges.append(slots)
        self._starts.reverse()
        self._options.reverse()
        self._gone.reverse()
        self._charges.reverse()
        for slot in range(len(given.faces)):
            if not seen >> slot * width & copies:
                self._alone.append(slot)

    @property
    def states(self) -> int:
        """How many it has visited."""
        return self._limit - max(0, self._left)

    def best(self, below: int) -> Found | None:
        """The cheapest choice that costs less than `below`, or None. Raises `OutOfWork`."""
        self._dead.clear()
        return self._run(self._given.held, len(self._given.cards) - self._given.fold, self._given.fold, below)

    def foldable(self) -> Iterable[int]:
        """The slots of the faces without one copy of which every other card may be in a group."""
        must = [slot for slot in self._alone if slot < self._given.plain]
        if not must:
            return range(len(self._given.faces))
        return must if len(must) == 1 and self._given.counts[must[0]] == 1 else ()

    def covered_without(self, slot: int) -> Found | None:
        """A choice that covers every card but one copy of the face of a slot, or None. Raises `OutOfWork`. What is found out
        about one face is used for the next."""
        given = self._given
        if self._fold:
            self._dead.clear()
        found = self._run(given.held - given.units[slot], len(given.cards) - 1, False, 1)
        return None if found is None else found._replace(fold=given.faces[slot])

    def _run(self, held: int, room: int, fold: bool, below: int) -> Found | None:
        given = self._given
        loose, dearest, let_go = 0, _NONE, _NONE
        for slot in self._alone:
            count = held >> slot * given.width & given.copies
            if count:
                held -= count << slot * given.width
                if slot < given.plain:
                    loose += count * self._costs[slot]
                    if fold and self._costs[slot] > dearest:
                        dearest, let_go = self._costs[slot], slot
        self._fold, self._let_go = fold, _NONE
        self._bound, self._floor = below, loose - max(dearest, 0)
        self._found = False
        self._path.clear()
        self._go(held, 0, 0, room, loose, dearest, let_go)
        if not self._found:
            return None
        face = given.faces[self._let_go] if self._let_go != _NONE else None
        return Found(0 if self._covering else self._bound, self._best, face)

    def _go(self, rest: int, state: int, at: int, room: int, loose: int, dearest: int, let_go: int) -> bool:
        """Search on from here, with the groups that begin at start `at` or later; whether the search is over.

        `loose` is what the cards cost that are in no group so far, `let_go` the slot of the dearest of them, which costs
        `dearest`, if one is to be let go.
        """
        cost = loose - dearest if dearest > 0 else loose
        if cost >= self._bound or self._lacking[state] > room:
            return False
        starts, gone = self._starts, self._gone
        key, entered, folded = -1, 0, 0
        while at < len(starts):
            if rest & starts[at]:
                if key < 0:
                    key = rest | state << self._state_shift
                    entered, folded = loose, 0 if not self._fold else _FAR if dearest < 0 else cost
                    known = self._dead.get(key, -1)
                    if known >= 0:
                        if known & _LOW <= entered and known >> _HALF <= folded:
                            return False
                        entered, folded = min(entered, known & _LOW), min(folded, known >> _HALF)
                    self._left -= 1
                    if self._left < 0:
                        raise OutOfWork
                row = self._rows[state]
                guards = self._guards
                for option in self._options[at]:
                    after = rest - option[1]
                    if after & guards == guards:
                        to = row[option[2]]
                        if to < 0:
                            to = self._gates.step(state, option[2])
                            if to == REFUSED:
                                continue
                        self._path.append(option)
                        if self._go(after, to, at, room - (option[2] & _SIZES), loose, dearest, let_go):
                            return True
                        self._path.pop()
            left = rest & gone[at]
            if left:
                rest -= left
                width, copies = self._width, self._copies
                for slot in self._charges[at]:
                    count = left >> slot * width & copies
                    if count and slot < self._plain:
                        points = self._costs[slot]
                        loose += count * points
                        if self._fold and points > dearest:
                            dearest, let_go = points, slot
                cost = loose - dearest if dearest > 0 else loose
                if cost >= self._bound:
                    break
            at += 1
        else:
            if self._whole(rest, state, cost, dearest, let_go):
                return True
        if key >= 0:
            self._dead[key] = folded << _HALF | entered
        return False

    def _whole(self, rest: int, state: int, cost: int, dearest: int, let_go: int) -> bool:
        """All groups are chosen: keep them if they may be the whole; whether no answer can be better."""
        pool = rest >> self._given.pool_shift & POOL_MASK
        if self._fold and dearest < 0:
            if not pool:
                return False  # every card is in a group, and one has to go
            pool -= 1
        if not self._accepting[state] or (self._covering and pool):
            return False
        self._bound, self._let_go = cost, let_go
        self._best = tuple(self._path)
        self._found = True
        return cost <= self._floor

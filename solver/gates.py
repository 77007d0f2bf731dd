"""What a set of groups must be as a whole, as a small automaton that a search walks while it chooses groups.

The rules themselves are asked (`engine.rummy.scoring.counting`, `engine.rummy.declaration.declaration_faults`), on
stand-ins that have a kind and a size: there is no second copy of them here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import product
from threading import Lock
from typing import Final

from engine.cards import JOKER
from engine.rummy.arrangement import Group, Kind
from engine.rummy.declaration import declaration_faults
from engine.rummy.melds import KINDS
from engine.rummy.rules import MIN_GROUP, RummyRules
from engine.rummy.scoring import counting

REFUSED: Final = -1  # no set of groups that goes on from here can be right
_UNKNOWN: Final = -2
MAX_TRIOS: Final = 8  # of 26 cards
KIND_ROOM: Final = 32  # symbols of one kind: a size is below this
_BASE: dict[Kind, int] = {kind: place * KIND_ROOM for place, kind in enumerate(KINDS)}
_Parts = tuple[tuple[Kind, int], ...]
_SEQUENCES: tuple[Kind, ...] = ("pure_sequence", "impure_sequence")


def kind_bit(kind: Kind) -> int:
    """A kind as a bit, for a set of kinds in a number."""
    return 1 << KINDS.index(kind)


def symbol(kind: Kind, size: int) -> int:
    """A group as the automaton reads it."""
    return _BASE[kind] + size


class Gates:
    """States are numbers, 0 is "no group yet". `rows[state][symbol]` is the next state, filled in when first asked for
    by `step`; `accepting[state]` says whether the groups so far may be the whole; `lacking[state]` is how many cards further
    groups must hold, at the least, before they may.

    Groups are told as the sequences and the number of trios. `accept` judges them; `lack` counts the cards; `normal_form` gives those that stand
    for all sets with the same prospects, so that there are few states, or None where no set that goes on from here is right.
    Threads share one automaton for each set of rules: a state gets its number once.
    """

    def __init__(
        self,
        accept: Callable[[_Parts, int], bool],
        lack: Callable[[_Parts], int],
        normal_form: Callable[[_Parts, int], tuple[_Parts, int] | None],
    ):
        self.rows: list[list[int]] = []
        self.accepting: list[bool] = []
        self.lacking: list[int] = []
        self._accept, self._lack, self._normal_form = accept, lack, normal_form
        self._states: list[tuple[_Parts, int]] = []
        self._numbers: dict[Hashable, int] = {}
        self._opens: dict[int, bool] = {}
        self._lock = Lock()
        self._number(((), 0))

    def step(self, state: int, read: int) -> int:
        """The state after one more group, or `REFUSED`."""
        to = self.rows[state][read]
        if to == _UNKNOWN:
            kind, size = KINDS[read // KIND_ROOM], read % KIND_ROOM
            parts, trios = self._states[state]
            more = (parts, trios + 1) if kind == "trio" else ((*parts, (kind, size)), trios)
            after = self._normal_form(*more)
            to = self.rows[state][read] = REFUSED if after is None else self._number(after)
        return to

    def opens(self, kinds: int) -> bool:
        """Whether any groups of these kinds (a set of bits) may be the whole, their sizes aside."""
        if kinds not in self._opens:
            reads = [symbol(kind, MIN_GROUP) for kind in KINDS if kinds & kind_bit(kind)]
            reached, new = {0}, {0}
            while new:
                new = {self.step(state, read) for state in new for read in reads} - reached - {REFUSED}
                reached |= new
            self._opens[kinds] = any(self.accepting[state] for state in reached - {0})
        return self._opens[kinds]

    def _number(self, state: tuple[_Parts, int]) -> int:
        with self._lock:
            number = self._numbers.get(state)
            if number is None:
                number = len(self._states)
                self._states.append(state)
                self.rows.append([_UNKNOWN] * len(KINDS) * KIND_ROOM)
                self.accepting.append(self._accept(*state))
                self.lacking.append(self._lack(state[0]))
                self._numbers[state] = number
            return number


@lru_cache(64)
def scoring_gates(rules: RummyRules) -> Gates:
    """The sets of groups that all count in a score (rules.md §1.6)."""

    def accept(parts: _Parts, trios: int) -> bool:
        groups = _stand_ins(parts, trios)
        flat = (
            rules.full_count_without_pure is not None
        )  # then no groups at all are the dearest answer, not one to search for
        return counting(groups, rules) == groups and (len(groups) > 0 or not flat)

    def normal_form(parts: _Parts, trios: int) -> tuple[_Parts, int] | None:
        # a third sequence of a kind opens no gate that two leave shut, and no gate asks for sizes
        few = tuple((kind, MIN_GROUP) for kind in _SEQUENCES for _ in range(min(2, sum(of == kind for of, _ in parts))))
        return _limited(few, trios, rules.max_trios_scored)

    return Gates(accept, lambda parts: 0, normal_form)


@lru_cache(64)
def declaration_gates(rules: RummyRules) -> Gates:
    """The sets of groups that are a declaration, if they hold every card (rules.md §1.3)."""
    opened: _Parts = (("pure_sequence", 0), ("impure_sequence", 0))  # once open, whatever follows

    def accept(parts: _Parts, trios: int) -> bool:
        return parts == opened

    def lack(parts: _Parts) -> int:
        least = rules.opening_cards[0] if rules.opening_cards else 2 * MIN_GROUP
        beside = max((size for _, size in parts), default=0)  # the best that a further group may open with
        return 0 if parts == opened else max(MIN_GROUP, least - beside)

    def normal_form(parts: _Parts, trios: int) -> tuple[_Parts, int] | None:
        if parts[:2] == opened or not declaration_faults(_stand_ins(parts, 0), rules):
            return _limited(opened, trios, rules.max_trios)
        # of two sequences of one kind and size that do not open together, either opens what the other does
        return _limited(tuple(sorted(set(parts))), trios, rules.max_trios)

    return Gates(accept, lack, normal_form)


@lru_cache(64)
def pure_is_best(rules: RummyRules) -> bool:
    """Whether a pure sequence in the place of an impure one closes no gate of scoring."""
    return all(
        _count(pure + 1, impure, trios, rules) or not _count(pure, impure + 1, trios, rules)
        for pure, impure, trios in product(range(3), range(3), range(2))
    )


@lru_cache(64)
def declared_is_free(rules: RummyRules) -> bool:
    """Whether every declaration counts in full in a score: then a hand that costs its loser something is none."""
    most = MAX_TRIOS if rules.max_trios is None else rules.max_trios
    return all(_count(1 + pure, 1 - pure, trios, rules) for pure in range(2) for trios in range(most + 1))


def _count(pure: int, impure: int, trios: int, rules: RummyRules) -> bool:
    """Whether so many groups all count in a score."""
    groups = _stand_ins((("pure_sequence", MIN_GROUP),) * pure + (("impure_sequence", MIN_GROUP),) * impure, trios)
    return counting(groups, rules) == groups


def _limited(parts: _Parts, trios: int, most: int | None) -> tuple[_Parts, int] | None:
    if most is None:
        return parts, min(trios, 1)
    return (parts, trios) if trios <= most else None


def _stand_ins(parts: _Parts, trios: int) -> tuple[Group, ...]:
    shapes: _Parts = (*parts, *((("trio", MIN_GROUP),) * trios))
    return tuple(Group(kind, (JOKER,) * size, (str(JOKER),) * size) for kind, size in shapes)

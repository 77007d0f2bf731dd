"""Every group that could be part of an answer, and no other.

A candidate is a set of natural cards and a number of wildcards, not a layout: where in a run the wildcards stand does
not matter to anything, so a run with a wildcard at either end is one candidate. There are two lists. *Exact* candidates
say how many wildcards a group holds in every number that can matter, for a declaration must place all of them; *lean*
candidates hold the fewest that make a group, for points, where a wildcard left over costs nothing.

Left out, without loss (tests/solver/test_candidates.py holds each against the full set):

- Runs of six or more that can be cut into two sequences, for no gate of rules.md §1.6 is closed by having one sequence
  more. Where the rules ask for one natural card, every run with two can be: an impure one leaves a natural card on either
  side of some cut, for its wildcards may slide along it. Where they ask for more, `cuts` looks for a cut: each side
  has natural cards enough, or is pure. A run with one natural card cannot be cut.
  What a declaration's `opening_cards` ask of a pair, from the least sum to the most, must not be lost. A run so long that
  it leaves no group of three room within the most is in no such pair. One as long as the least is not missed: if it is
  pure, its parts meet the sum together; if not, the pair's other run still meets it together with a part of the least
  less three cards or more. All others stay whole.
- Wildcards beyond the need, in the lean list: taking one out of a group leaves a group of the same kind.
- Pure runs with a wildcard added, in the lean list, where no gate of scoring opens for an impure sequence that stays shut
  for a pure one (`solver.gates.pure_is_best`). For groupings of equal worth, of which these are some, the list is made
  with them.
- Trios of wildcards alone, in the lean list: they spare no points and open no gate.
- All of the lean list, where groups of the kinds in it can never count: a hand without a pure sequence under
  `no_pure_all_loose`, say.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import JOKER, RANKS
from engine.rummy.melds import MAX_SEQUENCE
from engine.rummy.rules import MIN_GROUP
from solver.gates import KIND_ROOM, scoring_gates
from solver.problem import Candidate, Option, Problem, promise
from solver.shapes import IMPURE, PURE, TRIO, Shapes, cuts, shapes_of
from solver.wilds import groups_of_wilds

_RANK_COUNT = len(RANKS)


class Choices:
    """One list of candidates: `rows` holds them by their lowest slot, those of wildcards alone in one more, in the order of
    trying; `covers` has the bits of all cards that those of a row take, `kinds` a bit for each kind of group among them."""

    def __init__(self, given: Problem, exact: bool, equals: bool = False) -> None:
        self.given = given
        self.rows: list[list[Option]] = [[] for _ in range(len(given.faces) + 1)]
        self.covers = [0] * len(self.rows)
        self.kinds = 0
        self._shapes: Shapes = shapes_of(given.rules)
        self._exact = exact
        shapes = self._shapes
        self._places: list[int] = []  # of the suit at hand: the places held, what each takes, its slot
        self._takes: list[int] = []
        self._slots: list[int] = []
        self._run: list[int] = []  # the places of the run at hand
        self._trio: list[int] = []  # the slots of the rank at hand
        self._longest = shapes.longest if exact or shapes.uncut else shapes.lean_length
        self._longest_pure = shapes.exact_length if exact else shapes.lean_length
        self._fewest_naturals = shapes.fewest_naturals
        self._pure_is_best = shapes.pure_is_best and not exact and not equals
        self._gaps = min(given.wilds, shapes.most_wilds, self._longest - 2)
        self._lone_wilds = min(given.wilds, shapes.most_wilds, MAX_SEQUENCE - 1) if shapes.fewest_naturals == 1 else 0
        self._trio_wilds = min(given.wilds, shapes.most_trio_wilds)
        self._make()

    def _make(self) -> None:
        given, shapes = self.given, self._shapes
        self._sequences()
        ranks: list[list[int]] = [[] for _ in RANKS]
        for slot in range(given.plain):
            ranks[given.faces[slot] % _RANK_COUNT].append(slot)
        for slots in ranks:
            if slots:
                held = 0
                for slot in slots:
                    held += given.counts[slot]
                if held + self._trio_wilds >= shapes.trio_sizes[0]:
                    self._trio = slots
                    self._trios(0, 0, -1, 0, 0)
        if given.wilds >= MIN_GROUP:
            for slot, kind, size, wilds, need in groups_of_wilds(given, self._exact):
                self._add(slot, kind, size, wilds, need)
        for row in self.rows:
            if len(row) > 1:
                row.sort()

    def _sequences(self) -> None:
        given, shapes = self.given, self._shapes
        last = 0
        for face in sorted(given.faces):
            if face == JOKER.order:
                break
            slot = given.slots[face]
            if slot >= given.plain and not shapes.natural_wilds:
                continue
            suit, place = divmod(face, _RANK_COUNT)
            if suit != last:
                self._suit()
                last = suit
            self._places.append(place)
            self._takes.append(given.units[slot])
            self._slots.append(slot)
            if given.counts[slot] >= MIN_GROUP and shapes.triples:
                self._add(slot, PURE, MIN_GROUP, 0, MIN_GROUP * given.units[slot])
        self._suit()

    def _add(self, slot: int, kind: int, size: int, wilds: int, need: int) -> None:
        self.rows[slot].append((promise(kind, wilds, size), need, kind * KIND_ROOM + size))
        self.covers[slot] |= need
        self.kinds |= 1 << kind

    def _suit(self) -> None:
        """The sequences of the suit at hand, which is then let go."""
        given = self.given
        places, takes, slots = self._places, self._takes, self._slots
        most = self._lone_wilds if self._exact else min(self._lone_wilds, MIN_GROUP - 1)
        for at in range(len(places)):
            for wilds in range(MIN_GROUP - 1, most + 1):
                need = takes[at] + wilds * given.pool_unit
                if given.fits(need):
                    self._add(slots[at], IMPURE, 1 + wilds, wilds, need)
        if len(places) > 1:
            if not places[0]:  # the ace once more, high
                places.append(_RANK_COUNT)
                takes.append(takes[0])
                slots.append(slots[0])
            for at in range(len(places) - 1):
                self._run.append(places[at])
                self._grow(at, takes[at], slots[at], 0)
                self._run.pop()
        places.clear()
        takes.clear()
        slots.clear()

    def _grow(self, at: int, taken: int, low: int, gaps: int) -> None:
        """The runs that begin with the cards of `_run`, the last of which is number `at`, and go on; so many gaps are in
        it."""
        places, run = self._places, self._run
        end, most, longest = len(places), self._gaps, self._longest
        expected, natural = places[at] + 1, len(run) + 1
        for after in range(at + 1, end):
            between = gaps + places[after] - expected
            if between > most or natural + between > longest:
                return
            need = taken + self._takes[after]
            slot = self._slots[after]
            if low < slot:
                slot = low
            run.append(places[after])
            if not between and MIN_GROUP <= natural <= self._longest_pure:
                self._add(slot, PURE, natural, 0, need)
                if most and natural >= self._fewest_naturals and not self._pure_is_best:
                    self._impure(slot, natural, 1, need)
            elif most and natural >= self._fewest_naturals:
                self._impure(slot, natural, between or 1, need)
            if natural + between < longest and after + 1 < end:
                self._grow(after, need, slot, between)
            run.pop()

    def _impure(self, slot: int, natural: int, fewest: int, taken: int) -> None:
        """A run of so many natural cards with wildcards: so many at the least, in the lean list no more."""
        shapes, given = self._shapes, self.given
        most = min(self._gaps, self._longest - natural)
        if not self._exact:
            most = min(most, fewest)
        for wilds in range(fewest, most + 1):
            size = natural + wilds
            whole = size <= self._longest_pure
            if not whole and shapes.uncut:
                piece = shapes.least_opening - MIN_GROUP if self._exact and size <= shapes.most_in_pair else MIN_GROUP
                whole = not cuts(self._run, wilds, shapes.fewest_naturals, piece)
            if whole:
                need = taken + wilds * given.pool_unit
                if (given.held - need) & given.guards == given.guards:
                    self._add(slot, IMPURE, size, wilds, need)

    def _trios(self, at: int, taken: int, low: int, natural: int, deepest: int) -> None:
        """The trios of a rank that is not wild: the faces from number `at` on are still to be chosen."""
        given, shapes = self.given, self._shapes
        if at == len(self._trio):
            if not natural:
                return
            fewest = 1 if deepest == natural else 0  # cards of one face alone are no trio
            for size in shapes.trio_sizes:
                wilds = size - natural
                if fewest <= wilds <= self._trio_wilds:
                    self._add(low, TRIO, size, wilds, taken + wilds * given.pool_unit)
                    if not self._exact:
                        return
            return
        slot = self._trio[at]
        unit = given.units[slot]
        for count in range(min(given.counts[slot], shapes.trio_copies, shapes.trio_sizes[-1] - natural) + 1):
            first = slot if low < 0 and count else low
            self._trios(at + 1, taken + count * unit, first, natural + count, max(deepest, count))

    def __iter__(self) -> Iterator[Candidate]:
        return (self.given.candidate(option) for row in self.rows for option in row)


class Candidates:
    """The two lists, made when they are first wanted: see the head of this module."""

    def __init__(self, given: Problem) -> None:
        self._given = given
        self._exact: Choices | None = None
        self._lean: Choices | None = None

    @property
    def exact(self) -> Choices:
        if self._exact is None:
            self._exact = Choices(self._given, True)
        return self._exact

    @property
    def uncovered(self) -> int:
        """How many cards are in no candidate, those aside that can replace others: if more than may be let go, there is no
        declaration. The lean list tells, for it takes the same faces, and is wanted where there is none."""
        given, cover = self._given, 0
        if self._any_covers():
            return 0
        for taken in self.lean.covers:
            cover |= taken
        return sum(given.counts[: given.plain]) - sum(
            given.counts[slot] for slot, _ in given.taken(cover) if slot < given.plain
        )

    def _any_covers(self) -> bool:
        """Whether there are wildcards enough to make a sequence of any one card."""
        rules = self._given.rules
        most = min(self._given.wilds, rules.max_wilds_per_sequence or MAX_SEQUENCE)
        return rules.min_naturals_per_sequence == 1 and most >= MIN_GROUP - 1

    @property
    def lean(self) -> Choices:
        if self._lean is None:
            self._lean = self._for_points(False)
        return self._lean

    def equals(self) -> Choices:
        """The lean list with all groups that can be part of an answer as good as the best."""
        return self._for_points(True)

    def _for_points(self, equals: bool) -> Choices:
        choices = Choices(self._given, False, equals)
        if not scoring_gates(self._given.rules).opens(choices.kinds):
            choices.rows = [[] for _ in choices.rows]
        return choices

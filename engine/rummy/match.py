"""How rounds make a match (rules.md §1.9): who is in, who is out, who may come back, and who gets what.

A `Match` is what is known between two rounds, as a frozen value; here is also what can be read off it. What makes the next
one of it stands in `engine.rummy.match_steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.game import Points
from engine.rummy.rules import RummyRules

Status = Literal["in", "out", "withdrawn"]
Reason = Literal["rounds", "target", "last_in", "split_automatic", "split_manual", "chips"]
_SPLIT_SEATS = (2, 3)  # in, for a split; and the table began with three or more
_SPLIT_TABLE = 3


@dataclass(frozen=True, slots=True)
class Entrant:
    """A seat in the match. `chips` in deals, else None. `left` is the round whose points, or in or after which it went out;
    0 while it is in. `tied`: it took part in a tie for the most chips."""

    total: Points
    chips: Points | None
    status: Status = "in"
    rejoins: int = 0
    left: int = 0
    tied: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match ended: its winners, and what each seat gets, in entries."""

    winners: tuple[int, ...]
    shares: tuple[Fraction, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat stands, as everyone may know it. Shares are counted in entries: what a seat staked, whatever that was."""

    seat: int
    total: Points
    chips: Points | None
    status: Status
    drops_left: int | None
    may_rejoin: bool
    rejoins: int
    share: str | None
    place: int | None


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two rounds. `rounds` counts those scored, `tie_deals` the deals among them that were to break a tie;
    `tie` is between whom the next one is; `rejoined` came back since the last round."""

    rules: RummyRules
    entrants: tuple[Entrant, ...]
    rounds: int = 0
    tie: tuple[int, ...] = ()
    tie_deals: int = 0
    rejoined: frozenset[int] = frozenset()
    ending: Ending | None = None

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats that are in, in order."""
        return tuple(seat for seat, entrant in enumerate(self.entrants) if entrant.status == "in")

    @property
    def dealt_to(self) -> tuple[int, ...]:
        """The seats that the next round is dealt to; none once the match is over."""
        return () if self.ending else self.tie or self.seats_in

    @property
    def pot(self) -> int:
        """The entries that were staked."""
        return len(self.entrants) + sum(entrant.rejoins for entrant in self.entrants)


def rejoin_total(match: Match) -> Points | None:
    """The total with which seats that may would come back; None if none may."""
    return _rejoin_total(match) if any(_was_put_out(match, seat) for seat in range(len(match.entrants))) else None


def may_rejoin(match: Match, seat: int) -> bool:
    """Whether a seat may come back now."""
    return _was_put_out(match, seat) and _rejoin_total(match) is not None


def drops_left(match: Match, seat: int) -> int | None:
    """How many first packs a seat in a pool can pay and stay in; None for others, and where packs are off or free."""
    rules, entrant = match.rules, match.entrants[seat]
    if entrant.status != "in" or rules.format != "pool" or not rules.packing or not rules.pack_first:
        return None
    return max(0, int((limit_of(rules) - 1 - entrant.total) // rules.pack_first))


def manual_split(match: Match) -> Mapping[int, Fraction] | None:
    """What each seat in would get if all of them agreed to split now, in entries; None where that is impossible."""
    seats = match.seats_in
    if match.ending or not match.rounds or match.rules.pool_split not in ("manual", "both") or not may_split(match):
        return None
    drops = {seat: drops_left(match, seat) or 0 for seat in seats}
    least = min(drops.values())
    ahead = {seat: left - least for seat, left in drops.items()}
    rest = match.pot - sum(ahead.values())
    return {seat: ahead[seat] + Fraction(rest, len(seats)) for seat in seats} if rest > 0 else None


def places(match: Match) -> tuple[int, ...]:
    """The place of each seat once the match is over, from 1; ties share one (1, 2, 2, 4)."""
    ranks = [_rank(match, seat) for seat in range(len(match.entrants))]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def standings(match: Match) -> tuple[Standing, ...]:
    """How each seat stands, in order; shares (exact, as text) and places are there once the match is over."""
    ending = match.ending
    placed = places(match) if ending else ()
    return tuple(
        Standing(
            seat=seat,
            total=entrant.total,
            chips=entrant.chips,
            status=entrant.status,
            drops_left=drops_left(match, seat),
            may_rejoin=may_rejoin(match, seat),
            rejoins=entrant.rejoins,
            share=str(ending.shares[seat]) if ending else None,
            place=placed[seat] if ending else None,
        )
        for seat, entrant in enumerate(match.entrants)
    )


def _rank(match: Match, seat: int) -> tuple[Points, ...]:
    """Less is better: winners; then who is in, of deals those who took part in a tie first; then who went out, later before
    earlier, by points before by leaving."""
    entrant = match.entrants[seat]
    worth = entrant.total if entrant.chips is None else -entrant.chips
    if match.ending and seat in match.ending.winners:
        return (0,)
    if entrant.status == "in":
        return (1, not entrant.tied, worth)
    return (2, -entrant.left, entrant.status == "withdrawn", worth)


def may_split(match: Match) -> bool:
    """Whether the pot of a pool may be split as far as the table and the seats in are concerned."""
    pool = match.rules.format == "pool"
    return pool and len(match.entrants) >= _SPLIT_TABLE and len(match.seats_in) in _SPLIT_SEATS


def fell_last(match: Match, seat: int) -> bool:
    """Whether the points of the last round put a seat out."""
    entrant = match.entrants[seat]
    return entrant.status == "out" and entrant.left == match.rounds


def _was_put_out(match: Match, seat: int) -> bool:
    """Whether a seat may come back as far as it alone is concerned."""
    most = match.rules.pool_rejoins
    left = most is None or match.entrants[seat].rejoins < most
    return match.ending is None and fell_last(match, seat) and left


def _rejoin_total(match: Match) -> Points | None:
    """One more than the highest total of the seats that were in before anyone came back; None where it is too high."""
    ceiling = match.rules.pool_rejoin_ceiling
    stayed = [match.entrants[seat].total for seat in match.seats_in if seat not in match.rejoined]
    if ceiling is None or not stayed or max(stayed) > ceiling:
        return None
    return max(stayed) + 1


def limit_of(rules: RummyRules) -> int:
    """The total that puts a seat out of a pool."""
    if rules.pool_limit is None:
        raise ValueError("a pool needs a limit")
    return rules.pool_limit

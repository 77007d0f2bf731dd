"""How rounds make a match (rules.md §1.9, of swoop §2.5): who is in, who is out, who may come back, and who gets what.

A `Match` is what is known between two rounds, as a frozen value; here is also what the rules ask of it, by the `Terms` that it
is played on. What makes the next one of it stands in `engine.match_steps`. A state of either game holds one, and changes it by
these steps alone; a match that is played elsewhere is told to them round by round (`engine.rummy.settlement`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.game import Points

Status = Literal["in", "out", "withdrawn"]
Reason = Literal["rounds", "target", "limit", "last_in", "split_automatic", "split_manual", "chips"]
_SPLIT_SEATS = (2, 3)  # in, for a split; and the table began with three or more
_SPLIT_TABLE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the rules of a game say of its matches; the names are those of the options (rules.md §1.7, §1.9). `rounds` None:
    one for each seat. `pack_first` None: nobody may pack."""

    format: str = "rounds"
    rounds: int | None = None
    target: int | None = None
    target_reason: Literal["target", "limit"] = "target"
    pool_limit: int | None = None
    pool_rejoin_ceiling: int | None = None
    pool_rejoins: int | None = None
    pool_split: str = "none"
    pool_split_total: int | None = None
    pack_first: int | None = None
    deals: int | None = None
    chips_per_deal: int = 0
    tie_break_deals: int = 0


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
    """How the match ended; what each seat gets follows from it (`shares`)."""

    winners: tuple[int, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Match:
    """A match after the last round that was scored, and what happened since. `rounds` counts those scored, `tie_deals` the
    deals among them that were to break a tie; `tie` is between whom the next one is, or the one being played; `rejoined` came
    back since the last round was scored; `agreed` have agreed to split the pot since then."""

    entrants: tuple[Entrant, ...]
    rounds: int = 0
    tie: tuple[int, ...] = ()
    tie_deals: int = 0
    rejoined: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
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
    def totals(self) -> tuple[Points, ...]:
        """The total of each seat."""
        return tuple(entrant.total for entrant in self.entrants)

    @property
    def pot(self) -> int:
        """The entries that were staked."""
        return len(self.entrants) + sum(entrant.rejoins for entrant in self.entrants)


def rejoin_total(match: Match, terms: Terms) -> Points | None:
    """The total with which seats that may would come back; None if none may."""
    fallen = any(_was_put_out(match, terms, seat) for seat in range(len(match.entrants)))
    return _rejoin_total(match, terms) if fallen else None


def may_rejoin(match: Match, terms: Terms, seat: int) -> bool:
    """Whether a seat may come back before the next round is dealt."""
    return _was_put_out(match, terms, seat) and _rejoin_total(match, terms) is not None


def drops_left(match: Match, terms: Terms, seat: int) -> int | None:
    """How many first packs a seat in a pool can pay and stay in; None for others, and where packs are off or free."""
    entrant = match.entrants[seat]
    if entrant.status != "in" or terms.format != "pool" or not terms.pack_first:
        return None
    return max(0, int((limit_of(terms) - 1 - entrant.total) // terms.pack_first))


def manual_split(match: Match, terms: Terms) -> Mapping[int, Fraction] | None:
    """What each seat in would get if all of them agreed to split now, in entries; None where that is impossible."""
    if match.ending or not match.rounds or terms.pool_split not in ("manual", "both") or not may_split(match, terms):
        return None
    shares = _split_by_drops(match, terms)
    return shares if all(share > 0 for share in shares.values()) else None


def shares(match: Match, terms: Terms) -> tuple[Fraction, ...]:
    """What each seat gets of the pot, in entries; nothing while the match goes on."""
    ending, nothing = match.ending, Fraction()
    if ending is None:
        return (nothing,) * len(match.entrants)
    if ending.reason == "split_manual":
        split = _split_by_drops(match, terms)
        return tuple(split.get(seat, nothing) for seat in range(len(match.entrants)))
    return tuple(
        Fraction(match.pot, len(ending.winners)) if seat in ending.winners else nothing
        for seat in range(len(match.entrants))
    )


def may_split(match: Match, terms: Terms) -> bool:
    """Whether the pot of a pool may be split as far as the table and the seats in are concerned."""
    pool = terms.format == "pool"
    return pool and len(match.entrants) >= _SPLIT_TABLE and len(match.seats_in) in _SPLIT_SEATS


def fell_last(match: Match, seat: int) -> bool:
    """Whether the points of the last round put a seat out."""
    entrant = match.entrants[seat]
    return entrant.status == "out" and entrant.left == match.rounds


def limit_of(terms: Terms) -> int:
    """The total that puts a seat out of a pool."""
    if terms.pool_limit is None:
        raise ValueError("a pool needs a limit")
    return terms.pool_limit


def _was_put_out(match: Match, terms: Terms, seat: int) -> bool:
    """Whether a seat may come back as far as it alone is concerned."""
    most = terms.pool_rejoins
    left = most is None or match.entrants[seat].rejoins < most
    return match.ending is None and fell_last(match, seat) and left


def _rejoin_total(match: Match, terms: Terms) -> Points | None:
    """One more than the highest total of the seats that were in before anyone came back; None where it is too high."""
    ceiling = terms.pool_rejoin_ceiling
    stayed = [match.entrants[seat].total for seat in match.seats_in if seat not in match.rejoined]
    if ceiling is None or not stayed or max(stayed) > ceiling:
        return None
    return max(stayed) + 1


def _split_by_drops(match: Match, terms: Terms) -> Mapping[int, Fraction]:
    """Each drop that a seat in has left over the lowest seat's is worth one entry, the rest of the pot is shared equally."""
    drops = {seat: drops_left(match, terms, seat) or 0 for seat in match.seats_in}
    least = min(drops.values(), default=0)
    ahead = {seat: left - least for seat, left in drops.items()}
    rest = match.pot - sum(ahead.values())
    return {seat: ahead[seat] + Fraction(rest, len(ahead)) for seat in ahead}

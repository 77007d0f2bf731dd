"""How a match stands, as everyone may know it (rules.md §1.9): for views, states, settlements and outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Outcome, Points
from engine.match import Match, Status, Terms, drops_left, manual_split, may_rejoin, shares


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
class Share:
    """What a seat would get if the pot were split now: entries, an exact fraction as text, such as 5 or 8/3."""

    seat: int
    share: str


def split_shares(match: Match, terms: Terms) -> tuple[Share, ...] | None:
    """The same as it is told."""
    shares = manual_split(match, terms)
    return None if shares is None else tuple(Share(seat, str(share)) for seat, share in shares.items())


def places(match: Match) -> tuple[int, ...]:
    """The place of each seat once the match is over, from 1; ties share one (1, 2, 2, 4)."""
    ranks = [_rank(match, seat) for seat in range(len(match.entrants))]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def standings(match: Match, terms: Terms, *, pause: bool) -> tuple[Standing, ...]:
    """How each seat stands, in order; shares (exact, as text) and places are there once the match is over. `pause`: no round
    is being played, so that seats may come back."""
    over = match.ending is not None
    placed, paid = (places(match), shares(match, terms)) if over else ((), ())
    return tuple(
        Standing(
            seat=seat,
            total=entrant.total,
            chips=entrant.chips,
            status=entrant.status,
            drops_left=drops_left(match, terms, seat),
            may_rejoin=pause and may_rejoin(match, terms, seat),
            rejoins=entrant.rejoins,
            share=str(paid[seat]) if over else None,
            place=placed[seat] if over else None,
        )
        for seat, entrant in enumerate(match.entrants)
    )


def outcome(match: Match, terms: Terms) -> Outcome | None:
    """How the match ended, or None while it goes on."""
    if match.ending is None:
        return None
    paid = tuple(str(share) for share in shares(match, terms))
    return Outcome(match.ending.winners, match.totals, match.ending.reason, paid, places(match))


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

"""The steps of a match (rules.md §1.9): a round is over, a seat leaves, one comes back, those who are in share the pot.

Each makes the next `Match` of the one before. The formats differ in how a round is judged (`_judge`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from engine.game import Points
from engine.rummy.match import (
    Ending,
    Entrant,
    Match,
    Reason,
    fell_last,
    limit_of,
    manual_split,
    may_rejoin,
    may_split,
    rejoin_total,
)
from engine.rummy.rules import RummyRules


class Refused(ValueError):
    """What is told of a match cannot be: the text says why."""


def begin(seats: int, rules: RummyRules) -> Match:
    """A match of so many seats before its first round."""
    chips = rules.chips_per_deal * rules.deals if rules.format == "deals" and rules.deals else None
    return Match(rules, (Entrant(0, chips),) * seats)


def after_round(match: Match, points: Sequence[Points | None], winner: int | None, left: Collection[int]) -> Match:
    """The match after a round: what each seat scored (None: it was not dealt to), who won it (None: nobody), and who left
    for good while it was played. Raises `Refused` where a seat leaves that is out or alone."""
    played = replace(match, rounds=match.rounds + 1, rejoined=frozenset(), tie_deals=match.tie_deals + bool(match.tie))
    paid = _paid(points, winner)
    for seat, scored in enumerate(points):
        if scored is not None:
            entrant = played.entrants[seat]
            chips = None if entrant.chips is None else entrant.chips + paid[seat]
            played = _put(played, seat, replace(entrant, total=entrant.total + scored, chips=chips))
    for seat in left:
        played = _gone(played, seat)
    return _judge(_eliminate(played))


def withdraw(match: Match, seat: int) -> Match:
    """A seat leaves for good between two rounds. Raises `Refused` for one that is out or alone."""
    gone = _gone(match, seat)
    if len(gone.seats_in) == 1:
        return _won(gone, gone.seats_in, "last_in")
    if seat in gone.tie:
        return _break_tie(gone)
    return _split_automatically(gone)


def rejoin(match: Match, seat: int) -> Match:
    """A seat that the last round put out comes back. Raises `Refused` where it may not."""
    total = rejoin_total(match)
    if total is None or not may_rejoin(match, seat):
        raise Refused(_why_no_rejoin(match, seat))
    entrant = match.entrants[seat]
    back = _put(match, seat, replace(entrant, total=total, status="in", rejoins=entrant.rejoins + 1, left=0))
    return replace(back, rejoined=match.rejoined | {seat})


def split(match: Match) -> Match:
    """The seats in share the pot, which they have agreed on. Raises `Refused` where a split is impossible."""
    shares = manual_split(match)
    if shares is None:
        raise Refused(
            "a split is impossible: it takes pool_split manual or both, a table that began with three or more, two or three "
            "of them in, a round played, and a pot that is more than the drops they differ by"
        )
    return _over(match, shares, "split_manual")


def _paid(points: Sequence[Points | None], winner: int | None) -> tuple[Points, ...]:
    """The chips that move: each loser's points to the winner; none where nobody won."""
    if winner is None:
        return (0,) * len(points)
    lost = [scored or 0 for scored in points]
    return tuple(sum(lost) - each if seat == winner else -each for seat, each in enumerate(lost))


def _gone(match: Match, seat: int) -> Match:
    if match.entrants[seat].status != "in":
        raise Refused(f"seat {seat} is out already")
    if len(match.seats_in) == 1:
        raise Refused(f"seat {seat} is the only one in; one seat must stay")
    return _put(match, seat, replace(match.entrants[seat], status="withdrawn", left=match.rounds))


def _eliminate(match: Match) -> Match:
    """Who has reached the limit of a pool is out, but for the only one that has not left."""
    if match.rules.format != "pool" or len(match.seats_in) == 1:
        return match
    for seat in match.seats_in:
        entrant = match.entrants[seat]
        if entrant.total >= limit_of(match.rules):
            match = _put(match, seat, replace(entrant, status="out", left=match.rounds))
    return match


def _judge(match: Match) -> Match:
    """Whether the match is over after a round, by its format."""
    seats, rules = match.seats_in, match.rules
    if len(seats) == 1:
        return _won(match, seats, "last_in")
    match rules.format:
        case "pool":
            if not seats:
                put_out = [seat for seat in range(len(match.entrants)) if fell_last(match, seat)]
                return _won(match, _lowest(match, put_out), "last_in")
            return _split_automatically(match)
        case "deals":
            return match if match.rounds < (rules.deals or 0) else _break_tie(match)
    if rules.target_points is not None:
        reached = any(match.entrants[seat].total >= rules.target_points for seat in seats)
        return _won(match, _lowest(match, seats), "target") if reached else match
    due = len(match.entrants) if rules.rounds is None else rules.rounds
    return match if match.rounds < due else _won(match, _lowest(match, seats), "rounds")


def _break_tie(match: Match) -> Match:
    """Who has the most chips wins, of those tied if there are any; more than one go on, or share once no deal is left."""
    seats = match.seats_in
    contenders = [seat for seat in match.tie if seat in seats] or seats
    chips = {seat: match.entrants[seat].chips or 0 for seat in contenders}
    top = tuple(seat for seat in contenders if chips[seat] == max(chips.values()))
    if len(top) == 1 or match.tie_deals >= match.rules.tie_break_deals:
        return _won(match, top, "chips")
    for seat in top:
        match = _put(match, seat, replace(match.entrants[seat], tied=True))
    return replace(match, tie=top)


def _split_automatically(match: Match) -> Match:
    """The seats in share the pot where the rules of a pool say so."""
    rules = match.rules
    due = (
        rules.pool_split in ("automatic", "both")
        and may_split(match)
        and all(match.entrants[seat].total >= (rules.pool_split_total or 0) for seat in match.seats_in)
    )
    return _won(match, match.seats_in, "split_automatic") if due else match


def _won(match: Match, seats: Sequence[int], reason: Reason) -> Match:
    """The match is over; the winners share the pot equally."""
    return _over(match, dict.fromkeys(seats, Fraction(match.pot, len(seats))), reason)


def _over(match: Match, shares: Mapping[int, Fraction], reason: Reason) -> Match:
    each = tuple(shares.get(seat, Fraction()) for seat in range(len(match.entrants)))
    return replace(match, ending=Ending(tuple(shares), each, reason), tie=())


def _lowest(match: Match, seats: Iterable[int]) -> tuple[int, ...]:
    totals = {seat: match.entrants[seat].total for seat in seats}
    return tuple(seat for seat, total in totals.items() if total == min(totals.values()))


def _why_no_rejoin(match: Match, seat: int) -> str:
    rules, entrant = match.rules, match.entrants[seat]
    if rules.format != "pool" or rules.pool_rejoin_ceiling is None:
        return "nobody may rejoin under these rules: that takes a pool with a pool_rejoin_ceiling"
    if not fell_last(match, seat):
        return f"seat {seat} may not rejoin: only a seat may that the points of the last round put out"
    if rules.pool_rejoins is not None and entrant.rejoins >= rules.pool_rejoins:
        return f"seat {seat} has no rejoin left"
    return f"nobody may rejoin: a seat that stayed in must have at most {rules.pool_rejoin_ceiling} points, and each of them"


def _put(match: Match, seat: int, entrant: Entrant) -> Match:
    return replace(match, entrants=(*match.entrants[:seat], entrant, *match.entrants[seat + 1 :]))

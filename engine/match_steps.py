"""The steps of a match (rules.md §1.9): a round is over, a seat leaves, one comes back, those who are in share the pot.

Each makes the next `Match` of the one before, on its `Terms`. The formats differ in how a round is judged (`_judge`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.game import Points
from engine.match import (
    Ending,
    Entrant,
    Match,
    Reason,
    Terms,
    fell_last,
    limit_of,
    manual_split,
    may_rejoin,
    may_split,
    rejoin_total,
)


class Refused(ValueError):
    """What is told of a match cannot be: the text says why."""


def begin(seats: int, terms: Terms) -> Match:
    """A match of so many seats before its first round."""
    chips = terms.chips_per_deal * terms.deals if terms.format == "deals" and terms.deals else None
    return Match((Entrant(0, chips),) * seats)


def from_totals(totals: Sequence[Points], terms: Terms, rounds: int, *, over: bool) -> Match:
    """A match of rounds that nobody has left, as its totals alone tell it."""
    match = Match(tuple(Entrant(total, None) for total in totals), rounds)
    reason: Reason = "rounds" if terms.target is None else terms.target_reason
    return _won(match, lowest_of(match, match.seats_in), reason) if over else match


def next_round(match: Match) -> Match:
    """The next round is dealt: what was agreed before it is taken back."""
    return replace(match, agreed=()) if match.agreed else match


def next_dealt_to(match: Match, starter: int) -> int:
    """Who starts the next round: of those that it is dealt to, the next seat after the last `starter`."""
    return playing_order(match, (starter + 1) % len(match.entrants))[0]


def playing_order(match: Match, starter: int) -> tuple[int, ...]:
    """The seats that the next round is dealt to, the starter first."""
    return tuple(sorted(match.dealt_to, key=lambda seat: (seat - starter) % len(match.entrants)))


def leave(match: Match, seat: int) -> Match:
    """A seat leaves for good while a round is played; its points still count. Raises `Refused` for one that is out or alone."""
    return _gone(match, seat, match.rounds + 1)


def after_round(match: Match, terms: Terms, points: Sequence[Points | None], winner: int | None) -> Match:
    """The match after a round: what each seat scored (None: it was not dealt to), and who won it (None: nobody)."""
    played = replace(match, rounds=match.rounds + 1, rejoined=(), tie_deals=match.tie_deals + bool(match.tie))
    paid = _paid(points, winner)
    for seat, scored in enumerate(points):
        if scored is not None:
            entrant = played.entrants[seat]
            chips = None if entrant.chips is None else entrant.chips + paid[seat]
            played = _put(played, seat, replace(entrant, total=entrant.total + scored, chips=chips))
    return _judge(_eliminate(played, terms), terms)


def withdraw(match: Match, terms: Terms, seat: int) -> Match:
    """A seat leaves for good between two rounds. Raises `Refused` for one that is out or alone."""
    gone = _gone(match, seat, match.rounds)
    if len(gone.seats_in) == 1:
        return _won(gone, gone.seats_in, "last_in")
    if seat in gone.tie:
        return _break_tie(gone, terms)
    return _if_all_agreed(_split_automatically(gone, terms), terms)


def rejoin(match: Match, terms: Terms, seat: int) -> Match:
    """A seat that the last round put out comes back. Raises `Refused` where it may not."""
    total = rejoin_total(match, terms)
    if total is None or not may_rejoin(match, terms, seat):
        raise Refused(_why_no_rejoin(match, terms, seat))
    entrant = match.entrants[seat]
    back = _put(match, seat, replace(entrant, total=total, status="in", rejoins=entrant.rejoins + 1, left=0))
    return replace(back, rejoined=(*match.rejoined, seat))


def agree(match: Match, terms: Terms, seat: int) -> Match:
    """A seat agrees to share the pot; the match ends once all that are in have. Raises `Refused` where a split is impossible,
    or the seat is out or has agreed already."""
    _check_split(match, terms)
    if seat not in match.seats_in:
        raise Refused(f"a split is impossible for seat {seat}: it is out")
    if seat in match.agreed:
        waiting = ", ".join(str(other) for other in match.seats_in if other not in match.agreed)
        raise Refused(f"seat {seat} has agreed already; still to agree: {waiting}")
    return _if_all_agreed(replace(match, agreed=(*match.agreed, seat)), terms)


def split(match: Match, terms: Terms) -> Match:
    """The seats in share the pot, which they have agreed on. Raises `Refused` where a split is impossible."""
    _check_split(match, terms)
    return _if_all_agreed(replace(match, agreed=match.seats_in), terms)


def _check_split(match: Match, terms: Terms) -> None:
    if manual_split(match, terms) is None:
        raise Refused(
            "a split is impossible: it takes pool_split manual or both, a table that began with three or more, two or three "
            "of them in, a round played, and a pot that is more than the drops they differ by"
        )


def _if_all_agreed(match: Match, terms: Terms) -> Match:
    """The match is over once every seat that is in has agreed, if it can be split."""
    if match.ending or not set(match.seats_in) <= set(match.agreed) or manual_split(match, terms) is None:
        return match
    return _won(match, match.seats_in, "split_manual")


def _paid(points: Sequence[Points | None], winner: int | None) -> tuple[Points, ...]:
    """The chips that move: each loser's points to the winner; none where nobody won."""
    if winner is None:
        return (0,) * len(points)
    lost = [scored or 0 for scored in points]
    return tuple(sum(lost) - each if seat == winner else -each for seat, each in enumerate(lost))


def _gone(match: Match, seat: int, number: int) -> Match:
    """The match without a seat that leaves in a round, or in the pause after it."""
    if match.entrants[seat].status != "in":
        raise Refused(f"seat {seat} is out already")
    if len(match.seats_in) == 1:
        raise Refused(f"seat {seat} is the only one in; one seat must stay")
    gone = _put(match, seat, replace(match.entrants[seat], status="withdrawn", left=number))
    return replace(gone, agreed=tuple(other for other in match.agreed if other != seat))


def _eliminate(match: Match, terms: Terms) -> Match:
    """Who has reached the limit of a pool is out, but for the only one that has not left."""
    if terms.format != "pool" or len(match.seats_in) == 1:
        return match
    for seat in match.seats_in:
        entrant = match.entrants[seat]
        if entrant.total >= limit_of(terms):
            match = _put(match, seat, replace(entrant, status="out", left=match.rounds))
    return match


def _judge(match: Match, terms: Terms) -> Match:
    """Whether the match is over after a round, by its format."""
    seats = match.seats_in
    if len(seats) == 1:
        return _won(match, seats, "last_in")
    match terms.format:
        case "pool":
            if not seats:
                put_out = [seat for seat in range(len(match.entrants)) if fell_last(match, seat)]
                return _won(match, lowest_of(match, put_out), "last_in")
            return _split_automatically(match, terms)
        case "deals":
            return match if match.rounds < (terms.deals or 0) else _break_tie(match, terms)
    reason = due(match, terms)
    return match if reason is None else _won(match, lowest_of(match, seats), reason)


def due(match: Match, terms: Terms) -> Reason | None:
    """Why a match of rounds ends after the last one scored, or None: a total is reached, or all are played."""
    if terms.target is not None:
        reached = any(match.entrants[seat].total >= terms.target for seat in match.seats_in)
        return terms.target_reason if reached else None
    wanted = len(match.entrants) if terms.rounds is None else terms.rounds
    return None if match.rounds < wanted else "rounds"


def _break_tie(match: Match, terms: Terms) -> Match:
    """Who has the most chips wins, of those tied if there are any; more than one go on, or share once no deal is left."""
    seats = match.seats_in
    contenders = [seat for seat in match.tie if seat in seats] or seats
    chips = {seat: match.entrants[seat].chips or 0 for seat in contenders}
    top = tuple(seat for seat in contenders if chips[seat] == max(chips.values()))
    if len(top) == 1 or match.tie_deals >= terms.tie_break_deals:
        return _won(match, top, "chips")
    for seat in top:
        match = _put(match, seat, replace(match.entrants[seat], tied=True))
    return replace(match, tie=top)


def _split_automatically(match: Match, terms: Terms) -> Match:
    """The seats in share the pot where the rules of a pool say so."""
    return _won(match, match.seats_in, "split_automatic") if splits_automatically(match, terms) else match


def splits_automatically(match: Match, terms: Terms) -> bool:
    """Whether the rules of a pool have the seats in share the pot at once."""
    return (
        terms.pool_split in ("automatic", "both")
        and may_split(match, terms)
        and all(match.entrants[seat].total >= (terms.pool_split_total or 0) for seat in match.seats_in)
    )


def _won(match: Match, seats: Sequence[int], reason: Reason) -> Match:
    """The match is over."""
    return replace(match, ending=Ending(tuple(seats), reason), tie=(), agreed=())


def lowest_of(match: Match, seats: Iterable[int]) -> tuple[int, ...]:
    """Those of some seats with the lowest total."""
    totals = {seat: match.entrants[seat].total for seat in seats}
    return tuple(seat for seat, total in totals.items() if total == min(totals.values()))


def _why_no_rejoin(match: Match, terms: Terms, seat: int) -> str:
    entrant = match.entrants[seat]
    if terms.format != "pool" or terms.pool_rejoin_ceiling is None:
        return "nobody may rejoin under these rules: that takes a pool with a pool_rejoin_ceiling"
    if not fell_last(match, seat):
        return f"seat {seat} may not rejoin: only a seat may that the points of the last round put out"
    if terms.pool_rejoins is not None and entrant.rejoins >= terms.pool_rejoins:
        return f"seat {seat} has no rejoin left"
    return f"nobody may rejoin: a seat that stayed in must have at most {terms.pool_rejoin_ceiling} points, and each of them"


def _put(match: Match, seat: int, entrant: Entrant) -> Match:
    return replace(match, entrants=(*match.entrants[:seat], entrant, *match.entrants[seat + 1 :]))

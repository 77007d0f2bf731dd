"""Whether the match in a state can be one that was played to this moment (rules.md §1.9, §2.5): for states from outside.

What passes is safe for every function of a match. How the totals came about is looked at as far as the last round tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.check_match_end import Moment, end_flaws
from engine.errors import Flaw
from engine.match import Entrant, Match, Terms, limit_of
from engine.match_steps import begin, due


def match_flaws(match: Match, terms: Terms, at: Moment, dearest: int) -> Iterator[Flaw]:
    """What is wrong with a match, its pointers from the state; `dearest` is the most that a round can cost a seat."""
    for part in (_frame, _entrants, _chips, _lists, _dealt, end_flaws):  # each relies on those before
        if found := tuple(part(match, terms, at)):
            yield from found
            return
    yield from _totals(match, terms, at, dearest)


Flaws = Iterator[Flaw]


def _frame(match: Match, terms: Terms, at: Moment) -> Flaws:
    if len(match.entrants) != len(at.statuses):
        yield Flaw("/match/entrants", "must be one for each seat")
    if match.rounds != at.done:
        yield Flaw("/match/rounds", f"must be {at.done}, the rounds that were scored")
    tie_deals = max(0, match.rounds - (terms.deals or 0)) if terms.format == "deals" else 0
    if match.tie_deals != tie_deals:
        yield Flaw(
            "/match/tie_deals", f"must be {tie_deals}: in deals, what is played after the last of them breaks a tie"
        )


def _entrants(match: Match, terms: Terms, at: Moment) -> Flaws:
    for number, entrant in enumerate(match.entrants):
        pointer = f"/match/entrants/{number}"
        latest = match.rounds + at.playing
        if entrant.status == "in" and entrant.left:
            yield Flaw(f"{pointer}/left", "must be 0: the seat is in")
        if entrant.status != "in" and not 1 <= entrant.left <= latest:
            yield Flaw(f"{pointer}/left", f"must be the round in or after which it went out, from 1 to {latest}")
        if entrant.status == "out" and entrant.left > match.rounds:
            yield Flaw(f"{pointer}/left", "must be a round that was scored: its points put the seat out")
        if (entrant.chips is not None) != (terms.format == "deals"):
            yield Flaw(f"{pointer}/chips", "are there in deals, and only there")
        if entrant.tied and terms.format != "deals":
            yield Flaw(f"{pointer}/tied", "must be false: ties are played off in deals alone")
        yield from _pool_entrant(match, terms, number, entrant, pointer)


def _pool_entrant(match: Match, terms: Terms, number: int, entrant: Entrant, pointer: str) -> Flaws:
    most = terms.pool_rejoins
    if terms.format != "pool" or terms.pool_rejoin_ceiling is None:
        most = 0
    if not 0 <= entrant.rejoins <= (match.rounds if most is None else min(most, match.rounds)):
        yield Flaw(f"{pointer}/rejoins", "must be as often as the rules and the rounds allow")
    if terms.format != "pool":
        if entrant.status == "out":
            yield Flaw(f"{pointer}/status", "must be in or withdrawn: points put a seat out of a pool alone")
    elif entrant.status == "out" and entrant.total < limit_of(terms):
        yield Flaw(f"{pointer}/status", f"must not be out: the total is below {limit_of(terms)}")
    elif entrant.status == "in" and entrant.total >= limit_of(terms) and match.seats_in != (number,):
        yield Flaw(f"{pointer}/status", f"must be out: the total has reached {limit_of(terms)}")


def _chips(match: Match, terms: Terms, at: Moment) -> Flaws:
    if terms.format != "deals":
        return
    dealt_out = sum(entrant.chips or 0 for entrant in begin(len(match.entrants), terms).entrants)
    if sum(entrant.chips or 0 for entrant in match.entrants) != dealt_out:
        yield Flaw("/match/entrants", f"must have {dealt_out} chips together, as at the start")


def _lists(match: Match, terms: Terms, at: Moment) -> Flaws:
    seats_in = match.seats_in
    rejoined = [seat for seat in match.rejoined if seat in range(len(match.entrants))]
    if len(set(rejoined)) != len(match.rejoined) or any(not match.entrants[seat].rejoins for seat in rejoined):
        yield Flaw("/match/rejoined", "must be seats that came back, each once")
    if len(set(match.agreed)) != len(match.agreed) or not set(match.agreed) <= set(seats_in):
        yield Flaw("/match/agreed", "must be seats that are in, each once")
    elif match.agreed and not (at.pause or at.aborted):
        yield Flaw("/match/agreed", "must be empty: a split is agreed on between two rounds")
    elif match.agreed and terms.pool_split not in ("manual", "both"):
        yield Flaw("/match/agreed", "must be empty: these rules have no split by agreement")
    yield from _tie(match, terms, at)


def _tie(match: Match, terms: Terms, at: Moment) -> Flaws:
    tie, entrants = match.tie, match.entrants
    if not tie:
        return
    inside = [seat for seat in tie if seat in range(len(entrants))]
    if sorted(set(tie)) != list(tie) or len(inside) < max(2, len(tie)):
        yield Flaw("/match/tie", "must be two seats or more, ascending")
    elif terms.format != "deals" or match.rounds < (terms.deals or 0) or match.tie_deals >= terms.tie_break_deals:
        yield Flaw("/match/tie", "must be empty: no tie is played off now")
    elif match.ending is not None:
        yield Flaw("/match/tie", "must be empty: the match is over")
    elif len({entrants[seat].chips for seat in tie}) > 1 or not all(entrants[seat].tied for seat in tie):
        yield Flaw("/match/tie", "must be seats with as many chips as each other, marked as tied")
    elif not set(tie) <= {seat for seat, each in enumerate(entrants) if _plays(each, match)}:
        yield Flaw("/match/tie", "must be seats that are in")


def _plays(entrant: Entrant, match: Match) -> bool:
    """Whether a seat was in when the round being played was dealt, or is now."""
    return entrant.status == "in" or entrant.left > match.rounds


def _dealt(match: Match, terms: Terms, at: Moment) -> Flaws:
    """The round in the state was dealt to those who were in, or to those of the tie."""
    for seat, (entrant, status) in enumerate(zip(match.entrants, at.statuses, strict=True)):
        dealt = status != "not_dealt"
        if at.playing and entrant.left > match.rounds and status == "in":
            yield Flaw(f"/seats/{seat}/status", "must not be in: the seat has withdrawn in this round")
        before = entrant.status != "in" and entrant.left < at.round
        if at.playing:
            due_to = seat in match.tie if match.tie else not before
        else:
            due_to = dealt if match.tie_deals else not before
        if dealt != due_to or (before and dealt):
            yield Flaw(
                f"/seats/{seat}/status", "must be not_dealt for the seats that the round is not dealt to, and no other"
            )


def _totals(match: Match, terms: Terms, at: Moment, dearest: int) -> Flaws:
    """Totals are sums of the points of so many rounds, those of the last among them; who came back has one more than another."""
    limit = match.rounds * dearest + match.pot - len(match.entrants)
    if not all(0 <= entrant.total <= limit for entrant in match.entrants):
        yield Flaw("/totals", "are no sums of the points of so many rounds")
        return
    most = limit * len(match.entrants)
    for seat, (entrant, first) in enumerate(
        zip(match.entrants, begin(len(match.entrants), terms).entrants, strict=True)
    ):
        if abs((entrant.chips or 0) - (first.chips or 0)) > most:
            yield Flaw(f"/match/entrants/{seat}/chips", "cannot have come from so many deals")
            return
    if at.points is None:
        return
    before = [
        entrant.total - (0 if seat in match.rejoined else points)
        for seat, (entrant, points) in enumerate(zip(match.entrants, at.points, strict=True))
    ]
    if min(before) < 0 or (
        match.rounds == 1 and any(before[seat] for seat in range(len(before)) if seat not in match.rejoined)
    ):
        yield Flaw("/totals", "do not contain the points of the last round")
    elif terms.format == "rounds" and match.rounds > 1:
        was_in = [each.status == "in" or each.left >= match.rounds for each in match.entrants]
        then = (Entrant(total, None, "in" if each else "withdrawn") for total, each in zip(before, was_in, strict=True))
        if due(Match(tuple(then), match.rounds - 1), terms) is not None:
            yield Flaw("/round", "the match was over before")

"""Whether a match from outside is over exactly where its rules end it, and as they do (rules.md §1.9, §2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.errors import Flaw
from engine.game import Points
from engine.match import Match, Reason, Terms, fell_last, manual_split
from engine.match_steps import due, lowest_of, splits_automatically


@dataclass(frozen=True, slots=True)
class Moment:
    """When a state asks about its match. `scored`: the round of the state is; `statuses`: of its seats, in the round;
    `points`: what the round scored last, `round` or the one before, cost each seat, None where no round is."""

    round: int
    scored: bool
    pause: bool
    aborted: bool
    statuses: Sequence[str]
    points: Sequence[Points] | None

    @property
    def playing(self) -> bool:
        """Whether the round has begun and has not been scored, be it that the match was aborted meanwhile."""
        return not self.scored

    @property
    def done(self) -> int:
        """The rounds scored."""
        return self.round if self.scored else self.round - 1


def end_flaws(match: Match, terms: Terms, at: Moment) -> Iterator[Flaw]:
    """The match is over exactly when its rules end it."""
    ending = match.ending
    if ending is None:
        if not at.aborted and not (at.pause or at.playing):
            yield Flaw("/match/ending", "must say how the match ended")
        elif (reason := _must_end(_as_judged(match), terms)) is not None:
            yield Flaw("/phase", f"the match is over: {reason}")
        return
    if at.aborted or at.pause or at.playing:
        yield Flaw("/match/ending", "must be null: no match was played to its end")
        return
    if not ending.winners or len(set(ending.winners)) != len(ending.winners):
        yield Flaw("/match/ending/winners", "must be one seat or more, each once")
        return
    right = _ENDS[ending.reason]
    if not right(match, terms):
        yield Flaw("/match/ending", f"no match ends so: {ending.reason} does not fit the seats and their totals")


def _as_judged(match: Match) -> Match:
    """The match without those leaving that no end of a round has looked at yet."""
    still = tuple(replace(each, status="in", left=0) if each.left > match.rounds else each for each in match.entrants)
    return replace(match, entrants=still)


def _must_end(match: Match, terms: Terms) -> str | None:
    """What ends a match that has no ending, or None."""
    seats = match.seats_in
    if len(seats) < 2:
        return "one seat is in, or none"
    if not match.rounds:
        return None
    if terms.format == "pool":
        if splits_automatically(match, terms):
            return "the pot is split"
        agreed = set(seats) <= set(match.agreed) and manual_split(match, terms) is not None
        return "all have agreed to split" if agreed else None
    if terms.format == "deals":
        return (
            None if match.rounds < (terms.deals or 0) or match.tie else "all deals are played and no tie is played off"
        )
    return "a total is reached" if due(match, terms) == terms.target_reason else due(match, terms)


def _last_in(match: Match, terms: Terms) -> bool:
    winners = match.ending.winners if match.ending else ()
    if match.seats_in:
        return match.seats_in == winners
    fallen = [seat for seat in range(len(match.entrants)) if fell_last(match, seat)]
    return terms.format == "pool" and bool(fallen) and lowest_of(match, fallen) == winners


def _of_rounds(match: Match, terms: Terms) -> bool:
    assert match.ending is not None
    seats = match.seats_in
    ends = terms.format == "rounds" and len(seats) > 1 and due(match, terms) == match.ending.reason
    return ends and lowest_of(match, seats) == match.ending.winners


def _split_automatic(match: Match, terms: Terms) -> bool:
    assert match.ending is not None
    return splits_automatically(match, terms) and match.ending.winners == match.seats_in


def _split_manual(match: Match, terms: Terms) -> bool:
    assert match.ending is not None
    before = Match(match.entrants, match.rounds)
    return manual_split(before, terms) is not None and match.ending.winners == match.seats_in


def _by_chips(match: Match, terms: Terms) -> bool:
    assert match.ending is not None
    winners, seats = match.ending.winners, match.seats_in
    if terms.format != "deals" or match.rounds < (terms.deals or 0) or len(seats) < 2 or not set(winners) <= set(seats):
        return False
    chips = {match.entrants[seat].chips for seat in winners}
    if len(chips) > 1 or (len(winners) > 1 and match.tie_deals < terms.tie_break_deals):
        return False
    tied = any(entrant.tied for entrant in match.entrants)  # then those who fell behind in it may have more by now
    return tied or chips == {max(match.entrants[seat].chips or 0 for seat in seats)}


_ENDS: dict[Reason, Callable[[Match, Terms], bool]] = {
    "last_in": _last_in,
    "rounds": _of_rounds,
    "target": _of_rounds,
    "limit": _of_rounds,
    "split_automatic": _split_automatic,
    "split_manual": _split_manual,
    "chips": _by_chips,
}

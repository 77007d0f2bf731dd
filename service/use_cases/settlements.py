"""How a match stands that an app plays itself."""

from __future__ import annotations

from engine.rummy.match import Match, manual_split, rejoin_total, standings
from engine.rummy.settlement import settle
from service.schemas.settlements import MatchOutcome, Next, Settlement, SettlementRequest, SplitShare


def standing(asked: SettlementRequest) -> Settlement:
    """The match after the rounds told. Raises `Invalid` at the first place that cannot be."""
    match = settle(asked.seats, asked.rules.rules, asked.rounds)
    shares = manual_split(match)
    return Settlement(
        standings=standings(match),
        pot=match.pot,
        next=None if match.ending else Next("tie_break" if match.tie else "round", match.dealt_to),
        split=None if shares is None else tuple(SplitShare(seat, str(share)) for seat, share in shares.items()),
        rejoin_total=rejoin_total(match),
        outcome=_outcome(match),
    )


def _outcome(match: Match) -> MatchOutcome | None:
    if match.ending is None:
        return None
    totals = tuple(entrant.total for entrant in match.entrants)
    return MatchOutcome(match.ending.winners, totals, match.ending.reason)

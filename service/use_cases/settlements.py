"""How a match stands that an app plays itself."""

from __future__ import annotations

from engine.match import Match, rejoin_total
from engine.rummy.settlement import settle
from engine.standings import split_shares, standings
from service.schemas.settlements import MatchOutcome, Next, Settlement, SettlementRequest


def standing(asked: SettlementRequest) -> Settlement:
    """The match after the rounds told. Raises `Invalid` at the first place that cannot be."""
    terms = asked.rules.rules.terms
    match = settle(asked.seats, terms, asked.rounds)
    return Settlement(
        standings=standings(match, terms, pause=True),
        pot=match.pot,
        next=None if match.ending else Next("tie_break" if match.tie else "round", match.dealt_to),
        split=split_shares(match, terms),
        rejoin_total=rejoin_total(match, terms),
        outcome=_outcome(match),
    )


def _outcome(match: Match) -> MatchOutcome | None:
    return None if match.ending is None else MatchOutcome(match.ending.winners, match.totals, match.ending.reason)

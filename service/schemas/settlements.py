"""What POST /v1/rummy/settlements is asked and answers: a match told round by round, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from marshmallow import fields
from marshmallow.validate import Length, Range

from engine.game import Points
from engine.match import Reason
from engine.rummy.rules import SEATS, RummyRules
from engine.rummy.settlement import MAX_ROUNDS, PlayedRound
from engine.standings import Share, Standing
from service.schemas.common import Chosen, rules_field
from service.schemas.fields import Coded, Shape


@dataclass(frozen=True, slots=True)
class SettlementRequest:
    """A match so far."""

    seats: int
    rounds: tuple[PlayedRound, ...]
    rules: Chosen[RummyRules]


class SettlementShape(Shape):
    """A match so far, round by round."""

    makes = SettlementRequest
    seats = fields.Integer(
        strict=True,
        required=True,
        validate=Range(SEATS.start, SEATS.stop - 1),
        metadata={"description": "How many seats the table began with."},
    )
    rounds = Coded(
        tuple[PlayedRound, ...],
        "The rounds scored so far, which may be none.",
        required=True,
        validate=Length(0, MAX_ROUNDS),
    )
    rules = rules_field(RummyRules)


@dataclass(frozen=True, slots=True)
class Next:
    """What is dealt next."""

    kind: Annotated[Literal["round", "tie_break"], "tie_break: a deal between those who are level at the top."]
    seats: Annotated[tuple[int, ...], "The seats that it is dealt to."]


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How the match ended."""

    winners: tuple[int, ...]
    totals: tuple[Points, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the match stands."""

    standings: Annotated[tuple[Standing, ...], "One for each seat, in order."]
    pot: Annotated[int, "The entries staked: one for each seat, and one for each rejoin."]
    next: Annotated[Next | None, "Null once the match is over."]
    split: Annotated[
        tuple[Share, ...] | None,
        "What a manual split would pay the seats in now, if they all agreed; null: it is impossible.",
    ]
    rejoin_total: Annotated[
        Points | None, "The total with which a seat that may would come back; null: none may."
    ]  # fmt: skip
    outcome: MatchOutcome | None

"""Shapes of the stateless rummy calls: requests as marshmallow schemas and the values they make, answers as dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from marshmallow import fields
from marshmallow.validate import Length

from engine.cards import Card, Rank
from engine.errors import Invalid
from engine.game import Points
from engine.rummy.arrangement import Group, Kind
from engine.rummy.melds import Fault
from engine.rummy.rules import SEATS, RummyRules
from engine.rummy.state import Reason, Status
from service.codec import read
from service.hints import Flaws, Malformed, Read
from service.schemas.common import Chosen, Problem, rules_field, wild_rank_field
from service.schemas.fields import Coded, Shape, cards, flag

MAX_HANDS = 1000
_HANDS = {
    "type": "array",
    "description": "Lists of 13 or 14 cards. A wrong one is no error of the call: it is answered by a problem in its place.",
    "items": {},
}
MAX_GROUPS, MAX_GROUP_CARDS = 50, 100  # far above what can be right, so that nobody buys work with empty groups


# What is asked -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GroupingRequest:
    """A hand to group."""

    hand: tuple[Card, ...]
    wild_rank: Rank | None
    rules: Chosen[RummyRules]


class GroupingShape(Shape):
    """A hand to group."""

    makes = GroupingRequest
    hand = cards("13 cards, or 14: then the best one to let go is found as well.", required=True)
    wild_rank = wild_rank_field()
    rules = rules_field(RummyRules)


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Many hands under the same rules; in the place of an unreadable one, what is wrong with it."""

    hands: tuple[tuple[Card, ...] | Invalid, ...]
    wild_rank: Rank | None
    rules: Chosen[RummyRules]


def _read_each(value: Any, at: str, flaws: Flaws) -> Any:
    """Each hand by itself, so that a wrong one does not spoil the rest."""
    if type(value) is not list:
        flaws.add(at, "must be a list of hands")
        return None
    return tuple(_read_one(hand, f"/hands/{place}") for place, hand in enumerate(value[: MAX_HANDS + 1]))


def _read_one(hand: Any, at: str) -> tuple[Card, ...] | Invalid:
    try:
        cards: tuple[Card, ...] = read(tuple[Card, ...], hand, at)
    except Malformed as wrong:
        return wrong
    return cards


class BatchShape(Shape):
    """Many hands under the same rules."""

    makes = BatchRequest
    hands = Coded(Annotated[Any, Read(_read_each, _HANDS)], required=True, validate=Length(1, MAX_HANDS))
    wild_rank = wild_rank_field()
    rules = rules_field(RummyRules)


@dataclass(frozen=True, slots=True)
class DeclarationRequest:
    """Groups to judge as a declaration."""

    groups: Sequence[tuple[Card, ...]]
    wild_rank: Rank | None
    hand: tuple[Card, ...] | None
    fold: Card | None
    rules: Chosen[RummyRules]


class DeclarationShape(Shape):
    """Groups to judge as a declaration."""

    makes = DeclarationRequest
    groups = fields.List(cards(validate=Length(0, MAX_GROUP_CARDS)), required=True, validate=Length(0, MAX_GROUPS))
    wild_rank = wild_rank_field()
    hand = Coded(tuple[Card, ...] | None, "The hand they are laid from, 13 or 14 cards.", load_default=None)
    fold = Coded(Card | None, "The card folded to declare.", load_default=None)
    rules = rules_field(RummyRules)


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """One seat at the end of a round."""

    status: Status
    hand: tuple[Card, ...] | None


class ScoredHandShape(Shape):
    """One seat at the end of a round."""

    makes = ScoredHand
    status = Coded(Status, "How the seat ended the round.", load_default="in")
    hand = Coded(tuple[Card, ...] | None, "13 cards; required of a loser who is still in.", load_default=None)


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A finished round."""

    seats: Sequence[ScoredHand]
    wild_rank: Rank | None
    winner: int | None
    first_turn: bool
    rules: Chosen[RummyRules]


class ScoreShape(Shape):
    """A finished round."""

    makes = ScoreRequest
    seats = fields.List(fields.Nested(ScoredHandShape), required=True, validate=Length(SEATS.start, SEATS.stop - 1))
    wild_rank = wild_rank_field()
    winner = fields.Integer(
        strict=True,
        required=True,
        allow_none=True,
        metadata={"description": "The seat that declared, or null if nobody did."},
    )
    first_turn = flag(
        "Whether the winner declared on the very first turn, before anyone else had acted.", default=False
    )
    rules = rules_field(RummyRules)


# What is answered --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grouping:
    """The grouping that leaves the fewest points; if the hand can be declared, a grouping that does. Beside a score always
    the grouping that it was scored by."""

    points: Annotated[Points, "What the loose cards cost, after the cap."]
    points_uncapped: Annotated[Points, "The same before the cap: this is what is minimised."]
    declarable: Annotated[bool | None, "Whether the 13 cards meet the rules of a declaration; null: not proved."]
    optimal: Annotated[bool, "Whether the answer is proved to be the best."]
    groups: Annotated[tuple[Group, ...], "The groups that count."]
    loose: Annotated[tuple[Card, ...], "The cards in no group that counts."]
    discard: Annotated[Card | None, "Of 14 cards, the one to let go."]
    proof: Annotated[str | None, "What proved the answer: reduction or cp-sat; null: nothing did."]
    loser_points: Annotated[
        Points | None,
        "What the 13 cards cost if another seat wins, by the rules of scoring, after the cap; null: not proved.",
    ]


@dataclass(frozen=True, slots=True)
class Batch:
    """An answer for each hand, in the order of the hands."""

    results: Annotated[tuple[Grouping | Problem, ...], "A grouping, or in the place of a wrong hand its problem."]


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """One group as sent: what it is, or its first fault."""

    cards: tuple[Card, ...]
    kind: Annotated[Kind | None, "The kind that helps the player most."]
    kinds: Annotated[tuple[Kind, ...], "Every kind that the cards are."]
    stands_for: tuple[str, ...] | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Declaration:
    """The verdict on a declaration."""

    valid: bool
    groups: tuple[JudgedGroup, ...]
    faults: Annotated[tuple[Fault, ...], "The faults of the whole, all that apply."]
    regroup: Annotated[
        tuple[tuple[Card, ...], ...] | None, "A valid grouping of the same cards, if these groups fail and there is one."
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoredSeat:
    """What one seat scored and why."""

    points: Points
    reason: Reason
    grouping: Grouping | None = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a round, and who pays whom."""

    seats: tuple[ScoredSeat, ...]
    settlement: Annotated[tuple[Points, ...], "The winner gets what the others lose; the sum is zero."]

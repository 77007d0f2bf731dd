"""What the stateless rummy calls are asked: marshmallow schemas, and the values they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from marshmallow import fields
from marshmallow.validate import Length, Range

from engine.cards import Card, Rank
from engine.errors import Invalid
from engine.rummy.rules import HAND_SIZE, SEATS, RummyRules
from engine.rummy.state import Status
from service.json.codec import read
from service.json.type_hints import As, Flaws, Malformed, Read
from service.schemas.cards import Cards
from service.schemas.common import Chosen, rules_field, wild_rank_field
from service.schemas.fields import Coded, Shape, cards, flag
from solver.solve import Method

MAX_HANDS = 1000
_HANDS = {
    "type": "array",
    "description": "Hands of 13 or 14 cards. A wrong one is no error of the call: it is answered by a problem in its place.",
    "items": As(Cards),
}
MAX_ALTERNATIVES = 20
MAX_GROUPS, MAX_GROUP_CARDS = 50, 100  # far above what can be right, so that nobody buys work with empty groups


def proof_field() -> Coded:
    """What is to prove an answer."""
    return Coded(
        Method,
        "auto: the exact search, or CP-SAT where that is too long. cp-sat: the CP-SAT model.",
        load_default="auto",
    )


@dataclass(frozen=True, slots=True)
class GroupingRequest:
    """A hand to group."""

    hand: tuple[Card, ...]
    wild_rank: Rank | None
    rules: Chosen[RummyRules]
    proof: Method
    alternatives: int


class GroupingShape(Shape):
    """A hand to group."""

    makes = GroupingRequest
    hand = cards("13 cards, or 14: then the best one to let go is found as well.", required=True)
    wild_rank = wild_rank_field()
    rules = rules_field(RummyRules)
    proof = proof_field()
    alternatives = fields.Integer(
        strict=True,
        load_default=0,
        validate=Range(0, MAX_ALTERNATIVES),
        metadata={"description": "How many further groupings of equal worth to list."},
    )


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Many hands under the same rules; in the place of an unreadable one, what is wrong with it."""

    hands: tuple[tuple[Card, ...] | Invalid, ...]
    wild_rank: Rank | None
    rules: Chosen[RummyRules]
    proof: Method


def _read_each(value: Any, at: str, flaws: Flaws) -> Any:
    """Each hand by itself, so that a wrong one does not spoil the rest."""
    if type(value) is not list:
        flaws.add(at, "must be a list of hands")
        return None
    return tuple(_read_one(hand, f"/hands/{place}") for place, hand in enumerate(value[: MAX_HANDS + 1]))


def _read_one(hand: Any, at: str) -> tuple[Card, ...] | Invalid:
    try:
        cards: tuple[Card, ...] = read(Cards, hand, at)
    except Malformed as wrong:
        return wrong
    return cards


class BatchShape(Shape):
    """Many hands under the same rules."""

    makes = BatchRequest
    hands = Coded(Annotated[Any, Read(_read_each, _HANDS)], required=True, validate=Length(1, MAX_HANDS))
    wild_rank = wild_rank_field()
    rules = rules_field(RummyRules)
    proof = proof_field()


@dataclass(frozen=True, slots=True)
class DeclarationRequest:
    """Groups to judge as a declaration."""

    groups: Sequence[tuple[Card, ...]]
    wild_rank: Rank | None
    hand: tuple[Card, ...] | None
    fold: Card | None
    rules: Chosen[RummyRules]
    proof: Method


class DeclarationShape(Shape):
    """Groups to judge as a declaration."""

    makes = DeclarationRequest
    groups = fields.List(cards(validate=Length(0, MAX_GROUP_CARDS)), required=True, validate=Length(0, MAX_GROUPS))
    wild_rank = wild_rank_field()
    hand = Coded(Cards | None, "The hand they are laid from, 13 or 14 cards.", load_default=None)
    fold = Coded(Card | None, "The card folded to declare.", load_default=None)
    rules = rules_field(RummyRules)
    proof = proof_field()


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """One seat at the end of a round."""

    status: Status
    hand: tuple[Card, ...] | None
    groups: tuple[tuple[Card, ...], ...] | None
    no_turn: bool | None


class ScoredHandShape(Shape):
    """One seat at the end of a round."""

    makes = ScoredHand
    status = Coded(Status, "How the seat ended the round.", load_default="in")
    hand = Coded(Cards | None, "13 cards; required of a loser who is still in.", load_default=None)
    groups = fields.List(
        cards(validate=Length(0, MAX_GROUP_CARDS)),
        load_default=None,
        allow_none=True,
        validate=Length(0, HAND_SIZE),
        metadata={
            "description": "A loser's own grouping of the hand: judged as it is, and under loser_grouping submitted what it pays by."
        },
    )
    no_turn = Coded(
        bool | None,
        "Whether the seat has had no turn in the round; left out: as first_turn says. For halves_for no_turn.",
        load_default=None,
    )


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A finished round."""

    seats: Sequence[ScoredHand]
    wild_rank: Rank | None
    winner: int | None
    first_turn: bool
    rules: Chosen[RummyRules]
    proof: Method


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
    proof = proof_field()

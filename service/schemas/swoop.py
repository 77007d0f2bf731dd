"""Shapes of the stateless swoop calls: requests as marshmallow schemas and the values they make, answers as dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from marshmallow import fields
from marshmallow.validate import Length

from engine.cards import Card
from engine.errors import Violation
from engine.swoop.pile import Effect, SeenStack, Turn
from engine.swoop.rules import MAX_STACKS, SEATS, SwoopRules
from engine.swoop.state import Result, Stack
from service.schemas.common import Chosen, rules_field
from service.schemas.fields import Coded, Shape, cards

# What is asked -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """Cards of one rank."""

    hand: tuple[Card, ...]
    guards: tuple[int, ...]


class PlayedCardsShape(Shape):
    """Cards of one rank, from the hand and from the guards of some slots; a committed secret is always part of it."""

    makes = PlayedCards
    hand = cards(load_default=())
    guards = Coded(tuple[int, ...], "The slots of the guards.", load_default=())


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """A table as one player sees it, and a play."""

    pile: tuple[Card, ...]
    hand: tuple[Card, ...]
    stacks: tuple[SeenStack, ...]
    committed: int | None
    play: PlayedCards
    rules: Chosen[SwoopRules]


class PlayShape(Shape):
    """A table as one player sees it, and a play."""

    makes = PlayRequest
    pile = cards("Bottom to top.", required=True)
    hand = cards(required=True)
    stacks = Coded(
        tuple[SeenStack, ...],
        "`??` is a face-down secret, null an empty place.",
        required=True,
        validate=Length(1, MAX_STACKS),
    )
    committed = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        metadata={"description": "The slot of the flipped secret, which is always part of the play."},
    )
    play = fields.Nested(PlayedCardsShape, required=True)
    rules = rules_field(SwoopRules)


@dataclass(frozen=True, slots=True)
class HeldCards:
    """What one seat holds at the end of a round."""

    hand: tuple[Card, ...]
    stacks: tuple[Stack, ...]


class HeldCardsShape(Shape):
    """What one seat holds at the end of a round."""

    makes = HeldCards
    hand = cards(required=True)
    stacks = Coded(tuple[Stack, ...], load_default=(), validate=Length(0, MAX_STACKS))


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A finished round."""

    seats: Sequence[HeldCards]
    rules: Chosen[SwoopRules]


class ScoreShape(Shape):
    """A finished round."""

    makes = ScoreRequest
    seats = fields.List(fields.Nested(HeldCardsShape), required=True, validate=Length(1, SEATS.stop - 1))
    rules = rules_field(SwoopRules)


# What is answered --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LegalPlay:
    """What the play does, and the table afterwards."""

    legal: Literal[True]
    effect: Effect
    turn: Turn
    out: bool
    pile: tuple[Card, ...]
    hand: tuple[Card, ...]
    stacks: tuple[SeenStack, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """The rule that a move breaks."""

    code: str
    message: str
    cards: tuple[Card, ...]

    @classmethod
    def of(cls, violation: Violation) -> Broken:
        return cls(violation.code, violation.message, violation.cards)


@dataclass(frozen=True, slots=True)
class IllegalPlay:
    """Why the play is illegal."""

    legal: Literal[False]
    violation: Broken


@dataclass(frozen=True, slots=True)
class Scores:
    """What each seat's cards cost."""

    seats: tuple[Result, ...]

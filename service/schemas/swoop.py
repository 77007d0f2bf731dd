"""Shapes of the stateless swoop calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from engine.cards import Card
from engine.errors import Violation
from engine.swoop.pile import Effect, SeenStack, Turn
from engine.swoop.rules import MAX_STACKS, SEATS, SwoopRules
from engine.swoop.state import Result, Stack
from service.codec import Between
from service.schemas.common import Chosen, choice_of

MAX_CARDS = 500  # more than any table of eight holds

Rules = Annotated[Chosen[SwoopRules], choice_of(SwoopRules)]
Cards = Annotated[tuple[Card, ...], Between(0, MAX_CARDS)]
_HOUSE: Chosen[SwoopRules] = Chosen(SwoopRules.presets()["house"])


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """Cards of one rank, from the hand and from the guards of some slots; the committed secret is always part of it."""

    hand: Cards = ()
    guards: Annotated[tuple[int, ...], Between(0, MAX_CARDS)] = ()


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """A table as one player sees it, and a play."""

    pile: Annotated[Cards, "Bottom to top."]
    hand: Cards
    stacks: Annotated[tuple[SeenStack, ...], Between(1, MAX_STACKS), "`??` is a face-down secret, null an empty place."]
    play: PlayedCards
    committed: Annotated[int | None, "The slot of the flipped secret, which is always part of the play."] = None
    rules: Rules = _HOUSE


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
class HeldCards:
    """What one seat holds at the end of a round."""

    hand: Cards
    stacks: Annotated[tuple[Stack, ...], Between(0, MAX_STACKS)] = ()


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A finished round."""

    seats: Annotated[tuple[HeldCards, ...], Between(1, SEATS.stop - 1)]
    rules: Rules = _HOUSE


@dataclass(frozen=True, slots=True)
class Scores:
    """What each seat's cards cost."""

    seats: tuple[Result, ...]

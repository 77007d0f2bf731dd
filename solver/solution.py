"""What is answered about a hand, and how it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.rummy.arrangement import Arrangement

Method = Literal["auto", "cp-sat"]
Proof = Literal["reduction", "cp-sat"]


@dataclass(frozen=True, slots=True)
class Scored:
    """What a hand costs its loser. `discard` is the card let go of a hand of fourteen, and the arrangement is that of the
    others. `proof` says what proved that none leaves fewer points; None: nothing did."""

    arrangement: Arrangement
    discard: Card | None
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class Declared:
    """Whether a hand can be declared: a declaration, with the card folded of fourteen, or none. `proof` says what found it
    or proved that there is none; None: nothing did."""

    arrangement: Arrangement | None
    discard: Card | None
    proof: Proof | None

    @property
    def possible(self) -> bool | None:
        """Whether there is a declaration; None where that is not proved."""
        return None if self.proof is None else self.arrangement is not None


@dataclass(frozen=True, slots=True)
class Solution:
    """Both answers about one hand. `declarable`: whether it can be declared, None where that is not proved; `loser_points`:
    what it costs its loser before any cap, likewise. `arrangement` answers one of them: see who made it. `optimal`: all of it
    is proved, by `proof`. `discard` is the card let go of a hand of fourteen; the rest is about the other cards."""

    arrangement: Arrangement
    discard: Card | None
    optimal: bool
    declarable: bool | None
    loser_points: int | None
    proof: Proof | None

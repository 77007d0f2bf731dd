"""What the laws need to know of a game beyond its contract: its zones, what a seat cannot see, and how people may move."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from engine.cards import Card
from engine.game import Abort, Forfeit, NextRound, Rejoin, Withdraw

Slots = list[tuple[Any, Card]]  # where hidden cards lie: a place, and the card in it


class Habits(ABC):
    """The knowledge of one game that its laws are tested with."""

    arranger: Any = None  # whom the game asks in the tests; fast rather than right
    exact: Any = None  # whom it asks where a golden playthrough is decided
    depth = 0.2  # the share of positions at which the tests look at every law
    max_rounds = 4
    goes_on: ClassVar[frozenset[str]]  # the events after which a seat may still be to move, in the same turn
    opens: ClassVar[frozenset[str]] = (
        frozenset()
    )  # the moves that may show a whole hand: their events tell as they please
    between: ClassVar[frozenset[str]] = frozenset()  # the moves of seats between two rounds
    common: ClassVar[Mapping[str, int]]  # kinds of events, and how often each has to happen in thirty random matches

    @abstractmethod
    def rules(self, rng: random.Random) -> Any:
        """Random rules; a deal under them may have too few cards."""

    def arranged(self, state: Any, rng: random.Random) -> Any:
        """A state with its cards put where they make interesting positions, if the game wants that."""
        return state

    def recorded(self, events: Sequence[Any]) -> Any:
        """Whom the game asks where a move is made again that had these events."""
        return None

    @abstractmethod
    def zones(self, state: Any) -> Iterable[Sequence[Card]]:
        """All cards of a state."""

    @abstractmethod
    def hidden(self, state: Any, viewer: int | None, revealed: Sequence[Any]) -> Slots:
        """The places that `viewer` cannot see into, but those that a move reveals."""

    @abstractmethod
    def with_cards(self, state: Any, slots: Slots) -> Any:
        """The state with other cards in some places."""

    @abstractmethod
    def revealed(self, state: Any, move: Any) -> Sequence[Any]:
        """The places whose cards a move of the seat to move shows to everyone."""

    def tells(self, state: Any, move: Any, viewer: int | None) -> bool:
        """Whether a move tells `viewer` something by being legal, or by what it gives, so that its events may differ."""
        return False

    @abstractmethod
    def strange(self, state: Any, rng: random.Random) -> Any:
        """A well-formed move, legal or not."""

    def is_listed(self, state: Any, move: Any, moves: Sequence[Any]) -> bool:
        """Whether a legal move is one of `moves`, which are all that are told apart."""
        return move in moves

    def part(self, state: Any, move: Any, rng: random.Random) -> Any:
        """A smaller move that must be legal where the listed `move` is."""
        return move

    def choose(self, state: Any, moves: Sequence[Any], rng: random.Random) -> Any:
        """A legal move of the seat to move, as a rule one of the listed ones."""
        return rng.choice(moves)

    def kind(self, event: Any) -> str:
        """What an event counts as in `common`."""
        return str(event.type)

    def permuted(self, state: Any, viewer: int | None, revealed: Sequence[Any], rng: random.Random) -> Any:
        """The state with the cards that `viewer` cannot see dealt anew among their places, and another seed."""
        slots = self.hidden(state, viewer, revealed)
        cards = [card for _, card in slots]
        rng.shuffle(cards)
        put = [(place, card) for (place, _), card in zip(slots, cards, strict=True)]
        return replace(self.with_cards(state, put), seed=rng.randbytes(32).hex())


def referee_move(seats: int, rng: random.Random) -> Any:
    seat = rng.randrange(-1, seats + 1)
    return rng.choice((NextRound(), Abort(), Forfeit(seat), Withdraw(seat), Rejoin(seat)))

"""What the laws need to know of rummy: see `tests.engine.habits.Habits`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.cards import Card
from engine.rummy.moves import Declare, Discard, Draw, Pack
from engine.rummy.rules import RummyRules
from engine.rummy.state import State, is_scored
from tests.engine.habits import Habits, Slots
from tests.engine.rummy.playing import enrich, every_move, random_rules


class RummyHabits(Habits):
    """Some deals near a full grouping, packs rare, turn limits short, winning declarations taken as a rule."""

    def rules(self, rng: random.Random) -> RummyRules:
        return random_rules(rng)

    def arranged(self, state: State, rng: random.Random) -> State:
        return enrich(rng, state) if rng.random() < 0.35 else state

    def zones(self, state: State) -> Iterable[Sequence[Card]]:
        hands = [seat.hand for seat in state.seats]
        return (*hands, state.stock, state.discard, (state.wild_card,), state.removed)

    def hidden(self, state: State, viewer: int | None, revealed: Sequence[Any]) -> Slots:
        slots: Slots = [(("stock", None, place), card) for place, card in enumerate(state.stock)]
        fold = state.last_round.fold if state.last_round is not None and is_scored(state) else None
        open_card = None if fold is None else ("removed", None, state.removed.index(fold))
        slots += [(("removed", None, place), card) for place, card in enumerate(state.removed)]
        for at, seat in enumerate(state.seats):
            if at == viewer or (is_scored(state) and seat.status == "in"):
                continue
            known = ("hand", at, len(seat.hand) - 1) if at == state.turn and state.taken is not None else None
            hand = ((("hand", at, place), card) for place, card in enumerate(seat.hand))
            slots += [(place, card) for place, card in hand if place != known]
        return [(place, card) for place, card in slots if place != open_card and place not in revealed]

    def with_cards(self, state: State, slots: Slots) -> State:
        put = dict(slots)

        def zone(name: str, at: int | None, cards: Sequence[Card]) -> tuple[Card, ...]:
            return tuple(put.get((name, at, place), card) for place, card in enumerate(cards))

        seats = tuple(replace(seat, hand=zone("hand", at, seat.hand)) for at, seat in enumerate(state.seats))
        stock, removed = zone("stock", None, state.stock), zone("removed", None, state.removed)
        return replace(state, seats=seats, stock=stock, removed=removed)

    def revealed(self, state: State, move: Any) -> Sequence[Any]:
        if state.turn is None or not isinstance(move, Discard):
            return []
        return [("hand", state.turn, state.seats[state.turn].hand.index(move.card))]

    def tells(self, state: State, move: Any, viewer: int | None) -> bool:
        """A declaration opens the hand, a discard of the taken card tells of a second copy, a draw shows its own card."""
        if isinstance(move, Discard):
            return move.card == state.taken
        return isinstance(move, Declare) or (isinstance(move, Draw) and viewer == state.turn)

    def strange(self, state: State, rng: random.Random) -> Any:
        return rng.choice(every_move(rng, state))[1]

    def choose(self, state: State, moves: Sequence[Any], rng: random.Random) -> Any:
        declares = [move for move in moves if isinstance(move, Declare)]
        if declares and rng.random() < 0.8:
            return rng.choice(declares)
        penalty = state.rules.invalid_declaration == "penalty"
        if penalty and state.phase == "discard" and state.turn is not None and rng.random() < 0.02:
            return Declare(rng.choice(state.seats[state.turn].hand))
        if state.phase == "draw" and state.turn is not None:
            if rng.random() < (0.02 if state.seats[state.turn].turns else 0.04):
                return Pack()
            moves = [move for move in moves if isinstance(move, Draw)] or moves
        return rng.choice(moves)

"""What the laws need to know of swoop: see `tests.engine.habits.Habits`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from engine.cards import FACES, Card, in_order
from engine.options import resolve
from engine.swoop.moves import Flip, Play
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Seat, Stack, State, cards_of, is_scored
from tests.engine.habits import Habits, Slots, referee_move


class SwoopHabits(Habits):
    """Anything goes, with plays of other cards than those listed."""

    goes_on = frozenset({"cleared", "picked_up", "flipped"})
    common: ClassVar = {
        "dealt": 30,
        "played": 1000,
        "cleared": 100,
        "picked_up": 100,
        "flipped": 100,
        "went_out": 10,
        "forfeited": 5,
        "withdrawn": 3,
        "aborted": 2,
        "round_scored": 30,
        "match_over": 5,
    }

    def rules(self, rng: random.Random) -> SwoopRules:
        given: dict[str, Any] = {"preset": rng.choice(("house", "classic"))}
        options = {
            "decks": rng.choice((None, None, 1, 2, 4)),
            "printed_jokers_per_deck": rng.randint(0, 3),
            "hand_size": rng.randint(0, 11),
            "stacks": rng.randint(1, 5),
            "ace_high": rng.random() < 0.5,
            "clear_size": rng.choice((2, 3, 4, 4, 5)),
            "quad_beats_pickup": rng.random() < 0.5,
            "pickup_ends_turn": rng.random() < 0.5,
            "secret_only_when_stuck": rng.random() < 0.5,
            "limit": rng.choice((20, 150, 500)),
            "max_plies": rng.choice((1, 5, 30, 200, 2000)),
        }
        given |= {name: value for name, value in options.items() if rng.random() < 0.4}
        return resolve(SwoopRules, given)

    def zones(self, state: State) -> Iterable[Sequence[Card]]:
        hands = [cards_of(seat.hand, seat.stacks) for seat in state.seats]
        return (*hands, state.pile, state.removed, state.set_aside)

    def hidden(self, state: State, viewer: int | None, revealed: Sequence[Any]) -> Slots:
        slots: Slots = [(("set_aside", None, place), card) for place, card in enumerate(state.set_aside)]
        if is_scored(state):
            return slots
        for at, seat in enumerate(state.seats):
            if at != viewer:
                slots += [(("hand", at, place), card) for place, card in enumerate(seat.hand)]
            for slot, stack in enumerate(seat.stacks):
                if stack.secret is not None and (at, slot) != (state.turn, state.committed) and slot != seat.turned_up:
                    slots.append((("secret", at, slot), stack.secret))
        return [(place, card) for place, card in slots if place not in revealed]

    def with_cards(self, state: State, slots: Slots) -> State:
        put = dict(slots)

        def seat_with(at: int, seat: Seat) -> Seat:
            hand = tuple(put.get(("hand", at, place), card) for place, card in enumerate(seat.hand))
            stacks = tuple(
                Stack(stack.guard, put.get(("secret", at, slot), stack.secret))
                for slot, stack in enumerate(seat.stacks)
            )
            return Seat(hand, stacks, seat.status, seat.turned_up)

        return replace(
            state,
            seats=tuple(seat_with(at, seat) for at, seat in enumerate(state.seats)),
            set_aside=tuple(put.get(("set_aside", None, place), card) for place, card in enumerate(state.set_aside)),
        )

    def revealed(self, state: State, move: Any) -> Sequence[Any]:
        if isinstance(move, Flip):
            return [("secret", state.turn, move.slot)]
        if not isinstance(move, Play) or state.turn is None:
            return []
        wanted, places = list(move.hand), []
        for place, card in enumerate(state.seats[state.turn].hand):
            if card in wanted:
                wanted.remove(card)
                places.append(("hand", state.turn, place))
        return places

    def tells(self, state: State, move: Any, viewer: int | None) -> bool:
        """A flip tells that nothing in the hand would have been safe, where that is what allows it."""
        return isinstance(move, Flip) and state.rules.secret_only_when_stuck and viewer != state.turn

    def strange(self, state: State, rng: random.Random) -> Any:
        stacks = state.rules.stacks
        if rng.random() < 0.1:
            return referee_move(len(state.seats), rng)
        if rng.random() < 0.3:
            return Flip(rng.randrange(-1, stacks + 1))
        own = state.seats[state.turn or 0].hand
        hand = rng.choices(own or FACES, k=rng.randint(0, 2)) + rng.choices(FACES, k=rng.random() < 0.3)
        return Play(tuple(hand), tuple(rng.choices(range(-1, stacks + 1), k=rng.choice((0, 0, 1, 2)))))

    def is_listed(self, state: State, move: Any, moves: Sequence[Any]) -> bool:
        """A play is listed once, whatever the order in which it names its cards and slots."""
        return move in moves or (isinstance(move, Play) and _sorted(move) in moves)

    def part(self, state: State, move: Any, rng: random.Random) -> Any:
        if not isinstance(move, Play):
            return move
        hand = tuple(card for card in move.hand if rng.random() < 0.5)
        guards = tuple(slot for slot in move.guards if rng.random() < 0.5)
        empty = not hand and not guards and state.committed is None
        return move if empty else Play(hand, guards)


def _sorted(play: Play) -> Play:
    return Play(in_order(play.hand), tuple(sorted(play.guards)))

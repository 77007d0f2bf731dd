"""Swoop tables in a line: what a test does not name lies among the cleared cards."""

from __future__ import annotations

from collections import Counter

from engine.cards import Card, parse_card, without
from engine.match_steps import from_totals
from engine.options import resolve
from engine.swoop.deal import whole_deck
from engine.swoop.events import Event
from engine.swoop.game import GAME
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.rules import HOUSE, SwoopRules
from engine.swoop.state import RoundScore, Seat, Stack, State, cards_of
from engine.swoop.transitions import apply

SEED = "5e" * 32


def cards(text: str) -> tuple[Card, ...]:
    """``"9H TD"`` as cards."""
    return tuple(map(parse_card, text.split()))


def seat(hand: str = "", *stacks: str, status: str = "in") -> Seat:
    """A seat; a stack is ``"9C/2D"`` (guard and secret), ``"-/2D"`` (the guard is gone) or ``"-"`` (both are)."""
    return Seat(cards(hand), tuple(map(_stack, stacks)), "in" if status == "in" else "forfeited")


def _stack(text: str) -> Stack:
    guard, _, secret = text.partition("/")
    return Stack(None if guard == "-" else parse_card(guard), parse_card(secret) if secret else None)


def table(
    *seats: Seat,
    pile: str = "",
    rules: SwoopRules = HOUSE,
    turn: int = 0,
    committed: int | None = None,
    plies: int = 7,
    totals: tuple[int, ...] | None = None,
    last_round: RoundScore | None = None,
) -> State:
    """A round in play, in a state that the engine's check lets pass; missing stacks are gone."""
    gone = Stack(None, None)
    full = tuple(Seat(s.hand, s.stacks + (gone,) * (rules.stacks - len(s.stacks)), s.status) for s in seats)
    held = [card for s in full for card in cards_of(s.hand, s.stacks)] + list(cards(pile))
    whole = whole_deck(rules, len(seats))
    over = Counter(held) - Counter(whole)
    assert not over, f"more copies than the decks hold: {over}"
    rest = without(whole, held)
    left_over = len(whole) - rules.cards_for(len(seats))
    number = 1 if last_round is None else last_round.round + 1
    state = State(
        rules=rules,
        seed=SEED,
        shuffles=number,
        round=number,
        starter=0,
        turn=turn,
        phase="play",
        plies=plies,
        match=from_totals(totals or (0,) * len(seats), rules.terms, number - 1, over=False),
        last_round=last_round,
        seats=full,
        pile=cards(pile),
        removed=rest[left_over:],
        set_aside=rest[:left_over],
        committed=committed,
        aborted=False,
    )
    GAME.check(state)
    return state


def crowded() -> State:
    """Seat 0 holds all the kings and aces of eight decks, some of the kings as guards: millions of plays."""
    rules = resolve(SwoopRules, {"decks": 8, "stacks": 8, "hand_size": 26})
    guards = [f"K{suit}/4S" for suit in "SHDCSHD"]
    hand = ["KS KH KD KC"] * 6 + ["AS AH AD AC"] * 8 + ["2D 3D"]
    other = seat("9S", "QS/2S")
    return table(seat(" ".join(hand), *guards, "-/4S"), other, other, rules=rules)


def play(state: State, hand: str = "", *guards: int) -> tuple[State, tuple[Event, ...]]:
    """The seat to move plays these cards of its hand and these guards; the state that follows passes the check."""
    after, events = apply(state, state.turn, Play(cards(hand), guards))
    GAME.check(after)
    return after, events


def flip(state: State, slot: int) -> State:
    after, _ = apply(state, state.turn, Flip(slot))
    GAME.check(after)
    return after


def refused(state: State, move: Move, by: int | None = -1) -> str:
    """The code by which a move of the seat to move (or of `by`) is refused."""
    found = GAME.violation(state, state.turn if by == -1 else by, move, None)
    assert found is not None
    assert found.message
    return found.code


def types(events: tuple[Event, ...]) -> list[str]:
    return [event.type for event in events]

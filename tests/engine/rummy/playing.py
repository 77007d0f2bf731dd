"""Random play for the laws: matches under random rules, some of their hands close to a full grouping."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from engine.cards import FACES, RANKS, SUITS, Card, in_order, without
from engine.errors import TooFewCards
from engine.game import Abort, Forfeit, NextRound
from engine.rummy import GAME
from engine.rummy.moves import Declare, Discard, Draw, Move, Pack
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from engine.rummy.state import State
from tests.engine.rummy.arranger import Naturals

QUICK = Naturals()  # which groups are found matters to no law, only that the same are found again


class Position(NamedTuple):
    """A state of a match, what was moved in it, and what came of it."""

    state: State
    seat: int | None
    move: Move
    after: State
    events: tuple[Any, ...]


def random_rules(rng: random.Random) -> RummyRules:
    """Either preset with options of play changed at random; turn limits are short, so that rounds end."""
    options: dict[str, list[Any]] = {
        "decks": [None, 1, 2, 3],
        "printed_jokers_per_deck": [0, 1, 2],
        "exposed_joker": ["redraw", "aces_wild", "jokers_only"],
        "invalid_declaration": ["reject", "penalty"],
        "declaration_judged": ["groups", "hand"],
        "may_discard_taken_card": [True, False],
        "may_take_discarded_wild": [True, False],
        "first_pack_under_stock": [True, False],
        "first_turn_halves": [True, False],
        "halve_rounding": ["down", "up", "exact"],
        "opening_cards": [None, (6, 7), (7, 13)],
        "points_cap": [None, 25],
        "max_turns": [1, 12, 60, 120],
    }
    changed = {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}
    end: dict[str, Any] = rng.choice([{"rounds": rng.randint(1, 3)}, {"target_points": rng.choice([1, 60, 120])}])
    return replace(rng.choice([HOUSE, INDIAN]), **{"max_turns": 80, **changed, **end})


def deal(rng: random.Random) -> State:
    """A deal; in one of three, the starter's hand is made rich."""
    while True:
        try:
            state, _ = GAME.deal(
                rng.choice((2, 2, 3, 3, 3, 4, 5, 6, 8, 10)), random_rules(rng), rng.randbytes(32).hex(), None
            )
        except TooFewCards:
            continue
        return enrich(rng, state) if rng.random() < 0.35 else state


def enrich(rng: random.Random, state: State) -> State:
    """Give the seat to move a hand close to a full grouping, or one, in exchange for what it holds."""
    if state.turn is None or state.phase != "draw":
        return state
    pool = [*state.stock, *(card for seat in state.seats for card in seat.hand)]
    wanted: list[Card] = []
    for size in rng.sample([3, 3, 3, 4], 4):
        suit, low = rng.choice(SUITS), rng.randint(0, 9)
        run = [Card(rank + suit) for rank in RANKS[low : low + size]]
        if all(pool.count(card) > wanted.count(card) + run.count(card) - 1 for card in run):
            wanted += run
    wanted = [card for card in wanted if rng.random() < 0.97]
    rest = list(without(pool, wanted))
    rng.shuffle(rest)
    wanted += [rest.pop() for _ in range(13 - len(wanted))]
    seats = []
    for number, seat in enumerate(state.seats):
        mine = wanted if number == state.turn else [rest.pop() for _ in seat.hand]
        seats.append(replace(seat, hand=tuple(mine)))
    return replace(state, seats=tuple(seats), stock=tuple(rest))


def choose(rng: random.Random, state: State) -> tuple[int | None, Move]:
    """A move at random: seldom a pack or the referee's, a winning declaration as a rule, now and then one that fails."""
    if state.turn is None or rng.random() < 0.006:
        moves = GAME.legal_moves(state, None, QUICK)
        deals = [move for move in moves if isinstance(move, NextRound)]
        forfeits = [move for move in moves if isinstance(move, Forfeit)]
        abort = [Abort()] if rng.random() < 0.1 else []
        return None, rng.choice(abort or deals or forfeits)
    hand = state.seats[state.turn].hand
    if state.phase == "discard" and state.rules.invalid_declaration == "penalty" and rng.random() < 0.02:
        folds = QUICK.folds(hand, state.wild_rank, state.rules)
        fold = rng.choice(hand)
        rest = without(hand, (fold,))
        groups = (rest[:6], rest[6:]) if rng.random() < 0.5 else None
        if fold not in folds or groups is not None:
            return state.turn, Declare(fold, groups)
    moves = GAME.legal_moves(state, state.turn, QUICK)
    declares = [move for move in moves if isinstance(move, Declare)]
    if declares and rng.random() < 0.8:
        return state.turn, rng.choice(declares)
    first = state.phase == "draw" and not state.seats[state.turn].turns
    if rng.random() > (0.2 if first else 0.03):
        moves = tuple(move for move in moves if not isinstance(move, Pack)) or moves
    return state.turn, rng.choice(moves)


def play(seed: int, matches: int = 1) -> Iterator[Position]:
    """Every move of some random matches."""
    rng = random.Random(seed)
    for _ in range(matches):
        state = deal(rng)
        while GAME.outcome(state) is None:
            seat, move = choose(rng, state)
            after, events = GAME.apply(state, seat, move, QUICK)
            yield Position(state, seat, move, after, events)
            state = enrich(rng, after) if rng.random() < 0.01 else after


def every_move(rng: random.Random, state: State) -> list[tuple[int | None, Move]]:
    """Moves of every kind from everyone, legal or not; failing declarations under penalty among them."""
    faces = rng.sample(FACES, 4)
    if state.turn is not None:
        faces += rng.sample(state.seats[state.turn].hand, 3)
    groups = tuple(tuple(rng.sample(FACES, 3)) for _ in range(rng.randint(0, 4)))
    seat_moves: list[Move] = [Draw("stock"), Draw("discard"), Pack(), *map(Discard, faces), *map(Declare, faces)]
    seat_moves += [Declare(face, groups) for face in faces]
    if state.phase == "discard" and state.turn is not None:
        hand = state.seats[state.turn].hand
        seat_moves.append(Declare(hand[0], (hand[1:7], hand[7:])))
    seats = {rng.randrange(len(state.seats)), state.turn if state.turn is not None else 0}
    mine: list[tuple[int | None, Move]] = [(seat, move) for seat in seats for move in seat_moves]
    referee: list[Move] = [NextRound(), Abort(), *(Forfeit(seat) for seat in range(len(state.seats)))]
    return [*mine, *((None, move) for move in referee)]


def permuted(rng: random.Random, state: State, viewer: int | None) -> State:
    """The same position to `viewer`: every card that it cannot see changes places, and the seed is another."""
    scored = state.last_round is not None and state.last_round.round == state.round
    hidden_hands = [
        number for number, seat in enumerate(state.seats) if number != viewer and not (scored and seat.status == "in")
    ]
    known: list[Card] = [state.taken] if state.taken is not None and state.turn != viewer else []
    fold = state.last_round.fold if scored and state.last_round is not None else None
    open_removed = [fold] if fold is not None else []
    hands = {
        number: without(state.seats[number].hand, known if number == state.turn else ()) for number in hidden_hands
    }
    removed = without(state.removed, open_removed)
    pool = [*state.stock, *removed, *(card for hand in hands.values() for card in hand)]
    rng.shuffle(pool)

    def take(count: int) -> tuple[Card, ...]:
        taken = tuple(pool[:count])
        del pool[:count]
        return taken

    seats = list(state.seats)
    for number, hand in hands.items():
        new = take(len(hand))
        seats[number] = replace(seats[number], hand=(*new, *(known if number == state.turn else ())))
    changed = replace(
        state,
        seed=rng.randbytes(32).hex(),
        seats=tuple(seats),
        stock=take(len(state.stock)),
        removed=(*take(len(removed)), *open_removed),
    )
    GAME.check(changed)
    return changed


def deck_of(state: State) -> tuple[Card, ...]:
    """All cards of all zones, in order."""
    zones = [*state.stock, *state.discard, state.wild_card, *state.removed]
    return in_order([*zones, *(card for seat in state.seats for card in seat.hand)])

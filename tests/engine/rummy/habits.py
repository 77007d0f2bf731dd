"""What the laws need to know of rummy: see `tests.engine.habits.Habits`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from engine.cards import FACES, RANKS, SUITS, Card, missing, without
from engine.rummy.moves import AgreeSplit, Declare, Discard, Draw, Pack
from engine.rummy.recorded import RecordedArranger
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from engine.rummy.state import State, is_scored
from tests.engine.habits import Habits, Slots, referee_move
from tests.engine.rummy.arranger import Naturals, Search


class RummyHabits(Habits):
    """Some deals near a full grouping, packs rare, turn limits short, winning declarations taken as a rule."""

    arranger = Naturals()  # which groups are found matters to no law, only that the same are found again
    exact = Search()
    goes_on = frozenset({"drew"})
    opens = frozenset({"declare"})
    between = frozenset({"agree_split"})
    max_rounds = 12
    common: ClassVar = {
        "dealt": 30,
        "drew": 1000,
        "discarded": 1000,
        "reshuffled": 5,
        "packed_first": 5,
        "packed_later": 10,
        "declared": 3,
        "penalised": 5,
        "forfeited": 5,
        "withdrawn": 5,
        "eliminated": 10,
        "rejoined": 1,
        "split_agreed": 2,
        "aborted": 1,
        "round_scored": 30,
        "match_over": 10,
    }

    def rules(self, rng: random.Random) -> RummyRules:
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
            "max_trios": [0, 1, 2, None],
            "max_trios_scored": [0, 1, 2, None],
            "trio_needs": ["impure_sequence", "second_sequence", "pure_and_second", "nothing"],
            "points_cap": [None, 25],
            "full_count_without_pure": [None, 80],
            "ace_points": [None, 1],
            "cap_before_halving": [True, False],
            "halves_for": ["all", "no_turn"],
            "max_turns": [1, 12, 60, 120],
            "packing": [True, True, False],
        }
        changed = {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}
        end: dict[str, Any] = rng.choice(
            [
                {"rounds": rng.randint(1, 3)},
                {"target_points": rng.choice([1, 60, 120])},
                _pool(rng),
                _pool(rng),
                _deals(rng),
            ]
        )
        return replace(rng.choice([HOUSE, INDIAN]), **{"max_turns": 80, **changed, **end})

    def arranged(self, state: State, rng: random.Random) -> State:
        """Often at the deal, seldom later: the seat to move gets a hand close to a full grouping, or one."""
        likely = 0.01 if state.plies else 0.35
        return _enriched(state, rng) if state.phase == "draw" and rng.random() < likely else state

    def recorded(self, events: Sequence[Any]) -> RecordedArranger:
        return RecordedArranger(events)

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
        return move.type in self.opens or (isinstance(move, Draw) and viewer == state.turn)

    def strange(self, state: State, rng: random.Random) -> Any:
        if rng.random() < 0.15:
            return referee_move(len(state.seats), rng)
        own = state.seats[state.turn or 0].hand
        face = rng.choice(own if own and rng.random() < 0.6 else FACES)
        if rng.random() < 0.6:
            return rng.choice((Draw("stock"), Draw("discard"), Pack(), Discard(face), Discard(face), AgreeSplit()))
        return Declare(face, rng.choice((None, _strange_groups(own, face, rng))))

    def is_listed(self, state: State, move: Any, moves: Sequence[Any]) -> bool:
        """Not listed are declarations with groups of the player's own, and those that fail and are punished."""
        unlisted = isinstance(move, Declare) and (
            move.groups is not None or state.rules.invalid_declaration == "penalty"
        )
        return move in moves or unlisted

    def choose(self, state: State, moves: Sequence[Any], rng: random.Random) -> Any:
        declares = [move for move in moves if isinstance(move, Declare)]
        if declares and rng.random() < 0.8:
            return rng.choice(declares)
        penalty = state.rules.invalid_declaration == "penalty"
        if penalty and state.phase == "discard" and state.turn is not None and rng.random() < 0.02:
            hand = state.seats[state.turn].hand
            fold = rng.choice(hand)
            rest = without(hand, (fold,))
            return Declare(fold, rng.choice((None, (rest[:6], rest[6:]))))
        if state.phase == "draw" and state.turn is not None:
            likely = 0.4 if state.rules.format == "pool" else 0.04  # small totals, so that few are out at once
            if Pack() in moves and rng.random() < (likely / 2 if state.seats[state.turn].turns else likely):
                return Pack()
            moves = [move for move in moves if isinstance(move, Draw)] or moves
        return rng.choice(moves)

    def kind(self, event: Any) -> str:
        return str(event.status if event.type == "packed" else event.type)


class PoolHabits(RummyHabits):
    """Pools alone: what is rare elsewhere happens in them."""

    def rules(self, rng: random.Random) -> RummyRules:
        return replace(
            INDIAN, max_turns=40, **_pool(rng) | {"pool_split": "manual", "pool_rejoin_ceiling": 40, "pool_limit": 42}
        )


def _strange_groups(own: Sequence[Card], fold: Card, rng: random.Random) -> tuple[tuple[Card, ...], ...]:
    """Groups of a declaration: of the cards held, or of any."""
    if fold in own and rng.random() < 0.5:
        rest = without(own, (fold,))
        return rest[:6], rest[6:]
    return tuple(tuple(rng.sample(FACES, 3)) for _ in range(rng.randint(0, 4)))


def _pool(rng: random.Random) -> dict[str, Any]:
    ceiling = rng.choice([None, 40, 80, 200])
    limit = (ceiling or 0) + rng.choice([2, 2, 40])
    return {
        "format": "pool",
        "pool_limit": limit,
        "pool_rejoin_ceiling": ceiling,
        "pool_rejoins": rng.choice([None, None, 0, 1]),
        "pool_split": rng.choice(["none", "automatic", "manual", "manual", "both"]),
        "pool_split_total": (ceiling or 0) + rng.choice([1, 20]),
        "pack_first": rng.choice([0, 5, 20]),
    }


def _deals(rng: random.Random) -> dict[str, Any]:
    return {
        "format": "deals",
        "deals": rng.randint(1, 3),
        "chips_per_deal": rng.choice([0, 80]),
        "tie_break_deals": rng.choice([0, 1, 3]),
    }


_RUNS = [(size, low, suit) for size in (3, 4) for low in range(len(RANKS) - size + 1) for suit in SUITS]


def _enriched(state: State, rng: random.Random) -> State:
    """The seat to move has three runs of three and one of four, or nearly, in exchange for what it held."""
    pool = [*state.stock, *(card for seat in state.seats for card in seat.hand)]
    runs = [tuple(Card(rank + suit) for rank in RANKS[low : low + size]) for size, low, suit in _RUNS]
    rng.shuffle(runs)
    wanted: list[Card] = []
    for size in (4, 3, 3, 3):
        fitting = (run for run in runs if len(run) == size and not missing([*wanted, *run], pool))
        wanted += next((run for run in fitting if state.wild_rank not in {card.rank for card in run}), ())
    wanted = [card for card in wanted if rng.random() < 0.97]
    rest = list(without(pool, wanted))
    rng.shuffle(rest)
    wanted += [rest.pop() for _ in range(13 - len(wanted))]
    seats = []
    for number, seat in enumerate(state.seats):
        mine = wanted if number == state.turn else [rest.pop() for _ in seat.hand]
        seats.append(replace(seat, hand=tuple(mine)))
    return replace(state, seats=tuple(seats), stock=tuple(rest))

"""Which moves are legal, and why the others are not (rules.md §2.2–§2.5): the only legality code of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from engine.cards import RANKS, Card, Rank, in_order, missing, not_held
from engine.errors import Violation
from engine.game import Listed, check_address, check_seat
from engine.referee import referee_moves, referee_violation
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.pile import K, effect_of, face_up
from engine.swoop.plays import plays_of, some_of_each
from engine.swoop.rules import MAX_STACKS
from engine.swoop.state import Seat, State

VIOLATIONS: Final[Mapping[str, str]] = {
    "game_over": "The match is over; no move is left.",
    "not_your_turn": "Another seat is to move, or no round is being played.",
    "wrong_phase": "The referee's move does not fit: next_round while a round is played, forfeit of a seat that is not in a round, withdraw of one that is out of the match.",
    "card_not_held": "A card is not in the hand, or not so often; or a slot is named twice or has no guard.",
    "no_secret": "The slot has no secret to flip.",
    "guarded_secret": "The secret still lies under its guard.",
    "not_stuck": "Under secret_only_when_stuck: a play from hand and guards is safe or clears.",
    "must_play_committed": "A secret is flipped already and must be played first.",
    "empty_play": "The play has no card.",
    "mixed_ranks": "The cards of the play, the committed secret among them, are not of one rank.",
}

MOST_LISTED: Final = 1000  # by `all_moves`; no seat can have so many kinds of plays, told by rank and number of cards
OfRank = tuple[Rank | None, tuple[Card, ...], tuple[int, ...]]

_BY_RANK: Final[Mapping[Rank | None, int]] = {rank: place for place, rank in enumerate((*RANKS, None))}


def violation(state: State, seat: int | None, move: Move, arranger: object = None) -> Violation | None:
    """Why a move is illegal, or None. Raises `Invalid` where `check_address` does."""
    if seat is not None and seat == state.turn:  # only while a round is played
        holder = state.seats[seat]
        if isinstance(move, Play):
            return play_violation(holder.hand, holder.stacks, state.committed, move)
        if isinstance(move, Flip):
            return _flip_violation(state, holder, move.slot)
    check_address(len(state.seats), seat, move)
    if state.phase == "match_over":
        return Violation("game_over", "the match is over; no move is left")
    if isinstance(move, Play | Flip):
        return _not_the_turn(state)
    return referee_violation(state, state.rules.terms, move)


def _not_the_turn(state: State) -> Violation:
    if state.turn is None:
        return Violation("not_your_turn", "the round is over; the referee's next_round deals the next")
    return Violation("not_your_turn", f"seat {state.turn} is to move")


def play_violation(hand: Sequence[Card], stacks: Sequence[K], committed: int | None, play: Play) -> Violation | None:
    """Why these cards are no play (§2.2), or None: ``card_not_held``, ``empty_play``, ``mixed_ranks``, in this order."""
    if len(play.hand) > len(hand) or any(hand.count(card) < play.hand.count(card) for card in play.hand):
        return _not_held(hand, stacks, play)
    cards = [*play.hand]
    for slot in play.guards:
        guard = stacks[slot].guard if 0 <= slot < len(stacks) else None
        if guard is None:
            return _not_held(hand, stacks, play)
        cards.append(guard)
    if len(set(play.guards)) < len(play.guards):
        return _not_held(hand, stacks, play)
    if committed is not None:
        cards.append(face_up(stacks[committed].secret))
    if not cards:
        return Violation("empty_play", "a play needs at least one card; there is no passing")
    if len({card.rank for card in cards}) == 1:
        return None
    wanted = "of one rank" if committed is None else f"of the rank of the committed secret, {cards[-1]}"
    return Violation("mixed_ranks", f"the cards of a play must all be {wanted}", tuple(cards))


def _not_held(hand: Sequence[Card], stacks: Sequence[K], play: Play) -> Violation:
    lacking = missing(play.hand, hand)
    guards = {slot: stack.guard for slot, stack in enumerate(stacks) if stack.guard is not None}
    wrong = [not_held(lacking, hand)] if lacking else []
    for slot, times in islice(Counter(play.guards).items(), MAX_STACKS):
        if slot not in guards:
            wrong.append(f"slot {slot} has no guard")
        elif times > 1:
            wrong.append(f"the guard of slot {slot} is named more than once")
    holds = " ".join(in_order(hand)) or "no card"
    laid = ", ".join(f"{card} in slot {slot}" for slot, card in guards.items()) or "none"
    return Violation("card_not_held", f"{'; '.join(wrong)}; the hand holds {holds}, guards are {laid}", lacking)


def _flip_violation(state: State, holder: Seat, slot: int) -> Violation | None:
    secrets = [at for at, stack in enumerate(holder.stacks) if stack.secret is not None]
    free = [at for at in secrets if holder.stacks[at].guard is None]
    if slot not in secrets:
        return Violation("no_secret", f"slot {slot} has no secret; {_flippable(free)}")
    if slot not in free:
        return Violation("guarded_secret", f"the guard of slot {slot} must be played first; {_flippable(free)}")
    if state.rules.secret_only_when_stuck and not is_stuck(state, holder):
        return Violation("not_stuck", "a play from hand and guards is safe or clears, so no secret may be flipped")
    if state.committed is not None:
        return Violation(
            "must_play_committed", f"the secret of slot {state.committed} is flipped; play it, alone or with its rank"
        )
    return None


def _flippable(free: list[int]) -> str:
    return f"slots that can be flipped: {', '.join(map(str, free)) or 'none'}"


def is_stuck(state: State, holder: Seat) -> bool:
    """Whether every play from hand and guards is a pick-up, or there is none (§2.3)."""
    return all(
        effect_of(state.rules, state.pile, rank, len(cards) + len(slots)) == "pickup"
        for rank, cards, slots in _by_rank(holder)
    )


def _by_rank(holder: Seat) -> list[OfRank]:
    """What a seat can play besides secrets: each rank with its cards of the hand, in the order of faces, and the slots of its
    guards; ranks in their order."""
    hand: dict[Rank | None, list[Card]] = {}
    guards: dict[Rank | None, list[int]] = {}
    for card in in_order(holder.hand):
        hand.setdefault(card.rank, []).append(card)
    for slot, stack in enumerate(holder.stacks):
        if stack.guard is not None:
            guards.setdefault(stack.guard.rank, []).append(slot)
    ranks = sorted({**hand, **guards}, key=_BY_RANK.__getitem__)
    return [(rank, tuple(hand.get(rank, ())), tuple(guards.get(rank, ()))) for rank in ranks]


def legal_moves(state: State, seat: int | None, arranger: object = None) -> tuple[Move, ...]:
    """The moves of a seat: for each rank one play of each number of cards, the first of the hand and then guards, and every
    flip; or the moves of the referee (None). With a committed secret, the plays of its rank, that of it alone first.

    Other cards of the same rank may be played instead: see `all_moves`.
    """
    if seat != state.turn or seat is None:
        return _off_turn(state, seat)
    plays = chain.from_iterable(_one_of_each_number(*of_rank) for of_rank in _playable(state))
    return (*plays, *_flips(state))


@lru_cache(maxsize=10_000)
def _one_of_each_number(cards: tuple[Card, ...], slots: tuple[int, ...], fewest: int) -> tuple[Play, ...]:
    numbers = range(fewest, len(cards) + len(slots) + 1)
    return tuple(Play(cards[:number], slots[: max(number - len(cards), 0)]) for number in numbers)


def all_moves(state: State, seat: int | None, arranger: object = None) -> Listed[Move]:
    """Every distinct move of a seat, plays told apart by faces and slots; at most `MOST_LISTED`: of more plays the first of
    each rank and number of cards. Those that `legal_moves` lists are always among them."""
    if seat != state.turn or seat is None:
        return Listed(_off_turn(state, seat))
    flips = _flips(state)
    kinds = [
        plays_of(cards, slots, count)
        for cards, slots, fewest in _playable(state)
        for count in range(fewest, len(cards) + len(slots) + 1)
    ]
    plays, complete = some_of_each(kinds, MOST_LISTED - len(flips))
    return Listed((*plays, *flips), complete)


def _off_turn(state: State, seat: int | None) -> tuple[Move, ...]:
    """What the referee may do, or a seat that is not to move."""
    if seat is None:
        return referee_moves(state)
    check_seat(len(state.seats), seat)
    return ()


def _playable(state: State) -> list[tuple[tuple[Card, ...], tuple[int, ...], int]]:
    """For each rank that the seat to move may play: its cards, the slots of its guards, and how many must be played."""
    assert state.turn is not None
    holder = state.seats[state.turn]
    if state.committed is None:
        return [(cards, slots, 1) for _, cards, slots in _by_rank(holder)]
    rank = face_up(holder.stacks[state.committed].secret).rank
    return [(cards, slots, 0) for held, cards, slots in _by_rank(holder) if held == rank] or [((), (), 0)]


def _flips(state: State) -> tuple[Flip, ...]:
    """The flips of the seat to move."""
    assert state.turn is not None
    if state.committed is not None:
        return ()
    holder = state.seats[state.turn]
    free = [Flip(slot) for slot, stack in enumerate(holder.stacks) if stack.guard is None and stack.secret is not None]
    if free and state.rules.secret_only_when_stuck and not is_stuck(state, holder):
        return ()
    return tuple(free)

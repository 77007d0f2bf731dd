"""Which moves are legal, and why the others are not (rules.md §2.2–§2.5): the only legality code of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from engine.cards import RANKS, Card, Rank, in_order, missing, not_held
from engine.errors import Violation
from engine.game import Forfeit, NextRound, RefereeMove, check_address, check_seat, referee_moves
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.pile import K, effect_of, face_up
from engine.swoop.rules import MAX_STACKS
from engine.swoop.state import Seat, State, seats_in

VIOLATIONS: Final[Mapping[str, str]] = {
    "game_over": "The match is over; no move is left.",
    "not_your_turn": "Another seat is to move, or no round is being played.",
    "wrong_phase": "The referee's move does not fit: next_round while a round is played, forfeit of a seat that is not in a round.",
    "card_not_held": "A card is not in the hand, or not so often; or a slot is named twice or has no guard.",
    "no_secret": "The slot has no secret to flip.",
    "guarded_secret": "The secret still lies under its guard.",
    "not_stuck": "Under secret_only_when_stuck: a play from hand and guards is safe or clears.",
    "must_play_committed": "A secret is flipped already and must be played first.",
    "empty_play": "The play has no card.",
    "mixed_ranks": "The cards of the play, the committed secret among them, are not of one rank.",
}

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
    return _referee_violation(state, move)


def _not_the_turn(state: State) -> Violation:
    if state.turn is None:
        return Violation("not_your_turn", "the round is over; the referee's next_round deals the next")
    return Violation("not_your_turn", f"seat {state.turn} is to move")


def _referee_violation(state: State, move: RefereeMove) -> Violation | None:
    playing = state.phase == "play"
    if isinstance(move, NextRound) and playing:
        return Violation("wrong_phase", f"round {state.round} is still being played; next_round follows its end")
    if isinstance(move, Forfeit):
        if not playing:
            return Violation("wrong_phase", "no round is being played; next_round deals one")
        if state.seats[move.seat].status != "in":
            still = ", ".join(str(seat) for seat in seats_in(state))
            return Violation("wrong_phase", f"seat {move.seat} has forfeited this round; still in are {still}")
    return None


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
        effect_of(state.rules, state.pile, rank, len(play.hand) + len(play.guards)) == "pickup"
        for rank, play in _largest_plays(holder).items()
    )


def _largest_plays(holder: Seat) -> dict[Rank | None, Play]:
    """For each rank in hand and guards the play of all its cards, in the order of ranks."""
    hand: dict[Rank | None, list[Card]] = {}
    guards: dict[Rank | None, list[int]] = {}
    for card in holder.hand:
        hand.setdefault(card.rank, []).append(card)
    for slot, stack in enumerate(holder.stacks):
        if stack.guard is not None:
            guards.setdefault(stack.guard.rank, []).append(slot)
    ranks = sorted({**hand, **guards}, key=_BY_RANK.__getitem__)
    return {rank: Play(tuple(hand.get(rank, ())), tuple(guards.get(rank, ()))) for rank in ranks}


def legal_moves(state: State, seat: int | None, arranger: object = None) -> tuple[Move, ...]:
    """The moves of a seat: one play a rank, the largest, and every flip; or the moves of the referee (None).

    Any non-empty part of a listed play is legal too, if it keeps the committed secret, which a play always holds.
    """
    if seat is None:
        return referee_moves(state.phase, state.seats)
    check_seat(len(state.seats), seat)
    if seat != state.turn:
        return ()
    holder = state.seats[seat]
    plays = _largest_plays(holder)
    if state.committed is not None:
        secret = holder.stacks[state.committed].secret
        assert secret is not None
        return (plays.get(secret.rank, Play((), ())),)
    free = [Flip(slot) for slot, stack in enumerate(holder.stacks) if stack.guard is None and stack.secret is not None]
    if free and state.rules.secret_only_when_stuck and not is_stuck(state, holder):
        free = []
    return (*plays.values(), *free)

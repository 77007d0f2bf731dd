"""The deal of a round (rules.md §2.1)."""

from __future__ import annotations

from engine.cards import Card, deck, in_order
from engine.errors import Flaw, TooFewCards
from engine.game import first_starter
from engine.match import Match
from engine.match_steps import begin, next_dealt_to, next_round, playing_order
from engine.shuffling import shuffle
from engine.swoop.events import Dealt
from engine.swoop.rules import SEATS, SwoopRules
from engine.swoop.state import RoundScore, Seat, Stack, State

NAME = "swoop"


def deal(seats: int, rules: SwoopRules, seed: str, starter: int | None) -> tuple[State, tuple[Dealt, ...]]:
    """The first round of a match (§2.1). Raises `Invalid` for a wrong number of seats, seed or starter, and its kind
    `TooFewCards` where the decks cannot serve so many seats."""
    first = first_starter(NAME, SEATS, seats, seed, starter)
    needed, there = rules.cards_for(seats), len(whole_deck(rules, seats))
    if needed > there:
        raise TooFewCards(Flaw("/seats", f"{seats} seats are dealt {needed} cards, and the decks in play have {there}"))
    match = begin(seats, rules.terms)
    return _deal_round(rules, seed, shuffles=0, number=1, starter=first, match=match, last_round=None)


def deal_next(state: State) -> tuple[State, tuple[Dealt, ...]]:
    """The round after the one in `state`, started by the next seat that is in."""
    match = next_round(state.match)
    return _deal_round(
        state.rules,
        state.seed,
        shuffles=state.shuffles,
        number=state.round + 1,
        starter=next_dealt_to(match, state.starter),
        match=match,
        last_round=state.last_round,
    )


def whole_deck(rules: SwoopRules, seats: int) -> tuple[Card, ...]:
    """The unshuffled cards of a match: what the zones of every state hold together (§2.1)."""
    return deck(*rules.in_play(seats))


def _deal_round(
    rules: SwoopRules,
    seed: str,
    *,
    shuffles: int,
    number: int,
    starter: int,
    match: Match,
    last_round: RoundScore | None,
) -> tuple[State, tuple[Dealt, ...]]:
    """Shuffle the whole deck with the label ``swoop/<shuffles>``. Its last card is the top; from the top, one card at a time
    goes to each seat that is in, the starter first: the hand, then the secrets of all slots, then their guards. The rest is set aside."""
    seats, size, stacks = len(match.entrants), rules.hand_size, rules.stacks
    order = playing_order(match, starter)
    cards = shuffle(seed, f"{NAME}/{shuffles}", whole_deck(rules, seats))
    dealt = rules.cards_for(len(order))
    from_top = cards[: -dealt - 1 : -1]
    laid = []
    for seat in range(seats):
        if seat not in order:
            laid.append(Seat((), (Stack(None, None),) * stacks, "not_dealt"))
            continue
        own = from_top[order.index(seat) :: len(order)]
        pairs = zip(own[size + stacks :], own[size : size + stacks], strict=True)
        laid.append(Seat(in_order(own[:size]), tuple(Stack(guard, secret) for guard, secret in pairs)))
    state = State(
        rules=rules,
        seed=seed,
        shuffles=shuffles + 1,
        round=number,
        starter=starter,
        turn=starter,
        phase="play",
        plies=0,
        match=match,
        last_round=last_round,
        seats=tuple(laid),
        pile=(),
        removed=(),
        set_aside=cards[:-dealt],
        committed=None,
        aborted=False,
    )
    face_up = tuple(tuple(stack.guard for stack in seat.stacks if stack.guard) for seat in laid)
    return state, (Dealt(number, starter, face_up, tuple(seat.hand for seat in laid)),)

"""The deal of a round (rules.md §1.1): decks, hands, the wild card turned up, the first discard.

So exactly that anyone can redo it once the seed is open:

1. The unshuffled cards are `engine.cards.deck` of the decks and jokers in play, in every round anew.
2. They are shuffled with the label ``rummy/<n>``, where n counts the shuffles of the match so far: 0 for the first deal. Each
   deal, each reshuffle of the discard pile and each hand put under the stock takes the next n.
3. The last card of a shuffled list is its top. From the top, one card at a time goes to each seat that is dealt to (§1.9: all
   that are in, or those of the tie that is played off), beginning with the starter and on to the next of them, thirteen
   times round.
4. The next card is turned up for the wild rank. Under ``exposed_joker: redraw`` a printed joker is put back at the bottom and
   the next card is turned; only if nothing but jokers is left does one stay, and no rank is wild.
5. The next card starts the discard pile; what is left is the stock, its last card the top.

The starter of the first round, if none is given, is `engine.shuffling.pick` with the label ``rummy/starter``; each later
round is started by the next seat that is dealt to. The dealer is the seat before the starter. The decks in play are those of
the table as it began.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank, deck
from engine.errors import Flaw, TooFewCards
from engine.game import first_starter
from engine.match import Match
from engine.match_steps import begin, next_dealt_to, next_round, playing_order
from engine.rummy.events import Dealt
from engine.rummy.rules import HAND_SIZE, SEATS, RummyRules
from engine.rummy.state import RoundScore, Seat, State
from engine.shuffling import shuffle

NAME = "rummy"


@dataclass(frozen=True, slots=True)
class Table:
    """Cards laid out: the hands in playing order from the starter on, and the stock, its last card the top."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    wild_card: Card
    wild_rank: Rank | None


def deal(seats: int, rules: RummyRules, seed: str, starter: int | None) -> tuple[State, tuple[Dealt, ...]]:
    """A new match at the deal of its first round. Raises `Invalid` for seats, a seed or a starter that cannot be, and
    `TooFewCards` where fewer cards than seats would be left in the stock."""
    first = first_starter(NAME, SEATS, seats, seed, starter)
    check_enough(seats, rules)
    match = begin(seats, rules.terms)
    return _deal_round(rules, seed, shuffles=0, number=1, starter=first, match=match, last_round=None)


def deal_next(state: State) -> tuple[State, tuple[Dealt, ...]]:
    """The round after the one in `state`, started by the next seat that it is dealt to."""
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


def check_enough(seats: int, rules: RummyRules) -> None:
    """Raises `TooFewCards` unless a deal leaves at least as many cards in the stock as there are seats (rules.md §1.1)."""
    cards = len(whole_deck(rules, seats))
    left = cards - HAND_SIZE * seats - 2  # the wild card and the first discard
    if left < seats:
        raise TooFewCards(
            Flaw("/seats", f"{cards} cards leave {max(left, 0)} in the stock for {seats} seats; use more decks")
        )


def whole_deck(rules: RummyRules, seats: int) -> tuple[Card, ...]:
    """The unshuffled cards of a match, jokers last."""
    return deck(*rules.in_play(seats))


def shuffle_label(shuffles: int) -> str:
    """The label of the shuffle that comes after so many."""
    return f"{NAME}/{shuffles}"


def wild_rank_of(wild_card: Card, rules: RummyRules) -> Rank | None:
    """The rank that is wild when this card lies face up."""
    return "A" if wild_card.is_joker and rules.exposed_joker == "aces_wild" else wild_card.rank


def _deal_round(
    rules: RummyRules,
    seed: str,
    *,
    shuffles: int,
    number: int,
    starter: int,
    match: Match,
    last_round: RoundScore | None,
) -> tuple[State, tuple[Dealt, ...]]:
    seats = len(match.entrants)
    order = playing_order(match, starter)
    table = lay_out(shuffle(seed, shuffle_label(shuffles), whole_deck(rules, seats)), len(order), rules)
    dealt = dict(zip(order, table.hands, strict=True))
    hands = tuple(dealt.get(seat, ()) for seat in range(seats))
    state = State(
        rules=rules,
        seed=seed,
        shuffles=shuffles + 1,
        round=number,
        starter=starter,
        turn=starter,
        phase="draw",
        plies=0,
        match=match,
        last_round=last_round,
        seats=tuple(Seat(hand, "in" if hand else "not_dealt", 0) for hand in hands),
        stock=table.stock[:-1],
        discard=table.stock[-1:],
        wild_card=table.wild_card,
        wild_rank=table.wild_rank,
        taken=None,
        opening=True,
        removed=(),
        aborted=False,
    )
    return state, (Dealt(number, starter, table.wild_card, table.wild_rank, state.discard[0], hands),)


def lay_out(shuffled: tuple[Card, ...], seats: int, rules: RummyRules) -> Table:
    """Steps 3 to 5 of the deal, but that the first discard still lies on the stock."""
    dealt = HAND_SIZE * seats
    from_top = shuffled[: -dealt - 1 : -1]
    hands = tuple(from_top[place::seats] for place in range(seats))
    stock = shuffled[:-dealt]
    if rules.exposed_joker == "redraw" and not all(card.is_joker for card in stock):
        while stock[-1].is_joker:
            stock = (stock[-1], *stock[:-1])
    return Table(hands, stock[:-1], stock[-1], wild_rank_of(stock[-1], rules))

"""Which hands the decks in play can have dealt, and how a round can have ended (rules.md §1.1, §1.5, §1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.cards import Card, surplus
from engine.errors import Flaw, ImpossibleHand, Invalid
from engine.rummy.rules import HAND_SIZE, SEATS, STANDALONE_COPIES, STANDALONE_JOKERS, RummyRules
from engine.rummy.state import Status

SeatAtEnd = tuple[Status, Sequence[Card] | None]  # how a seat ended the round, and its hand where it is known


@dataclass(frozen=True, slots=True)
class CopyLimits:
    """How often a face, and the printed joker, can occur; `why` says so to who has sent more."""

    copies: int
    jokers: int
    why: str


def limits(rules: RummyRules, seats: int | None = None, jokers_given: bool = False) -> CopyLimits:
    """The limits at a table of so many seats, or of cards sent by themselves (`seats` None).

    By themselves, cards are held to what `decks` or the joker option say if the caller set them, else to three copies
    of a face and six jokers under every preset. `jokers_given`: the caller set `printed_jokers_per_deck`.
    """
    if seats is not None:
        dealt = rules.in_play(seats)
        number = "1 deck" if dealt.copies == 1 else f"{dealt.copies} decks"
        return CopyLimits(*dealt, f"{seats} seats play with {number}; `rules.decks` changes that")
    largest = rules.in_play(SEATS[-1])  # no table is dealt from more
    if rules.decks is not None:
        return CopyLimits(*largest, f"`rules.decks` is {rules.decks}")
    copies = max(STANDALONE_COPIES, largest.copies)
    jokers = rules.jokers_in(copies)
    if rules.printed_jokers is None and not jokers_given:
        jokers = max(STANDALONE_JOKERS, jokers)
    why = f"no more than {copies} decks are thought of without a number of seats; `rules.decks` changes that"
    return CopyLimits(copies, jokers, why)


def check_size(cards: Sequence[Card], sizes: Sequence[int], pointer: str) -> None:
    """Raise `ImpossibleHand` unless there are as many cards as one of `sizes` says."""
    if len(cards) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise ImpossibleHand(Flaw(pointer, f"{wanted} cards are needed, here are {len(cards)}"))


def check_copies(placed: Iterable[tuple[str, Card]], most: CopyLimits) -> None:
    """Raise `ImpossibleHand` at each card, given with its pointer, that is one copy more than the decks hold."""
    flaws = [
        Flaw(pointer, f"copy {number} of {card}; the decks in play hold {allowed} ({most.why})")
        for pointer, card, number, allowed in surplus(placed, most.copies, most.jokers)
    ]
    if flaws:
        raise ImpossibleHand(*flaws)


def check_round(
    seats: Sequence[SeatAtEnd],
    winner: int | None,
    first_turn: bool,
    rules: RummyRules,
    no_turn: Sequence[bool | None] = (),
) -> None:
    """Refuse a finished round that cannot be. `no_turn`: of each seat, whether it had no turn, where that was told.

    Raises `Invalid` where the parts contradict each other (§1.5, §1.6), `ImpossibleHand` for hands of the wrong size or that
    the decks cannot have dealt together (§1.1); each names every such place, but of sizes the first.
    """
    if flaws := (
        *_contradictions(seats, winner, first_turn),
        *_turn_contradictions(seats, winner, first_turn, no_turn),
    ):
        raise Invalid(*flaws)
    for number, (_, hand) in enumerate(seats):
        if hand is not None:
            check_size(hand, (HAND_SIZE,), f"/seats/{number}/hand")
    check_copies(_lying_apart(seats, rules), limits(rules, len(seats)))


def _contradictions(seats: Sequence[SeatAtEnd], winner: int | None, first_turn: bool) -> Iterator[Flaw]:
    if winner is not None and winner not in range(len(seats)):
        yield Flaw("/winner", f"no such seat; the seats are 0 to {len(seats) - 1}")
    if first_turn and winner is None:
        yield Flaw("/first_turn", "must be false where nobody declared")
    for number, (status, hand) in enumerate(seats):
        if number == winner and status != "in":
            yield Flaw(f"/seats/{number}/status", "must be in: this seat has won")
        elif first_turn and status not in ("in", "not_dealt"):
            yield Flaw(f"/seats/{number}/status", "must be in: on the first turn nobody else has acted")
        if status == "not_dealt" and hand is not None:
            yield Flaw(f"/seats/{number}/hand", "must be left out: the round was not dealt to this seat")
        if status == "in" and number != winner and hand is None:
            yield Flaw(f"/seats/{number}/hand", "is required of a loser who is still in")


def _turn_contradictions(
    seats: Sequence[SeatAtEnd], winner: int | None, first_turn: bool, no_turn: Sequence[bool | None]
) -> Iterator[Flaw]:
    for number, ((status, _), none) in enumerate(zip(seats, no_turn, strict=False)):
        if none and (status in ("packed_later", "penalised") or number == winner):
            yield Flaw(f"/seats/{number}/no_turn", "must be false: the seat has had a turn to end the round so")
        elif none is False and first_turn and number != winner:
            yield Flaw(f"/seats/{number}/no_turn", "must be true: on the first turn nobody else has acted")


def _lying_apart(seats: Sequence[SeatAtEnd], rules: RummyRules) -> Iterator[tuple[str, Card]]:
    """The cards, with their pointers, of hands that lie apart: one packed on the first turn may have gone under the stock,
    and from there into another."""
    for number, (status, hand) in enumerate(seats):
        if hand is not None and not (status == "packed_first" and rules.first_pack_under_stock):
            for place, card in enumerate(hand):
                yield f"/seats/{number}/hand/{place}", card

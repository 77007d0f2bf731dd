"""Whether a state can have come from play: structure, conservation, consistency.

What passes is safe for every function of the game; that the shuffles are those of the seed is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.errors import CorruptState, Flaw, Invalid
from engine.game import MAX_ROUNDS, conserved, first_starter
from engine.rummy.check_score import score_flaws
from engine.rummy.check_shuffles import shuffle_flaws
from engine.rummy.deal import NAME, check_enough, whole_deck, wild_rank_of
from engine.rummy.rules import HAND_SIZE, SEATS
from engine.rummy.state import State, Status, is_scored, round_turns, seats_in, was_dealt


def check(state: State) -> None:
    """Raises `CorruptState` with the places that no game can reach. Types are taken for granted."""
    for flaws in (
        _frame_flaws,
        _zone_flaws,
        score_flaws,
        _seat_flaws,
        _turn_flaws,
        shuffle_flaws,
    ):  # each relies on those before
        if found := tuple(flaws(state)):
            raise CorruptState(*found)


def _frame_flaws(state: State) -> Iterator[Flaw]:
    """Numbers in range, and fields that depend on the phase."""
    seats = len(state.seats)
    try:
        first_starter(NAME, SEATS, seats, state.seed, state.starter)
        check_enough(seats, state.rules)
    except Invalid as wrong:
        yield from wrong.flaws
    if not 1 <= state.round <= MAX_ROUNDS:
        yield Flaw("/round", f"must be from 1 to {MAX_ROUNDS}")
    playing = state.phase in ("draw", "discard")
    if playing != (state.turn is not None):
        yield Flaw("/turn", "a seat is to move while a round is being played, and only then")
    elif state.turn is not None and state.turn not in range(seats):
        yield Flaw("/turn", "no such seat")
    if state.taken is not None and state.phase != "discard":
        yield Flaw("/taken", "a card is remembered as taken in phase discard only")
    if state.aborted and state.phase != "match_over":
        yield Flaw("/aborted", "an aborted match is over")
    scored = is_scored(state)
    if (scored and playing) or (not scored and not playing and not state.aborted):
        yield Flaw("/last_round", "the round is scored when it is over, and only then")


def _zone_flaws(state: State) -> Iterator[Flaw]:
    """Every card of the deck is in exactly one zone, and the wild card is read as the rules say."""
    deck = whole_deck(state.rules, len(state.seats))
    hands = [seat.hand for seat in state.seats]
    if not conserved([state.stock, state.discard, (state.wild_card,), state.removed, *hands], deck):
        yield Flaw("", "stock, discard, wild_card, removed and hands together must be the whole deck")
    if state.wild_rank != wild_rank_of(state.wild_card, state.rules):
        yield Flaw("/wild_rank", "is not what wild_card makes wild")
    jokers = sum(card.is_joker for card in deck)
    if (
        state.wild_card.is_joker
        and state.rules.exposed_joker == "redraw"
        and jokers < len(deck) - HAND_SIZE * sum(map(was_dealt, state.seats))
    ):
        yield Flaw("/wild_card", "a printed joker is not left as the wild card")


def _seat_flaws(state: State) -> Iterator[Flaw]:
    """Who is in holds a hand, who is out holds none, and `removed` holds what they had."""
    left_with: list[range] = []
    fourteenths = 0
    for number, seat in enumerate(state.seats):
        if seat.turns < 0:
            yield Flaw(f"/seats/{number}/turns", "turns are counted from 0")
        if seat.status == "in":
            spare = len(seat.hand) - HAND_SIZE
            fourteenths += spare
            if spare not in (0, 1) or (spare == 1 and not _may_hold_fourteen(state, number)):
                yield Flaw(
                    f"/seats/{number}/hand", f"a seat in the round holds {HAND_SIZE} cards, and one more after drawing"
                )
            continue
        if seat.hand:
            yield Flaw(f"/seats/{number}/hand", "a seat that is out of the round holds no cards")
        least, most = _TURNS[seat.status]
        if seat.turns < least or (most is not None and seat.turns > most):
            yield Flaw(f"/seats/{number}/turns", f"no seat is {seat.status} after {seat.turns} turns")
        if seat.status == "penalised" and state.rules.invalid_declaration != "penalty":
            yield Flaw(f"/seats/{number}/status", "these rules refuse a failed declaration")
        under_stock = seat.status == "packed_first" and state.rules.first_pack_under_stock
        if was_dealt(seat) and not under_stock:
            least_left = HAND_SIZE + (seat.status == "penalised")
            left_with.append(range(least_left, HAND_SIZE + 1 + (seat.status != "packed_first")))
    if fourteenths > 1 or (state.phase == "discard" and fourteenths != 1):
        yield Flaw("/seats", "one seat holds a fourteenth card after drawing")
    fold = state.last_round.fold if state.last_round is not None and is_scored(state) else None
    folded = 0 if fold is None else 1
    least, most = sum(span.start for span in left_with) + folded, sum(span.stop - 1 for span in left_with) + folded
    if not least <= len(state.removed) <= most:
        yield Flaw("/removed", "holds the cards of the seats that are out, and the winner's folded card")
    if state.turn is not None and len(seats_in(state)) < 2:
        yield Flaw("/seats", "a round is over when one seat is left")


# The fewest and the most turns of a seat that is out of the round.
_TURNS: Mapping[Status, tuple[int, int | None]] = {
    "packed_first": (0, 1),
    "packed_later": (1, None),
    "penalised": (1, None),
    "not_dealt": (0, 0),
}


def _may_hold_fourteen(state: State, seat: int) -> bool:
    """In the own turn after drawing; or where the match, or the round by the others' leaving, ended in that moment."""
    if state.turn is not None:
        return seat == state.turn and state.phase == "discard"
    if not is_scored(state):
        return True
    return state.last_round is not None and state.last_round.winner == seat and state.last_round.fold is None


def _turn_flaws(state: State) -> Iterator[Flaw]:
    """Turns go round the table; moves, turns and discard pile fit each other."""
    turns, drawn = round_turns(state), state.phase == "discard"
    if turns > state.rules.max_turns - (state.phase == "draw"):
        yield Flaw("/seats", "the round has no turn left")
    if not turns <= state.plies <= 2 * turns - drawn:
        yield Flaw("/plies", "a turn is one move or two")
    if turns == 0 and (len(state.discard) != 1 or not state.opening):
        yield Flaw("/discard", "before the first turn one card starts the discard pile")
    if state.opening and not state.discard:
        yield Flaw("/opening", "the discard pile is empty")
    someone_kept_one = any(seat.status in ("packed_later", "penalised") for seat in state.seats)
    if state.phase == "draw" and not state.discard and not someone_kept_one:
        yield Flaw("/discard", "a turn ends with a discard")
    if state.turn is None:
        return
    mover = state.seats[state.turn]
    if mover.status != "in":
        yield Flaw("/turn", "this seat is out of the round")
    if state.taken is not None and state.taken not in mover.hand:
        yield Flaw("/taken", "the seat to move does not hold the card it has taken")
    lap = mover.turns - drawn
    place = (state.turn - state.starter) % len(state.seats)
    if not was_dealt(state.seats[state.starter]):
        yield Flaw("/starter", "must be a seat that the round is dealt to")
    for number, seat in enumerate(state.seats):
        had = lap + ((number - state.starter) % len(state.seats) < place)
        if number != state.turn and (seat.turns > had or (seat.status == "in" and seat.turns < had)):
            yield Flaw(f"/seats/{number}/turns", "turns go round the table from the starter")
    if lap < 0:
        yield Flaw(f"/seats/{state.turn}/turns", "a turn begins with its draw")

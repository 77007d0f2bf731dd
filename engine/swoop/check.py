"""Whether a state from outside could be one of a match: conservation, and every field against the others.

The structure is checked where JSON is read. What passes here can be moved on, viewed and scored without an error; what
play reaches always passes. The seed is never compared with the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.cards import Card
from engine.check_match import match_flaws
from engine.check_match_end import Moment
from engine.errors import CorruptState, Flaw, Invalid
from engine.game import MAX_ROUNDS, conserved, first_starter, next_in
from engine.swoop.deal import NAME, whole_deck
from engine.swoop.legality import is_stuck
from engine.swoop.pile import always_clears
from engine.swoop.rules import SEATS
from engine.swoop.scoring import points_of, score_round
from engine.swoop.state import RoundScore, Seat, State, cards_of, is_scored, seats_in, was_dealt

Flaws = Iterator[Flaw]


def check(state: State) -> None:
    """Raises `CorruptState` with the places that no match can reach."""
    for part in _PARTS:  # each relies on what the parts before it have found in order
        if flaws := tuple(part(state)):
            raise CorruptState(*flaws)


def _set_up(state: State) -> Flaws:
    seats, rules = len(state.seats), state.rules
    try:
        first_starter(NAME, SEATS, seats, state.seed, state.starter)
    except Invalid as wrong:
        yield from wrong.flaws
    for at, seat in enumerate(state.seats):
        if len(seat.stacks) != rules.stacks:
            yield Flaw(f"/seats/{at}/stacks", f"must be {rules.stacks}, as the rules say")
        for slot, stack in enumerate(seat.stacks):
            if stack.guard is not None and stack.secret is None:
                yield Flaw(f"/seats/{at}/stacks/{slot}/secret", "a guard lies on a secret")
    if not 1 <= state.round <= MAX_ROUNDS:
        yield Flaw("/round", f"must be from 1 to {MAX_ROUNDS}")
    if state.shuffles != state.round:
        yield Flaw("/shuffles", "must equal round: each round is shuffled once")
    if not 0 <= state.plies <= rules.max_plies:
        yield Flaw("/plies", f"must be from 0 to max_plies ({rules.max_plies})")


def _cards(state: State) -> Flaws:
    whole = whole_deck(state.rules, len(state.seats))
    held = [cards_of(seat.hand, seat.stacks) for seat in state.seats]
    if not conserved((*held, state.pile, state.removed, state.set_aside), whole):
        yield Flaw("", f"the cards of all zones together must be the {len(whole)} cards of the decks in play")
    left_over = len(whole) - state.rules.cards_for(sum(map(was_dealt, state.seats)))
    if len(state.set_aside) != left_over:
        yield Flaw("/set_aside", f"a deal to so many seats leaves {max(left_over, 0)} cards over")
    yield from _pile(state)


def _pile(state: State) -> Flaws:
    order, run = state.rules.order(), 0
    below: Card | None = None
    for place, card in enumerate(state.pile):
        pointer = f"/pile/{place}"
        if always_clears(card.rank):
            yield Flaw(pointer, f"{card} clears the pile, so it never lies there")
            return
        if below is not None and order[card.rank] > order[below.rank]:
            yield Flaw(pointer, f"{card} on {below} would have been picked up")
        run = run + 1 if below is not None and below.rank == card.rank else 1
        if run >= state.rules.clear_size:
            yield Flaw(pointer, f"{run} cards of one rank would have cleared the pile")
        below = card


def _turn(state: State) -> Flaws:
    playing = state.phase == "play"
    if not was_dealt(state.seats[state.starter]):
        yield Flaw("/starter", "must be a seat that the round is dealt to")
    if state.aborted and state.phase != "match_over":
        yield Flaw("/aborted", "must be false unless the match is over")
    if not playing:
        if state.turn is not None:
            yield Flaw("/turn", "must be null: no round is being played")
        if state.committed is not None:
            yield Flaw("/committed", "must be null: no round is being played")
    elif state.turn is None or state.turn not in range(len(state.seats)) or state.seats[state.turn].status != "in":
        yield Flaw("/turn", "must be a seat that is still in the round")
    elif state.committed is not None:
        yield from _committed(state, state.turn, state.committed)


def _committed(state: State, turn: int, slot: int) -> Flaws:
    holder = state.seats[turn]
    if not _can_be_flipped(holder, slot):
        yield Flaw("/committed", f"must be a slot of seat {turn} with a secret and no guard")
    if state.plies == 0:
        yield Flaw("/plies", "must be above 0: a secret has been flipped")
    if state.rules.secret_only_when_stuck and not is_stuck(state, holder):
        yield Flaw("/committed", f"seat {turn} is not stuck, so it could not have flipped a secret")


def _can_be_flipped(seat: Seat, slot: int) -> bool:
    return slot in range(len(seat.stacks)) and seat.stacks[slot].secret is not None and seat.stacks[slot].guard is None


def _turned_up(state: State) -> Flaws:
    """At most one seat was to move when the match was aborted, and any may have forfeited in its turn."""
    playing = 0
    for at, seat in enumerate(state.seats):
        if seat.turned_up is None:
            continue
        playing += seat.status == "in"
        if not _can_be_flipped(seat, seat.turned_up):
            yield Flaw(f"/seats/{at}/turned_up", "must be a slot with a secret and no guard")
        elif seat.status == "in" and (not state.aborted or playing > 1):
            yield Flaw(f"/seats/{at}/turned_up", "must be null: the seat is still in the round")
        elif state.plies == 0:
            yield Flaw("/plies", "must be above 0: a secret has been flipped")


def _course(state: State) -> Flaws:
    """The round goes on exactly as long as two seats are in, each with cards, and plies are left (§2.4, §2.5)."""
    still_in = seats_in(state)
    bare = [at for at, seat in enumerate(state.seats) if was_dealt(seat) and not cards_of(seat.hand, seat.stacks)]
    for at, seat in enumerate(state.seats):
        if not was_dealt(seat) and cards_of(seat.hand, seat.stacks):
            yield Flaw(f"/seats/{at}", "a seat that the round is not dealt to holds no card")
    for at in bare:
        if state.seats[at].status != "in":
            yield Flaw(f"/seats/{at}", "a seat that has forfeited still holds cards")
    ended = len(bare) == 1 or len(still_in) == 1 or state.plies == state.rules.max_plies
    if len(bare) > 1:
        yield Flaw("/seats", "a round ends with the first seat that has no card left")
    elif not still_in:
        yield Flaw("/seats", "a round ends with one seat left in it")
    elif _round_is_over(state) != ended:
        yield Flaw("/phase", "this round is over" if ended else "this round is not over")
    if state.plies == 0 and still_in:
        yield from _untouched(state)


def _round_is_over(state: State) -> bool:
    """What the phase says; an aborted match may have left its round unfinished."""
    return is_scored(state) if state.aborted else state.phase != "play"


def _untouched(state: State) -> Flaws:
    """Before the first ply every seat holds what it was dealt, so nothing can lie in pile or removed."""
    rules = state.rules
    for at, seat in enumerate(state.seats):
        if not was_dealt(seat):
            continue
        if len(seat.hand) != rules.hand_size or any(stack.guard is None for stack in seat.stacks):
            yield Flaw(f"/seats/{at}", "must be as dealt: plies is 0")
    first = next_in(state.seats, (state.starter - 1) % len(state.seats))
    if state.turn is not None and state.turn != first:
        yield Flaw("/turn", f"must be {first}, who starts the round: plies is 0")


def _scores(state: State) -> Flaws:
    """`last_round` is of the round before while one is played, and follows from the cards once it is over (§2.4)."""
    last, scored = state.last_round, _round_is_over(state)
    due = state.round if scored else state.round - 1
    if (0 if last is None else last.round) != due:
        yield Flaw(
            "/last_round", "must be null: no round is over" if due == 0 else f"must be the scores of round {due}"
        )
    elif last is not None and len(last.results) != len(state.seats):
        yield Flaw("/last_round/results", f"must be one for each of the {len(state.seats)} seats")
    elif last is not None and scored and last.results != score_round(state.rules, state.seats):
        yield Flaw("/last_round/results", "must be what the cards that are left cost")
    elif last is not None and (found := _result_flaw(last)) is not None:
        yield found
    else:
        yield from _match(state, scored)


def _result_flaw(last: RoundScore) -> Flaw | None:
    outs = 0
    for at, result in enumerate(last.results):
        outs += result.reason == "out"
        if result.points < 0 or (result.reason in ("out", "not_dealt") and result.points) or outs > 1:
            return Flaw(f"/last_round/results/{at}", "points are not below 0; one seat at most goes out, and scores 0")
    return None


def _match(state: State, scored: bool) -> Flaws:
    last = state.last_round
    for at, total in enumerate(state.totals):
        if not isinstance(total, int):
            yield Flaw(f"/totals/{at}", "must be a whole number")
            return
    at_moment = Moment(
        round=state.round,
        scored=scored,
        pause=state.phase == "round_over",
        aborted=state.aborted,
        statuses=tuple(seat.status for seat in state.seats),
        points=None if last is None else tuple(result.points for result in last.results),
    )
    whole = whole_deck(state.rules, len(state.seats))
    yield from match_flaws(state.match, state.rules.terms, at_moment, points_of(state.rules, whole))


_PARTS: Final[tuple[Callable[[State], Flaws], ...]] = (_set_up, _cards, _turn, _turned_up, _course, _scores)

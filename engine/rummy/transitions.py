"""What each move does (rules.md §1.4, §1.5, §1.7, §1.9)."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, in_order, without
from engine.errors import IllegalMove, Violation
from engine.game import Abort, Aborted, Forfeit, Forfeited, NextRound, Rejoin, Withdraw, next_in
from engine.match import Match
from engine.match_events import Rejoined, SplitAgreed, Withdrawn, match_over
from engine.match_steps import agree, leave, rejoin, withdraw
from engine.rummy.arrangement import Arranger
from engine.rummy.deal import deal_next, shuffle_label
from engine.rummy.events import Discarded, Drew, Event, Packed, Penalised, Reshuffled
from engine.rummy.legality import basic_violation, rule
from engine.rummy.moves import AgreeSplit, Declare, Discard, Draw, Move
from engine.rummy.round_end import end_round, win_by_declaring
from engine.rummy.state import Seat, State, Status, round_turns, seats_in
from engine.shuffling import shuffle

Step = tuple[State, tuple[Event, ...]]


def apply(state: State, seat: int | None, move: Move, arranger: Arranger) -> Step:
    """The state after a move, and what happened. Raises `IllegalMove`, `Invalid` for a move that this caller could never
    make, and `Undecided` where the arranger cannot prove what the move needs; `state` itself never changes."""
    found = basic_violation(state, seat, move)
    if found is not None:
        raise IllegalMove(found)
    match move:
        case NextRound():
            return deal_next(state)
        case Abort():
            return replace(state, turn=None, phase="match_over", taken=None, aborted=True), (Aborted(),)
        case Forfeit():
            status = _pack_status(state, move.seat)
            return _leave(state, move.seat, status, Forfeited(move.seat), arranger)
        case Withdraw():
            return _withdraw(state, move.seat, arranger)
        case Rejoin():
            match = rejoin(state.match, state.rules.terms, move.seat)
            return _between(state, match, Rejoined(move.seat, match.totals[move.seat]))
        case AgreeSplit():
            assert seat is not None  # else the move was refused
            return _between(state, agree(state.match, state.rules.terms, seat), SplitAgreed(seat))
    mover = state.turn
    assert mover is not None  # else it was nobody's turn, and the move illegal
    match move:
        case Draw():
            return _draw(state, mover, move)
        case Discard():
            return _discard(state, mover, move.card, arranger)
        case Declare():
            return _declare(state, mover, move, arranger)
    return _pack(state, mover, arranger)


def _withdraw(state: State, seat: int, arranger: Arranger) -> Step:
    """A seat leaves the match: between two rounds no more than that, else the round with it, as by a forfeit."""
    gone = Withdrawn(seat)
    if state.turn is None:
        return _between(state, withdraw(state.match, state.rules.terms, seat), gone)
    left = replace(state, match=leave(state.match, seat))
    if state.seats[seat].status != "in":
        return left, (gone,)
    after, events = _leave(left, seat, _pack_status(state, seat), Forfeited(seat), arranger)
    return after, (gone, *events)


def _between(state: State, match: Match, event: Event) -> Step:
    """The state after something that happened between two rounds, which may have ended the match."""
    after = replace(state, match=match, phase="match_over" if match.ending else state.phase)
    return after, (event, *match_over(match))


def _draw(state: State, seat: int, move: Draw) -> Step:
    stock, discard, shuffles, opening = state.stock, state.discard, state.shuffles, state.opening
    reshuffled: tuple[Event, ...] = ()
    if move.source == "discard":
        card, discard = discard[-1], discard[:-1]
        opening = opening and bool(discard)
    else:
        if not stock:
            stock, discard = shuffle(state.seed, shuffle_label(shuffles), discard[:-1]), discard[-1:]
            shuffles, opening = shuffles + 1, False
            reshuffled = (Reshuffled(len(stock)),)
        card, stock = stock[-1], stock[:-1]
    player = state.seats[seat]
    after_draw = replace(
        state,
        shuffles=shuffles,
        phase="discard",
        plies=state.plies + 1,
        seats=_with_seat(state, seat, Seat((*player.hand, card), "in", player.turns + 1)),
        stock=stock,
        discard=discard,
        taken=card if move.source == "discard" else None,
        opening=opening,
    )
    return after_draw, (*reshuffled, Drew(seat, move.source, card))


def _discard(state: State, seat: int, card: Card, arranger: Arranger) -> Step:
    player = state.seats[seat]
    laid = replace(
        state,
        turn=next_in(state.seats, seat),
        phase="draw",
        plies=state.plies + 1,
        seats=_with_seat(state, seat, Seat(without(player.hand, (card,)), "in", player.turns)),
        discard=(*state.discard, card),
        taken=None,
    )
    return _unless_out_of_turns(laid, (Discarded(seat, card),), arranger)


def _declare(state: State, seat: int, move: Declare, arranger: Arranger) -> Step:
    player = state.seats[seat]
    ruling = rule(state, player.hand, move, arranger)
    if isinstance(ruling, Violation):
        raise IllegalMove(ruling)
    if ruling.grouping is None:
        penalised = Penalised(seat, state.rules.invalid_declaration_points, move.groups)
        return _leave(replace(state, plies=state.plies + 1), seat, "penalised", penalised, arranger)
    folded = replace(
        state,
        plies=state.plies + 1,
        seats=_with_seat(state, seat, Seat(without(player.hand, (move.fold,)), "in", player.turns)),
        removed=(*state.removed, move.fold),
    )
    return win_by_declaring(folded, seat, move.fold, ruling.grouping, arranger)


def _pack(state: State, seat: int, arranger: Arranger) -> Step:
    player, status = state.seats[seat], _pack_status(state, seat)
    counted = replace(
        state, plies=state.plies + 1, seats=_with_seat(state, seat, replace(player, turns=player.turns + 1))
    )
    return _leave(counted, seat, status, Packed(seat, status), arranger)


def _pack_status(state: State, seat: int) -> Status:
    """What leaving counts as: the first turn is over once it has begun with a draw."""
    return "packed_later" if state.seats[seat].turns else "packed_first"


def _leave(state: State, seat: int, status: Status, event: Event, arranger: Arranger) -> Step:
    """A seat leaves the round with all its cards: on packing, on a failed declaration, on forfeiting.

    The round is over if one seat is left, else the next seat is to move if it was this one's turn.
    """
    player = state.seats[seat]
    stock, removed, shuffles = state.stock, state.removed, state.shuffles
    if status == "packed_first" and state.rules.first_pack_under_stock:
        stock = (*shuffle(state.seed, shuffle_label(shuffles), in_order(player.hand)), *stock)
        shuffles += 1
    else:
        removed = (*removed, *player.hand)
    left = replace(
        state,
        shuffles=shuffles,
        seats=_with_seat(state, seat, Seat((), status, player.turns)),
        stock=stock,
        removed=removed,
    )
    still_in = seats_in(left)
    if len(still_in) == 1:
        ended, events = end_round(left, still_in[0], arranger)
        return ended, (event, *events)
    if seat != state.turn:
        return left, (event,)
    passed = replace(left, turn=next_in(left.seats, seat), phase="draw", taken=None)
    return _unless_out_of_turns(passed, (event,), arranger)


def _unless_out_of_turns(state: State, events: tuple[Event, ...], arranger: Arranger) -> Step:
    """Go on with the next turn, or end the round where `max_turns` have been played."""
    if round_turns(state) < state.rules.max_turns:
        return state, events
    ended, more = end_round(state, None, arranger)
    return ended, (*events, *more)


def _with_seat(state: State, number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*state.seats[:number], seat, *state.seats[number + 1 :])

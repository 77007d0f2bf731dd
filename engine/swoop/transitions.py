"""What each move does, and how a round and a match end (rules.md §2.2–§2.5)."""

from __future__ import annotations

from engine.cards import in_order
from engine.errors import IllegalMove
from engine.game import Abort, Aborted, Forfeit, Forfeited, NextRound, Withdraw, next_in
from engine.match_events import Withdrawn, match_over
from engine.match_steps import after_round, leave, withdraw
from engine.swoop.deal import deal_next
from engine.swoop.events import Cleared, Event, Flipped, PickedUp, Played, RoundScored, WentOut
from engine.swoop.legality import violation
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.pile import judge
from engine.swoop.scoring import score_round, settlement
from engine.swoop.state import RoundScore, Seat, State, Status, was_dealt

Step = tuple[State, tuple[Event, ...]]


def apply(state: State, seat: int | None, move: Move, arranger: object = None) -> Step:
    """The state after a move, and what happened. Raises `IllegalMove`; `Invalid` where `check_address` does."""
    if (against := violation(state, seat, move, arranger)) is not None:
        raise IllegalMove(against)
    match move:
        case Play():
            return _play(state, move)
        case Flip():
            return _flip(state, move)
        case Forfeit():
            return _forfeit(state, move.seat)
        case Withdraw():
            return _withdraw(state, move.seat)
        case NextRound():
            return deal_next(state)
        case Abort():
            seats = state.seats if state.turn is None else _leave(state, state.turn, state.seats[state.turn].status)
            return state.after(phase="match_over", seats=seats, aborted=True), (Aborted(),)


def _play(state: State, play: Play) -> Step:
    turn = state.turn
    assert turn is not None
    holder = state.seats[turn]
    done = judge(state.rules, state.pile, holder.hand, holder.stacks, state.committed, play)
    events: list[Event] = [Played(turn, done.cards, play.hand, play.guards, state.committed)]
    hand, removed = done.hand, state.removed
    if done.effect == "clear":
        events.append(Cleared(state.pile + done.cards))
        removed += state.pile + done.cards
    elif done.effect == "pickup":
        events.append(PickedUp(turn, state.pile + done.cards))
        hand = in_order(hand)
    if done.out:
        events.append(WentOut(turn))
    seats = (*state.seats[:turn], Seat(hand, done.stacks, holder.status), *state.seats[turn + 1 :])
    after = state.after(
        turn=next_in(seats, turn) if done.turn == "passes" else turn,
        plies=state.plies + 1,
        seats=seats,
        pile=done.pile,
        removed=removed,
    )
    return _unless_over(after, events, over=done.out)


def _flip(state: State, flip: Flip) -> Step:
    assert state.turn is not None
    card = state.seats[state.turn].stacks[flip.slot].secret
    assert card is not None
    after = state.after(turn=state.turn, plies=state.plies + 1, committed=flip.slot)
    return _unless_over(after, [Flipped(state.turn, flip.slot, card)], over=False)


def _forfeit(state: State, seat: int) -> Step:
    """The seat keeps its cards and is passed over (§2.5)."""
    seats = _leave(state, seat, "forfeited")
    turn = next_in(seats, seat) if state.turn == seat else state.turn
    committed = None if state.turn == seat else state.committed
    after = state.after(turn=turn, seats=seats, committed=committed)
    return _unless_over(after, [Forfeited(seat)], over=sum(other.status == "in" for other in seats) == 1)


def _withdraw(state: State, seat: int) -> Step:
    """A seat leaves the match: between two rounds no more than that, else the round with it, as by a forfeit (§1.9)."""
    gone = Withdrawn(seat)
    if state.turn is None:
        match = withdraw(state.match, state.rules.terms, seat)
        return state.after(match=match, phase="match_over" if match.ending else None), (gone, *match_over(match))
    left = state.after(turn=state.turn, committed=state.committed, match=leave(state.match, seat))
    if state.seats[seat].status != "in":
        return left, (gone,)
    after, events = _forfeit(left, seat)
    return after, (gone, *events)


def _leave(state: State, seat: int, status: Status) -> tuple[Seat, ...]:
    """The seats once this one makes no move any more: a secret that it flipped stays face up (§2.3: no way back)."""
    holder = state.seats[seat]
    turned_up = state.committed if state.turn == seat else None
    return (*state.seats[:seat], Seat(holder.hand, holder.stacks, status, turned_up), *state.seats[seat + 1 :])


def _unless_over(state: State, events: list[Event], *, over: bool) -> Step:
    """The state itself, or, if its round is over or has had its plies, the state after scoring (§2.4, §2.5)."""
    if not over and state.plies < state.rules.max_plies:
        return state, tuple(events)
    results = score_round(state.rules, state.seats)
    points = [result.points if was_dealt(seat) else None for seat, result in zip(state.seats, results, strict=True)]
    winner = next((seat for seat, result in enumerate(results) if result.reason == "out"), None)
    match = after_round(state.match, state.rules.terms, points, winner)
    events += [RoundScored(state.round, results, match.totals, settlement(results)), *match_over(match)]
    after = state.after(
        phase="match_over" if match.ending else "round_over",
        match=match,
        last_round=RoundScore(state.round, results),
    )
    return after, tuple(events)

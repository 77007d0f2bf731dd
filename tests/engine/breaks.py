"""Broken games: each breaks one law of tests/engine/laws.py, and as little else as can be."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from engine.cards import FACES
from engine.errors import Violation
from engine.game import Abort, NextRound
from tests.engine.bending import Told, applying, judging, listing, unseen
from tests.engine.habits import Habits
from tests.engine.playing import AnyGame

# Law 1: cards and states
from tests.engine.totals import with_totals


def loses_a_card(game: AnyGame, habits: Habits) -> AnyGame:
    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        places = habits.hidden(after, None, ())[:1]
        return habits.with_cards(after, [(place, FACES[card.order - 1]) for place, card in places]), events

    return applying(game, change, check=lambda state: None)


def reaches_what_is_refused(game: AnyGame, habits: Habits) -> AnyGame:
    return applying(game, lambda state, move, after, events: (replace(after, round=0), events))


# Law 2: legal and listed


def lists_what_is_illegal(game: AnyGame, habits: Habits) -> AnyGame:
    def judge(state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        found = game.violation(state, seat, move, arranger)
        return Violation("game_over", "no") if found is None and seat is not None else found

    return judging(game, judge)


def lists_not_all(game: AnyGame, habits: Habits) -> AnyGame:
    return listing(game, lambda state, seat, moves: moves[:1])


def lists_a_move_twice(game: AnyGame, habits: Habits) -> AnyGame:
    return listing(game, lambda state, seat, moves: (*moves, *moves[:1]))


def leaves_out_of_all_what_it_lists(game: AnyGame, habits: Habits) -> AnyGame:
    def every(state: Any, seat: int | None, arranger: Any) -> Any:
        known = game.all_moves(state, seat, arranger)
        return replace(known, moves=known.moves[:-1])

    return replace(game, all_moves=every)


def allows_what_it_refuses(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, violation=lambda state, seat, move, arranger: None)


def refuses_what_it_makes(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, violation=lambda state, seat, move, arranger: Violation("game_over", "no"))


def refuses_for_an_unknown_reason(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, violations={})


def changes_the_state_it_is_given(game: AnyGame, habits: Habits) -> AnyGame:
    def apply(state: Any, seat: int | None, move: Any, arranger: Any) -> Any:
        if game.violation(state, seat, move, arranger) is not None:
            object.__setattr__(state, "round", state.round + 1)
        return game.apply(state, seat, move, arranger)

    return replace(game, apply=apply)


def aborts_into_nowhere(game: AnyGame, habits: Habits) -> AnyGame:
    """By a move that is listed, but seldom made."""

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        return (replace(after, round=0) if isinstance(move, Abort) else after), events

    return applying(game, change)


# Law 3: someone can move


def lists_nothing(game: AnyGame, habits: Habits) -> AnyGame:
    return listing(game, lambda state, seat, moves: () if seat is not None else moves)


def lists_moves_of_another_seat(game: AnyGame, habits: Habits) -> AnyGame:
    def listed(state: Any, seat: int | None, arranger: Any) -> Any:
        turn = game.to_move(state)
        return game.legal_moves(state, seat if turn is None or seat is None else turn, arranger)

    return replace(game, legal_moves=listed)


def lists_nothing_between_rounds(game: AnyGame, habits: Habits) -> AnyGame:
    return listing(game, lambda state, seat, moves: moves if game.to_move(state) is not None else ())


def lists_moves_after_the_match(game: AnyGame, habits: Habits) -> AnyGame:
    return listing(game, lambda state, seat, moves: moves or ((Abort(),) if seat is None else ()))


# Law 4: the turn of a seat out of time


def makes_an_illegal_move_in_its_place(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, default_move=lambda state, arranger: NextRound())


def keeps_the_turn(game: AnyGame, habits: Habits) -> AnyGame:
    """A while longer, but not for good."""

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        ends = game.to_move(after) not in (game.to_move(state), None)
        return (replace(after, turn=state.turn) if ends and after.plies % 4 < 2 else after), events

    return applying(game, change, check=lambda state: None)


def never_gets_on(game: AnyGame, habits: Habits) -> AnyGame:
    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        goes_on = not habits.goes_on.isdisjoint(event.type for event in events)
        return (state if goes_on else after), events

    return applying(game, change)


# Law 5: no leak


def shows_one_hidden_card(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, view=lambda state, seat: (game.view(state, seat), unseen(habits, state, seat)[:1]))


def shows_the_seed(game: AnyGame, habits: Habits) -> AnyGame:
    return replace(game, view=lambda state, seat: (game.view(state, seat), state.seed))


def tells_by_the_order_of_its_list(game: AnyGame, habits: Habits) -> AnyGame:
    def change(state: Any, seat: int | None, moves: Any) -> Any:
        return moves[::-1] if seat is not None and _odd(unseen(habits, state, seat)) else moves

    return listing(game, change)


def tells_by_the_order_of_the_referees_list(game: AnyGame, habits: Habits) -> AnyGame:
    def change(state: Any, seat: int | None, moves: Any) -> Any:
        return moves[::-1] if seat is None and _odd(unseen(habits, state)) else moves

    return listing(game, change)


def _odd(cards: tuple[Any, ...]) -> bool:
    return any(card.order % 2 for card in cards[:1])


def tells_by_a_refusal(game: AnyGame, habits: Habits) -> AnyGame:
    def judge(state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        found = game.violation(state, seat, move, arranger)
        return replace(found, message=str(unseen(habits, state, seat))) if found and seat is not None else found

    return judging(game, judge)


def tells_by_refusing_the_referee(game: AnyGame, habits: Habits) -> AnyGame:
    def judge(state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        found = game.violation(state, seat, move, arranger)
        return replace(found, message=str(unseen(habits, state))) if found and seat is None else found

    return judging(game, judge)


def shows_later_what_was_hidden(game: AnyGame, habits: Habits) -> AnyGame:
    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        return replace(after, round=1 + sum(card.order for card in unseen(habits, state)[:1])), events

    return applying(game, change, check=lambda state: None)


def deals_too_openly(game: AnyGame, habits: Habits) -> AnyGame:
    def deal(*given: Any) -> Any:
        state, events = game.deal(*given)
        return state, (*events, Told(unseen(habits, state)))

    return replace(game, deal=deal)


# Law 6: events and points


def tells_nothing(game: AnyGame, habits: Habits) -> AnyGame:
    """But that a turn goes on or a round is over, for which other laws look."""
    told = habits.goes_on | {"round_scored"}

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        return after, () if told.isdisjoint(event.type for event in events) else events

    return applying(game, change)


def tells_less_at_second_sight(game: AnyGame, habits: Habits) -> AnyGame:
    return applying(game, lambda state, move, after, events: (after, (*events, Told(0, fades=2))))


def more(holder: Any, field: str) -> Any:
    """An event or a state whose first seat has a point more."""
    if field == "match":
        return with_totals(holder, holder.totals[0] + 1, *holder.totals[1:])
    points = getattr(holder, field)
    return replace(holder, **{field: (points[0] + 1, *points[1:])})


def scoring(game: AnyGame, event_field: str, *state_fields: str) -> AnyGame:
    """A point more in the event of a round's end, and in the state then."""

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        scored = tuple(more(event, event_field) if event.type == "round_scored" else event for event in events)
        for field in state_fields if scored != events else ():
            after = more(after, field)
        return after, scored

    return applying(game, change, check=lambda state: None)


def adds_up_wrong(game: AnyGame, habits: Habits) -> AnyGame:
    return scoring(game, "totals", "match")


def says_another_total(game: AnyGame, habits: Habits) -> AnyGame:
    return scoring(game, "totals")


def settles_wrong(game: AnyGame, habits: Habits) -> AnyGame:
    return scoring(game, "settlement")


# Law 7: replay


def does_not_replay(game: AnyGame, habits: Habits) -> AnyGame:
    """It remembers how often it was asked whether the match is over, which a replay does not ask."""
    asked, last = count(), [0]

    def outcome(state: Any) -> Any:
        last[0] = next(asked)
        return game.outcome(state)

    return applying(game, lambda state, move, after, events: (after, (*events, Told(last[0]))), outcome=outcome)

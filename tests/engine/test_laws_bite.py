"""The tests of the laws find a game that breaks them: each broken game is caught, by the law that it breaks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import Violation
from engine.games import GAMES
from engine.rummy.moves import Discard
from engine.swoop.moves import Play
from tests.engine import breaks, laws
from tests.engine.bending import Told, applying, judging, unseen
from tests.engine.habits import Habits
from tests.engine.laws import play_match
from tests.engine.playing import AnyGame
from tests.engine.registry import HABITS
from tests.engine.rummy.habits import PoolHabits

# What is tested at every move, whether or not a position is looked at.
THROUGHOUT = {laws.check_reached, laws.check_deal, laws.check_events, laws.check_replays}


def played(game: AnyGame, habits: Habits, depth: float = 1.0) -> None:
    for number in range(6):
        for _ in play_match(game, habits, habits.arranger, random.Random(number), depth):
            pass


def caught(law: Any, game: AnyGame, habits: Habits) -> None:
    """The game is found to be broken, and by this law."""
    with pytest.raises(AssertionError) as found:
        played(game, habits, depth=0.0 if law in THROUGHOUT else 1.0)
    assert law.__name__ in {frame.name for frame in found.traceback}


BREAKS: list[tuple[Any, Any]] = [
    (laws.check_reached, breaks.loses_a_card),
    (laws.check_reached, breaks.reaches_what_is_refused),
    (laws.check_listed_moves, breaks.lists_what_is_illegal),
    (laws.check_listed_moves, breaks.lists_a_move_twice),
    (laws.check_listed_moves, breaks.leaves_out_of_all_what_it_lists),
    (laws.check_listed_moves, breaks.aborts_into_nowhere),
    (laws.check_strange_moves, breaks.lists_not_all),
    (laws.check_strange_moves, breaks.allows_what_it_refuses),
    (laws.check_strange_moves, breaks.refuses_what_it_makes),
    (laws.check_strange_moves, breaks.refuses_for_an_unknown_reason),
    (laws.check_strange_moves, breaks.changes_the_state_it_is_given),
    (laws.check_someone_can_move, breaks.lists_nothing),
    (laws.check_someone_can_move, breaks.lists_moves_of_another_seat),
    (laws.check_someone_can_move, breaks.lists_nothing_between_rounds),
    (laws.check_someone_can_move, breaks.lists_moves_after_the_match),
    (laws.check_default_turn, breaks.makes_an_illegal_move_in_its_place),
    (laws.check_default_turn, breaks.keeps_the_turn),
    (laws.check_default_turn, breaks.never_gets_on),
    (laws.check_no_leak, breaks.shows_one_hidden_card),
    (laws.check_no_leak, breaks.shows_the_seed),
    (laws.check_no_leak, breaks.tells_by_the_order_of_its_list),
    (laws.check_no_leak, breaks.tells_by_the_order_of_the_referees_list),
    (laws.check_no_leak, breaks.tells_by_a_refusal),
    (laws.check_no_leak, breaks.tells_by_refusing_the_referee),
    (laws.check_no_leak_in_events, breaks.shows_later_what_was_hidden),
    (laws.check_deal, breaks.deals_too_openly),
    (laws.check_events, breaks.tells_nothing),
    (laws.check_events, breaks.tells_less_at_second_sight),
    (laws.check_events, breaks.adds_up_wrong),
    (laws.check_events, breaks.says_another_total),
    (laws.check_events, breaks.settles_wrong),
    (laws.check_replays, breaks.does_not_replay),
]


@pytest.mark.parametrize("name", GAMES)
def test_the_game_itself_passes(name: str) -> None:
    played(GAMES[name], HABITS[name])


@pytest.mark.parametrize(("law", "broken"), BREAKS, ids=[broken.__name__ for _, broken in BREAKS])
@pytest.mark.parametrize("name", GAMES)
def test_a_broken_game_is_caught(name: str, law: Any, broken: Any) -> None:
    caught(law, broken(GAMES[name], HABITS[name]), HABITS[name])


TOLD = [(name, move.type) for name in GAMES for move in GAMES[name].moves if move.type not in HABITS[name].opens]


@pytest.mark.parametrize(("name", "kind"), TOLD)
def test_a_move_of_each_kind_that_tells_of_hidden_cards_is_caught(name: str, kind: str) -> None:
    game = GAMES[name]
    habits = PoolHabits() if kind in ("rejoin", "agree_split") else HABITS[name]

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        return after, (*events, Told(unseen(habits, after))) if move.type == kind else events

    law = laws.check_deal if kind == "next_round" else laws.check_no_leak_in_events
    caught(law, applying(game, change), habits)


def test_a_refused_part_of_a_listed_play_is_caught() -> None:
    game, habits = GAMES["swoop"], HABITS["swoop"]

    def judge(state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | None:
        part = isinstance(move, Play) and move not in game.legal_moves(state, state.turn, arranger)
        return game.violation(state, seat, move, arranger) or (Violation("mixed_ranks", "no") if part else None)

    caught(laws.check_listed_moves, judging(game, judge), habits)


def test_an_unlisted_move_that_leads_nowhere_is_caught() -> None:
    """In rummy: a declaration that fails and is punished."""
    game, habits = GAMES["rummy"], HABITS["rummy"]

    def change(state: Any, move: Any, after: Any, events: Any) -> Any:
        return (replace(after, round=0) if events[0].type == "penalised" else after), events

    caught(laws.check_strange_moves, applying(game, change), habits)


def test_a_move_that_takes_a_search_to_make_again_is_caught() -> None:
    game, habits = GAMES["rummy"], HABITS["rummy"]

    def apply(state: Any, seat: int | None, move: Any, arranger: Any) -> Any:
        if isinstance(move, Discard) and game.violation(state, seat, move, arranger) is None:
            arranger.folds(state.seats[seat].hand, state.wild_rank, state.rules)
        return game.apply(state, seat, move, arranger)

    caught(laws.check_replays, replace(game, apply=apply), habits)

"""Which plays are listed (docs/api.md): one for each rank and number of cards, or every distinct one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

from engine.cards import Rank, in_order
from engine.options import resolve
from engine.swoop.game import GAME
from engine.swoop.legality import MOST_LISTED
from engine.swoop.moves import Flip, Move, Play
from engine.swoop.plays import plays_of, some_of_each
from engine.swoop.rules import SwoopRules
from engine.swoop.state import State
from tests.engine.playing import positions
from tests.engine.registry import HABITS
from tests.engine.swoop.builders import cards, crowded, flip, seat, table

OTHER = seat("9S", "QS/2S")


def listed(state: State) -> list[Move]:
    return list(GAME.legal_moves(state, state.turn, None))


def every(state: State) -> list[Move]:
    found = GAME.all_moves(state, state.turn, None)
    assert found.complete
    return list(found.moves)


def play(hand: str = "", *guards: int) -> Play:
    return Play(cards(hand), guards)


def brute_force(state: State) -> set[Play]:
    """Every legal play, each once: every part of the hand with every part of the slots is tried."""
    assert state.turn is not None
    holder = state.seats[state.turn]
    slots = list(range(len(holder.stacks)))
    tried = {Play(in_order(hand), guards) for hand in _parts(list(holder.hand)) for guards in _parts(slots)}
    return {one for one in tried if GAME.violation(state, state.turn, one, None) is None}


def _parts(things: list[Any]) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(things, size) for size in range(len(things) + 1))


def kind(state: State, one: Play) -> tuple[Rank | None, int]:
    """The rank of a play and its number of cards."""
    assert state.turn is not None
    stacks = state.seats[state.turn].stacks
    shown = [*one.hand, *(stacks[slot].guard for slot in one.guards)]
    if state.committed is not None:
        shown.append(stacks[state.committed].secret)
    (rank,) = {card.rank for card in shown if card is not None}
    return rank, len(shown)


def test_with_two_tens_one_of_them_is_listed_too() -> None:
    state = table(seat("TS TH 4D", "TC/AH"), OTHER, pile="9D")

    assert listed(state) == [play("4D"), play("TS"), play("TS TH"), play("TS TH", 0)]


def test_a_committed_secret_alone_first() -> None:
    state = flip(table(seat("5D 5S 8C", "-/5H", "5C/6H", "-/7H"), OTHER, pile="9D"), 0)

    assert listed(state) == [play(), play("5S"), play("5S 5D"), play("5S 5D", 1)]
    assert set(every(state)) == {
        play(), play("5S"), play("5D"), play("", 1), play("5S 5D"), play("5S", 1), play("5D", 1), play("5S 5D", 1),
    }  # fmt: skip


def test_the_order_is_by_rank_and_number_then_from_the_hand_first() -> None:
    state = table(seat("KD AS 2H AH", "AC/3S", "AD/4S", "-/5S"), OTHER, pile="9D")

    assert every(state) == [
        play("AS"), play("AH"), play("", 0), play("", 1),
        play("AS AH"), play("AS", 0), play("AS", 1), play("AH", 0), play("AH", 1), play("", 0, 1),
        play("AS AH", 0), play("AS AH", 1), play("AS", 0, 1), play("AH", 0, 1),
        play("AS AH", 0, 1),
        play("2H"), play("KD"), Flip(2),
    ]  # fmt: skip


def test_equal_cards_make_one_play() -> None:
    rules = resolve(SwoopRules, {"decks": 2, "printed_jokers_per_deck": 1})
    state = table(seat("JK 5H JK 5H 5S"), OTHER, rules=rules)

    assert every(state) == [
        play("5S"), play("5H"), play("5S 5H"), play("5H 5H"), play("5S 5H 5H"), play("JK"), play("JK JK"),
    ]  # fmt: skip
    assert listed(state) == [play("5S"), play("5S 5H"), play("5S 5H 5H"), play("JK"), play("JK JK")]


def test_against_brute_force_in_random_positions() -> None:
    """All plays are exactly the legal ones; the short list has the first of each rank and number of cards."""
    habits, rng = HABITS["swoop"], random.Random(10)
    seen, committed, plays = 0, 0, 0
    for position in positions(GAME, habits, rng, 40):
        state = position.after
        if state.turn is None or rng.random() < 0.95:
            continue
        if len(state.seats[state.turn].hand) + state.rules.stacks > 10:
            continue  # too many parts to try
        legal = brute_force(state)
        moves = every(state)
        assert len(moves) == len(set(moves))
        assert {move for move in moves if isinstance(move, Play)} == legal
        short = [move for move in listed(state) if isinstance(move, Play)]
        assert Counter(kind(state, one) for one in short) == Counter({kind(state, one) for one in legal})
        firsts = {kind(state, one): one for one in reversed(moves) if isinstance(one, Play)}
        assert set(short) == set(firsts.values())
        assert [move for move in moves if move in listed(state)] == listed(state)
        assert [one for one in moves if isinstance(one, Flip)] == [
            one for one in listed(state) if isinstance(one, Flip)
        ]
        seen, committed, plays = seen + 1, committed + (state.committed is not None), plays + len(legal)
    assert seen > 200
    assert committed > 10
    assert plays > 5 * seen


def test_a_list_that_is_cut_has_some_of_each() -> None:
    state = crowded()
    found = GAME.all_moves(state, 0, None)
    assert not found.complete
    assert len(found.moves) == len(set(found.moves)) == MOST_LISTED
    assert set(listed(state)) <= set(found.moves)
    assert [move for move in found.moves if move in set(listed(state))] == listed(state)
    assert all(GAME.violation(state, 0, move, None) is None for move in found.moves)
    assert found.moves[-1] == Flip(7)
    assert {play("2D"), play("3D")} <= set(found.moves)
    assert GAME.all_moves(state, 0, None) == found


def test_no_more_plays_are_made_than_are_listed() -> None:
    made = 0

    def counted(kinds: Iterator[Play]) -> Iterator[Play]:
        nonlocal made
        for one in kinds:
            made += 1
            yield one

    many = cards(" ".join(["KS KH KD KC"] * 15))
    plays, complete = some_of_each([counted(plays_of(many, range(8), count)) for count in range(1, 69)], 1000)
    assert (len(plays), complete) == (1000, False)
    assert made == 1001


def test_a_list_that_just_fits_is_complete() -> None:
    def kinds() -> list[Iterator[Play]]:
        return [plays_of(cards("KS KS KH"), (1, 4), count) for count in range(1, 6)]

    whole = sum(1 for one in kinds() for _ in one)
    assert whole == 3 * 2 * 4 - 1  # so many of each face, and each slot or not, but not nothing
    assert some_of_each(kinds(), whole)[1]
    assert not some_of_each(kinds(), whole - 1)[1]
    assert some_of_each(kinds(), 0) == ((), False)
    assert some_of_each([], 0) == ((), True)


def test_nothing_for_a_seat_that_is_not_to_move_and_the_same_for_the_referee() -> None:
    state = crowded()
    assert GAME.all_moves(state, 1, None).moves == ()
    assert GAME.all_moves(state, None, None).moves == GAME.legal_moves(state, None, None)

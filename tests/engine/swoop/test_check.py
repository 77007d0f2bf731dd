"""States from outside: each thing that no match can reach is named, and whatever passes is safe."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from engine.cards import FACES
from engine.errors import CorruptState, IllegalMove
from engine.game import Abort, Forfeit, NextRound
from engine.match import Match
from engine.options import resolve
from engine.swoop.game import GAME
from engine.swoop.rules import HOUSE, SwoopRules
from engine.swoop.state import Result, RoundScore, Seat, Stack, State
from tests.engine.laws import examine
from tests.engine.swoop.builders import SEED, cards, flip, play, seat, table
from tests.engine.swoop.habits import SwoopHabits
from tests.engine.totals import totalling, with_totals

PLAYING = table(seat("5H 6S", "9C/2D", "-/3D", "-"), seat("KC TD", "AC/AD"), pile="9D 4D")
FLIPPED = flip(PLAYING, 1)
NOT_STUCK = flip(table(seat("3H 6S", "-/5D"), seat("KC TD"), pile="9D 4D"), 0)
BETWEEN = play(table(seat("5H"), seat("9S 4D"), pile="9D"), "5H")[0]
FRESH, _ = GAME.deal(3, HOUSE, SEED, 1)
ABORTED, _ = GAME.apply(PLAYING, None, Abort(), None)
FORFEITED, _ = GAME.apply(FRESH, None, Forfeit(1), None)
GONE, _ = GAME.apply(
    flip(table(seat("3H", "-/2D"), seat("KD", "-/5D", "6C/7C"), seat("8C"), pile="9D 4D", turn=1), 0),
    None,
    Forfeit(1),
    None,
)


def second() -> State:
    state, _ = GAME.apply(BETWEEN, None, NextRound(), None)
    return state


SECOND = second()


BETWEEN_RESULTS = (Result(0, "out"), Result(13, "cards"))


def with_seat(state: State, at: int, **changes: Any) -> State:
    seats = list(state.seats)
    seats[at] = replace(seats[at], **changes)
    return replace(state, seats=tuple(seats))


CORRUPT: list[tuple[str, State]] = [
    ("/seed", replace(PLAYING, seed="00")),
    ("/starter", replace(PLAYING, starter=2)),
    ("/seats", replace(with_totals(PLAYING, 0), seats=PLAYING.seats[:1])),
    ("/match/entrants", with_totals(PLAYING, 0)),
    ("/totals", with_totals(PLAYING, 0, 5)),
    ("/phase", with_totals(SECOND, 0, 200)),
    ("/totals", with_totals(SECOND, -1, 13)),
    ("/phase", replace(
        SECOND, round=3, shuffles=3, match=replace(totalling(SECOND.match, 150, 26), rounds=2), last_round=RoundScore(2, BETWEEN_RESULTS))),
    ("/totals", with_totals(BETWEEN, 0, 12)),
    ("/totals", with_totals(BETWEEN, 1, 14)),
    ("/seats/0/stacks", with_seat(PLAYING, 0, stacks=PLAYING.seats[0].stacks[:3])),
    ("/seats/0/stacks/0/secret", with_seat(PLAYING, 0, stacks=(Stack(cards("9C")[0], None), *PLAYING.seats[0].stacks[1:]))),
    ("/round", replace(PLAYING, round=0, shuffles=0)),
    ("/round", replace(PLAYING, round=10**18, shuffles=10**18)),
    ("/shuffles", replace(PLAYING, shuffles=2)),
    ("/plies", replace(PLAYING, plies=-1)),
    ("/plies", replace(PLAYING, plies=2001)),
    ("/phase", replace(PLAYING, plies=2000)),
    ("", replace(PLAYING, removed=PLAYING.removed[1:])),
    ("", replace(PLAYING, removed=(*PLAYING.removed, FACES[0]))),
    ("", with_seat(PLAYING, 0, hand=(*PLAYING.seats[0].hand, FACES[-1]))),
    ("/set_aside", replace(PLAYING, set_aside=PLAYING.set_aside[1:], removed=(*PLAYING.removed, PLAYING.set_aside[0]))),
    ("/pile/1", replace(PLAYING, pile=cards("4D 9D"))),
    ("/pile/0", replace(
        PLAYING, pile=(*cards("TD"), *PLAYING.pile), seats=(PLAYING.seats[0], replace(PLAYING.seats[1], hand=cards("KC"))))),
    ("/turn", replace(PLAYING, turn=None)),
    ("/turn", replace(PLAYING, turn=2)),
    ("/turn", with_seat(replace(FRESH, turn=2), 2, status="forfeited")),
    ("/turn", replace(FRESH, turn=2)),
    ("/turn", replace(BETWEEN, turn=0)),
    ("/committed", replace(BETWEEN, committed=0)),
    ("/committed", replace(PLAYING, committed=0)),
    ("/committed", replace(PLAYING, committed=2)),
    ("/committed", replace(PLAYING, committed=4)),
    ("/committed", replace(PLAYING, committed=-1)),
    ("/committed", replace(NOT_STUCK, rules=resolve(SwoopRules, {"secret_only_when_stuck": True}))),
    ("/plies", replace(FLIPPED, plies=0)),
    ("/seats/0/turned_up", with_seat(FLIPPED, 0, turned_up=1)),
    ("/seats/1/turned_up", with_seat(GONE, 1, turned_up=4)),
    ("/seats/1/turned_up", with_seat(GONE, 1, turned_up=1)),
    ("/seats/0/turned_up", with_seat(GONE, 0, turned_up=0)),
    ("/plies", replace(GONE, plies=0)),
    ("/seats/0", replace(PLAYING, plies=0)),
    ("/seats/0", replace(with_seat(FRESH, 0, hand=FRESH.seats[0].hand[1:]), removed=FRESH.seats[0].hand[:1])),
    ("/phase", replace(PLAYING, phase="round_over", turn=None)),
    ("/phase", replace(BETWEEN, phase="play", turn=1)),
    ("/match/ending", replace(BETWEEN, phase="match_over")),
    ("/phase", replace(BETWEEN, rules=resolve(SwoopRules, {"limit": 13}))),
    ("/aborted", replace(PLAYING, aborted=True)),
    ("/aborted", replace(BETWEEN, aborted=True)),
    ("/seats", replace(PLAYING, seats=tuple(replace(player, status="forfeited") for player in PLAYING.seats), phase="round_over", turn=None)),
    ("/phase", with_seat(PLAYING, 1, status="forfeited")),
    ("/last_round", replace(PLAYING, last_round=RoundScore(1, (Result(0, "out"), Result(0, "cards"))))),
    ("/last_round", replace(SECOND, last_round=None)),
    ("/last_round", replace(BETWEEN, last_round=None)),
    ("/last_round/results", replace(BETWEEN, last_round=RoundScore(1, (Result(0, "out"), Result(12, "cards"))))),
    ("/last_round/results", replace(BETWEEN, last_round=RoundScore(1, (Result(0, "cards"), Result(13, "cards"))))),
    ("/last_round/results", replace(SECOND, last_round=RoundScore(1, (Result(0, "out"),)))),
    ("/last_round/results/0", replace(SECOND, last_round=RoundScore(1, (Result(-1, "cards"), Result(13, "cards"))))),
    ("/last_round/results/0", replace(SECOND, last_round=RoundScore(1, (Result(1, "out"), Result(13, "cards"))))),
    ("/last_round/results/1", replace(SECOND, last_round=RoundScore(1, (Result(0, "out"), Result(0, "out"))))),
]  # fmt: skip


@pytest.mark.parametrize(("pointer", "state"), CORRUPT, ids=lambda value: value if isinstance(value, str) else "")
def test_what_no_match_reaches_is_refused_with_its_place(pointer: str, state: State) -> None:
    with pytest.raises(CorruptState) as wrong:
        GAME.check(state)
    assert pointer in [flaw.pointer for flaw in wrong.value.flaws]
    assert all(flaw.detail for flaw in wrong.value.flaws)


def test_two_seats_without_a_card() -> None:
    with pytest.raises(CorruptState):
        GAME.check(
            replace(BETWEEN, seats=(BETWEEN.seats[0], BETWEEN.seats[0]), removed=(*BETWEEN.removed, *cards("9S 4D")))
        )


@pytest.mark.parametrize("state", [PLAYING, FLIPPED, BETWEEN, FRESH, ABORTED, FORFEITED, SECOND])
def test_what_play_reaches_passes(state: State) -> None:
    GAME.check(state)


def test_a_pile_that_would_have_cleared() -> None:
    with pytest.raises(CorruptState) as wrong:
        GAME.check(
            replace(table(seat("5H"), seat("9S"), pile="8D 8C 8H"), rules=resolve(SwoopRules, {"clear_size": 3}))
        )
    assert [flaw.pointer for flaw in wrong.value.flaws] == ["/pile/2"]


def _somebody_left(match: Match, rng: random.Random) -> Match:
    entrants = [
        replace(each, status="withdrawn", left=rng.randint(0, 2)) if rng.random() < 0.4 else each
        for each in match.entrants
    ]
    return replace(match, entrants=tuple(entrants))


def _somehow_changed(state: State, rng: random.Random) -> State:
    """One field replaced by another's value of its kind, or two cards or seats exchanged."""
    numbers = [-1, 0, 1, 2, 3, 7, len(state.seats), state.rules.max_plies, 150]
    changes: list[Callable[[], dict[str, Any]]] = [
        lambda: {"turn": rng.choice([None, *numbers])},
        lambda: {"committed": rng.choice([None, *numbers])},
        lambda: {"plies": rng.choice(numbers)},
        lambda: {"phase": rng.choice(["play", "round_over", "match_over"])},
        lambda: {"aborted": rng.random() < 0.5},
        lambda: {"round": rng.choice(numbers)},
        lambda: {"shuffles": rng.choice(numbers)},
        lambda: {"starter": rng.choice(numbers)},
        lambda: {"match": totalling(state.match, *(rng.choice(numbers) for _ in state.totals))},
        lambda: {"match": _somebody_left(state.match, rng)},
        lambda: {"last_round": None},
        lambda: {"pile": state.removed, "removed": state.pile},
        lambda: {"pile": tuple(rng.sample(state.pile, len(state.pile)))},
        lambda: {"seats": tuple(rng.sample(state.seats, len(state.seats)))},
        lambda: {"seats": tuple(replace(player, status=rng.choice(["in", "in", "forfeited"])) for player in state.seats)},
        lambda: {"rules": SwoopHabits().rules(rng)},
        lambda: {
            "seats": (Seat((), (Stack(None, None),) * state.rules.stacks), *state.seats[1:]),
            "removed": (*state.removed, *state.seats[0].hand, *(card for stack in state.seats[0].stacks for card in (stack.guard, stack.secret) if card)),
        },
    ]  # fmt: skip
    for change in rng.sample(changes, rng.choice((1, 1, 2, 3))):
        state = replace(state, **change())
    return state


def test_a_changed_state_is_refused_or_safe() -> None:
    """Whatever passes the check obeys every law, so no call on it fails with anything but an illegal move."""
    rng, habits = random.Random(7), SwoopHabits()
    passed = 0
    for number in range(300):
        state, _ = GAME.deal(
            rng.choice((2, 3)), HOUSE if number % 2 else resolve(SwoopRules, {"max_plies": 30}), SEED, None
        )
        for _ in range(rng.randrange(60)):
            moves = GAME.legal_moves(state, GAME.to_move(state), None)
            if not moves:
                break
            state, _ = GAME.apply(state, GAME.to_move(state), rng.choice(moves), None)
        changed = _somehow_changed(state, rng)
        try:
            GAME.check(changed)
        except CorruptState:
            continue
        passed += 1
        examine(GAME, habits, changed, None, rng)
    assert 20 <= passed <= 280
    assert {field.name for field in fields(State)} >= {"aborted", "committed"}


def test_illegal_is_not_corrupt() -> None:
    with pytest.raises(IllegalMove):
        GAME.apply(BETWEEN, None, Forfeit(0), None)

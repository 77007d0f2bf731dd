"""rules.md §2.1: the set-up, and every option of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card
from engine.errors import Invalid, TooFewCards
from engine.game import NextRound
from engine.options import resolve
from engine.swoop.deal import whole_deck
from engine.swoop.game import GAME
from engine.swoop.moves import Play
from engine.swoop.rules import CLASSIC, HOUSE, SwoopRules
from engine.swoop.state import State, cards_of
from tests.engine.swoop.builders import SEED, cards, play, refused, seat, table, types


def dealt(seats: int, starter: int | None = 0, **options: Any) -> State:
    state, _ = GAME.deal(seats, resolve(SwoopRules, options), SEED, starter)
    GAME.check(state)
    return state


def test_2_1_eight_cards_and_four_stacks_of_guard_and_secret() -> None:
    for player in dealt(3).seats:
        assert len(player.hand) == 8
        assert len(player.stacks) == 4
        assert all(stack.guard and stack.secret for stack in player.stacks)


def test_2_1_hand_size_and_stacks_are_options() -> None:
    state = dealt(2, hand_size=3, stacks=2)

    assert [len(player.hand) for player in state.seats] == [3, 3]
    assert [len(player.stacks) for player in state.seats] == [2, 2]
    assert len(state.set_aside) == 52 - 2 * (3 + 4)


def test_2_1_guards_lie_face_up_and_secrets_are_unknown_to_their_owner_too() -> None:
    state = dealt(2)
    for viewer in (0, 1, None):
        seen = GAME.view(state, viewer)
        for number, player in enumerate(seen.seats):
            assert [stack.guard for stack in player.stacks] == [stack.guard for stack in state.seats[number].stacks]
            assert [stack.secret for stack in player.stacks] == ["??"] * 4


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_2_1_two_to_eight_players(seats: int) -> None:
    with pytest.raises(Invalid) as wrong:
        GAME.deal(seats, HOUSE, SEED, None)
    assert wrong.value.flaws[0].pointer == "/seats"


@pytest.mark.parametrize(("seats", "decks"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_2_1_one_deck_for_every_two_players_rounded_up(seats: int, decks: int) -> None:
    state = dealt(seats)
    zones = [cards_of(player.hand, player.stacks) for player in state.seats]

    assert sum(map(len, zones)) + len(state.set_aside) == 52 * decks


def test_2_1_decks_are_options() -> None:
    assert len(whole_deck(resolve(SwoopRules, {"decks": 3}), 2)) == 3 * 52
    assert len(whole_deck(resolve(SwoopRules, {"players_per_deck": 4, "decks": None}), 4)) == 52
    assert len(whole_deck(resolve(SwoopRules, {"min_decks": 2}), 2)) == 2 * 52


def test_2_1_no_jokers_unless_the_option_says_so() -> None:
    assert Card("JK") not in whole_deck(HOUSE, 4)
    assert whole_deck(resolve(SwoopRules, {"printed_jokers_per_deck": 1}), 4).count(Card("JK")) == 2


def test_2_1_a_joker_clears_like_a_ten() -> None:
    rules = resolve(SwoopRules, {"printed_jokers_per_deck": 2})
    state = table(seat("JK 5S"), seat("9S"), pile="4D 3D", rules=rules)
    after, events = play(state, "JK")

    assert types(events) == ["played", "cleared"]
    assert after.pile == ()
    assert after.turn == 0


def test_2_1_jokers_and_tens_are_not_one_play() -> None:
    rules = resolve(SwoopRules, {"printed_jokers_per_deck": 2})
    state = table(seat("JK TS"), seat("9S"), rules=rules)

    assert refused(state, Play(cards("JK TS"), ())) == "mixed_ranks"


def test_2_1_leftover_cards_are_set_aside_unseen() -> None:
    state = dealt(2)

    assert len(state.set_aside) == 52 - 32
    assert GAME.view(state, 0).set_aside.count == 20


def test_2_1_a_deal_that_the_decks_cannot_serve_is_refused() -> None:
    with pytest.raises(TooFewCards) as wrong:
        GAME.deal(4, resolve(SwoopRules, {"decks": 1}), SEED, None)
    assert wrong.value.code == "too_few_cards"
    assert "64" in str(wrong.value)
    GAME.deal(3, resolve(SwoopRules, {"decks": 1}), SEED, None)


def test_2_1_a_deal_may_use_the_last_card() -> None:
    assert dealt(2, hand_size=18).set_aside == ()
    with pytest.raises(TooFewCards):
        dealt(2, hand_size=19)


def test_2_1_rank_order_from_ace_low_to_king() -> None:
    order = HOUSE.order()
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]

    assert [order[rank] for rank in ranks] == list(range(1, 14))


def test_2_1_ace_is_low() -> None:
    _, events = play(table(seat("AS 5D"), seat("9S"), pile="2D"), "AS")

    assert types(events) == ["played"]


def test_2_1_ace_high_is_an_option_of_order_only() -> None:
    rules = resolve(SwoopRules, {"ace_high": True})
    _, events = play(table(seat("AS 5D"), seat("9S"), pile="KD", rules=rules), "AS")
    assert types(events) == ["played", "picked_up"]

    _, events = play(table(seat("KS 5D"), seat("9S"), pile="AD", rules=rules), "KS")
    assert types(events) == ["played"]
    assert rules.points == HOUSE.points


def test_2_1_the_pile_starts_empty() -> None:
    assert dealt(4).pile == ()


def test_2_1_the_starter_is_drawn_or_given() -> None:
    assert dealt(4, 3).turn == 3
    drawn = {GAME.deal(4, HOUSE, f"{n:064x}", None)[0].turn for n in range(40)}
    assert drawn == {0, 1, 2, 3}


@pytest.mark.parametrize("starter", [-1, 4])
def test_2_1_a_starter_must_be_a_seat(starter: int) -> None:
    with pytest.raises(Invalid) as wrong:
        GAME.deal(4, HOUSE, SEED, starter)
    assert [flaw.pointer for flaw in wrong.value.flaws] == ["/starter"]


@pytest.mark.parametrize("seed", ["", "00", "g" * 64, "A" * 64, "0" * 65])
def test_2_1_a_seed_is_64_hex_digits(seed: str) -> None:
    with pytest.raises(Invalid) as wrong:
        GAME.deal(4, HOUSE, seed, None)
    assert [flaw.pointer for flaw in wrong.value.flaws] == ["/seed"]


def test_2_1_the_next_seat_starts_each_later_round() -> None:
    state = dealt(3, 2, max_plies=1, limit=1000)
    starters = []
    for _ in range(3):
        starters.append(state.starter)
        assert state.turn == state.starter
        state, _ = GAME.apply(state, state.turn, GAME.legal_moves(state, state.turn, None)[0], None)
        state, _ = GAME.apply(state, None, NextRound(), None)

    assert starters == [2, 0, 1]


def test_2_1_the_hand_of_a_deal_is_told_to_its_owner_only() -> None:
    state, (event,) = GAME.deal(3, HOUSE, SEED, 0)

    assert event.seen_by(1).hand == state.seats[1].hand
    assert event.seen_by(1).hands is None
    assert event.seen_by(None).hand is None
    assert event.seen_by(1).seen_by(1) == event.seen_by(1)


def test_2_6_classic() -> None:
    state, _ = GAME.deal(2, CLASSIC, SEED, 0)

    assert [len(player.hand) for player in state.seats] == [11, 11]
    assert [len(player.stacks) for player in state.seats] == [4, 4]
    assert len(whole_deck(CLASSIC, 2)) == 2 * 54
    assert len(whole_deck(CLASSIC, 5)) == 3 * 54
    assert CLASSIC.pickup_ends_turn
    assert CLASSIC.limit == 500
    same = {"hand_size", "printed_jokers_per_deck", "min_decks", "pickup_ends_turn", "limit"}
    for name in set(SwoopRules.__slots__) - same:
        assert getattr(CLASSIC, name) == getattr(HOUSE, name)

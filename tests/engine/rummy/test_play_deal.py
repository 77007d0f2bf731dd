"""The deal: rules.md §1.1, and who starts, §1.4."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.cards import JOKER, deck
from engine.errors import Invalid, TooFewCards
from engine.rummy.deal import lay_out
from engine.rummy.game import GAME
from engine.rummy.rules import HOUSE, INDIAN
from engine.rummy.state import State
from engine.shuffling import pick, shuffle
from tests.engine.rummy.tables import SEARCH, SEED


def dealt(seats: int = 3, rules: Any = HOUSE, seed: str = SEED, starter: int | None = 0) -> State:
    return GAME.deal(seats, rules, seed, starter)[0]


def seeds(count: int) -> list[str]:
    return [f"{number:064x}" for number in range(count)]


@pytest.mark.parametrize(
    ("rules", "decks", "jokers"),
    [
        (HOUSE, (1, 1, 2, 2, 2, 3, 3, 3, 3), 2),
        (INDIAN, (2, 2, 2, 2, 2, 3, 3, 3, 3), 1),
        (replace(HOUSE, decks=3), (3,) * 9, 2),
        (replace(HOUSE, two_decks_up_to=3), (1, 1, 3, 3, 3, 3, 3, 3, 3), 2),
        (replace(HOUSE, printed_jokers_per_deck=0), (1, 1, 2, 2, 2, 3, 3, 3, 3), 0),
    ],
)
def test_1_1_players_and_decks(rules, decks, jokers):
    for seats, copies in zip(range(2, 11), decks, strict=True):
        state = dealt(seats, rules)
        zones = [*state.stock, *state.discard, state.wild_card, *(card for seat in state.seats for card in seat.hand)]
        assert Counter(zones) == Counter(deck(copies, copies * jokers))


def test_1_1_printed_jokers_as_a_total():
    for seats in range(2, 11):
        state = dealt(seats, replace(HOUSE, printed_jokers=2))
        zones = [*state.stock, *state.discard, state.wild_card, *(card for seat in state.seats for card in seat.hand)]
        assert zones.count(JOKER) == 2


@pytest.mark.parametrize("seats", [-1, 0, 1, 11])
def test_1_1_two_to_ten_players(seats):
    with pytest.raises(Invalid) as refused:
        dealt(seats, starter=None)
    assert [flaw.pointer for flaw in refused.value.flaws] == ["/seats"]


@pytest.mark.parametrize(
    ("seats", "rules", "left"),
    [
        (4, replace(HOUSE, decks=1), None),  # 54 cards: 52 in hands
        (3, replace(HOUSE, decks=1), 13),
        (8, replace(HOUSE, decks=2), None),  # 108 - 104 - 2
        (7, replace(HOUSE, decks=2), 15),
        (9, replace(HOUSE, decks=2, printed_jokers=24), 9),  # exactly as many as seats
        (9, replace(HOUSE, decks=2, printed_jokers=23), None),
    ],
)
def test_1_1_too_few_cards(seats, rules, left):
    if left is None:
        with pytest.raises(TooFewCards) as refused:
            dealt(seats, rules)
        assert refused.value.code == "too_few_cards"
    else:
        assert len(dealt(seats, rules).stock) == left


def test_1_1_deal_one_by_one_from_the_starter():
    """The order that docs and deal.py promise, redone here card by card."""
    for starter in range(3):
        state = dealt(3, starter=starter)
        order = list(shuffle(SEED, "rummy/0", deck(1, 2)))
        hands: dict[int, list[str]] = {0: [], 1: [], 2: []}
        for turn in range(39):
            hands[(starter + turn) % 3].append(order.pop())
        assert [list(seat.hand) for seat in state.seats] == list(hands.values())
        wild = order.pop()
        while wild == JOKER:
            order.insert(0, wild)
            wild = order.pop()
        assert (state.wild_card, state.wild_rank) == (wild, wild[0])
        assert state.discard == (order.pop(),)
        assert list(state.stock) == order
        assert (state.phase, state.turn, state.round, state.shuffles, state.plies) == ("draw", starter, 1, 1, 0)
        assert all((seat.status, seat.turns) == ("in", 0) for seat in state.seats)


def turned_joker(rules: Any) -> list[State]:
    """Deals in which the first card turned for the wild rank is a printed joker."""
    every = replace(rules, exposed_joker="jokers_only")
    return [dealt(2, rules, seed) for seed in seeds(120) if dealt(2, every, seed).wild_card == JOKER]


def test_1_1_exposed_joker_redraw():
    found = turned_joker(HOUSE)
    assert found
    for state in found:
        assert state.wild_card != JOKER
        assert state.wild_rank == state.wild_card.rank
        assert state.stock[0] == JOKER  # put back at the bottom


@pytest.mark.parametrize(("option", "rank"), [("aces_wild", "A"), ("jokers_only", None)])
def test_1_1_exposed_joker_stays(option, rank):
    found = turned_joker(replace(HOUSE, exposed_joker=option))
    assert found
    assert all((state.wild_card, state.wild_rank) == (JOKER, rank) for state in found)


def test_1_1_redraw_where_nothing_but_jokers_is_left():
    """All 104 other cards went into eight hands: one joker stays, and no rank is wild."""
    rules = replace(HOUSE, decks=2, printed_jokers=24)
    everything = deck(2, 24)
    table = lay_out(everything[::-1], 8, rules)
    assert table.wild_card == JOKER
    assert table.wild_rank is None
    assert set(table.stock) == {JOKER}


def test_1_1_the_wild_card_is_out_of_play():
    state = dealt(2)
    held = [*state.stock, *state.discard, *state.seats[0].hand, *state.seats[1].hand]
    assert held.count(state.wild_card) == 0  # one deck: the only copy lies face up
    assert len(held) == 53


def test_1_1_first_discard_whatever_it_is():
    firsts = {dealt(2, seed=seed).discard for seed in seeds(300)}
    assert (JOKER,) in firsts
    assert all(len(pile) == 1 for pile in firsts)
    assert any(state.discard[0].rank == state.wild_rank for state in (dealt(4, seed=seed) for seed in seeds(100)))


def test_1_4_starter_drawn_by_the_shuffle_or_given():
    drawn = [dealt(4, seed=seed, starter=None).starter for seed in seeds(40)]
    assert drawn == [pick(seed, "rummy/starter", 4) for seed in seeds(40)]
    assert set(drawn) == {0, 1, 2, 3}
    assert [dealt(4, starter=seat).turn for seat in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("seed", "starter", "pointer"),
    [(SEED[1:], 0, "/seed"), ("g" * 64, 0, "/seed"), (SEED, 3, "/starter"), (SEED, -1, "/starter")],
)
def test_1_4_bad_seed_or_starter(seed, starter, pointer):
    with pytest.raises(Invalid) as refused:
        dealt(3, seed=seed, starter=starter)
    assert [flaw.pointer for flaw in refused.value.flaws] == [pointer]


def test_1_4_each_later_round_the_next_seat_starts():
    state = replace(dealt(3, replace(HOUSE, max_turns=1, rounds=5), starter=1))
    starters = []
    while GAME.outcome(state) is None:
        starters.append((state.round, state.starter, state.turn, state.shuffles))
        for _ in range(2):
            state, _events = GAME.apply(state, state.turn, GAME.default_move(state, SEARCH), SEARCH)
        if GAME.outcome(state) is None:
            state, _events = GAME.apply(state, None, GAME.legal_moves(state, None, SEARCH)[0], SEARCH)
    assert starters == [(1, 1, 1, 1), (2, 2, 2, 2), (3, 0, 0, 3), (4, 1, 1, 4), (5, 2, 2, 5)]


def test_the_deal_is_told():
    state, (event,) = GAME.deal(3, HOUSE, SEED, 1)
    assert (event.type, event.round, event.starter, event.wild_card, event.discard) == (
        "dealt", 1, 1, state.wild_card, state.discard[0],
    )  # fmt: skip
    assert event.hands == tuple(seat.hand for seat in state.seats)
    for seat in range(3):
        assert event.seen_by(seat) == replace(event, hands=None, hand=state.seats[seat].hand)
        assert event.seen_by(seat).seen_by(seat) == event.seen_by(seat)
    assert event.seen_by(None) == replace(event, hands=None)

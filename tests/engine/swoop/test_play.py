"""rules.md §2.2: a play, and what it does to the pile."""

from __future__ import annotations

import dataclasses

import pytest

from engine.options import resolve
from engine.swoop.events import Cleared, PickedUp, Played
from engine.swoop.game import GAME
from engine.swoop.moves import MOVES, Flip, Play
from engine.swoop.rules import HOUSE, SwoopRules
from engine.swoop.state import Stack
from tests.engine.swoop.builders import cards, flip, play, refused, seat, table, types

OTHER = seat("9S", "KS/2S")


def test_2_2_cards_of_one_rank_from_hand_and_guards_mixed_freely() -> None:
    after, events = play(table(seat("5H 6D", "5D/AH", "5C/AD", "6C/AC"), OTHER), "5H", 1, 0)

    assert events == (Played(0, cards("5H 5C 5D"), cards("5H"), (1, 0), None),)
    assert after.pile == cards("5H 5C 5D")
    assert after.seats[0].hand == cards("6D")
    assert after.seats[0].stacks[:2] == (Stack(None, cards("AH")[0]), Stack(None, cards("AD")[0]))


def test_2_2_guards_alone_may_be_played() -> None:
    after, _ = play(table(seat("6D", "5D/AH"), OTHER), "", 0)

    assert after.pile == cards("5D")
    assert after.seats[0].hand == cards("6D")


def test_2_2_a_play_has_one_rank() -> None:
    state = table(seat("5H 6D", "6C/AH"), OTHER)

    assert refused(state, Play(cards("5H 6D"), ())) == "mixed_ranks"
    assert refused(state, Play(cards("5H"), (0,))) == "mixed_ranks"


def test_2_2_the_number_of_cards_is_the_players_choice() -> None:
    state = table(seat("5H 5D 6S", "5C/AH"), OTHER)
    for hand, guards in (("5H", ()), ("5D", ()), ("5H 5D", ()), ("5D", (0,)), ("", (0,)), ("5D 5H", (0,))):
        after, _ = play(state, hand, *guards)
        assert len(after.pile) == len(hand.split()) + len(guards)


def test_2_2_passing_and_picking_up_without_a_play_do_not_exist() -> None:
    assert [move.type for move in MOVES] == ["flip", "play", "next_round", "forfeit", "withdraw", "abort"]
    assert refused(table(seat("5H"), OTHER, pile="4D"), Play((), ())) == "empty_play"


@pytest.mark.parametrize(
    ("hand", "guards"), [("9H", ()), ("5H 5H", ()), ("5H", (1,)), ("5H", (0, 0)), ("5H", (7,)), ("", (-1,))]
)
def test_2_2_a_play_needs_cards_that_are_held(hand: str, guards: tuple[int, ...]) -> None:
    state = table(seat("5H 6S", "5C/AH", "-/AD"), OTHER, rules=resolve(SwoopRules, {"decks": 2}))

    assert refused(state, Play(cards(hand), guards)) == "card_not_held"


def test_2_2_slots_are_counted_from_0_only() -> None:
    state = table(seat("6S", "5C/AH", "5H/AD", "5D/AS", "5S/AC"), OTHER)

    assert refused(state, Play((), (-1,))) == "card_not_held"
    assert refused(state, Play((), (4,))) == "card_not_held"
    assert play(state, "", 3)[0].pile == cards("5S")


def test_2_2_copies_of_one_face_count() -> None:
    state = table(seat("5H 5H 6S"), OTHER, rules=resolve(SwoopRules, {"decks": 2}))
    after, _ = play(state, "5H 5H")

    assert after.pile == cards("5H 5H")


def test_2_2_the_order_of_refusals() -> None:
    state = table(seat("5H 6S"), OTHER)

    assert refused(state, Play(cards("5H 7S"), ())) == "card_not_held"  # and mixed
    assert refused(state, Play((), (3,))) == "card_not_held"  # and no card at all


def test_2_2_refusals_name_the_cards_and_say_what_would_be_legal() -> None:
    state = table(seat("5H 6S", "5C/AH"), OTHER)
    found = GAME.violation(state, 0, Play(cards("7S 7D"), (2, 0, 0)), None)
    assert found is not None
    assert found.cards == cards("7S 7D")
    for told in (
        "7S",
        "7D",
        "slot 2 has no guard",
        "slot 0 is named more than once",
        "hand holds 6S 5H",
        "5C in slot 0",
    ):
        assert told in found.message

    mixed = GAME.violation(state, 0, Play(cards("5H 6S"), ()), None)
    assert mixed is not None
    assert mixed.cards == cards("5H 6S")


def test_2_2_a_ten_takes_the_whole_pile_out_and_the_turn_goes_on() -> None:
    state = table(seat("TH 6D"), OTHER, pile="9D 4D")
    after, events = play(state, "TH")

    assert types(events) == ["played", "cleared"]
    assert events[1] == Cleared(cards("9D 4D TH"))
    assert after.pile == ()
    assert after.removed == (*state.removed, *cards("9D 4D TH"))
    assert after.turn == 0


def test_2_2_a_ten_may_be_played_on_an_empty_pile() -> None:
    after, events = play(table(seat("TH 6D"), OTHER), "TH")

    assert types(events) == ["played", "cleared"]
    assert after.turn == 0


def test_2_2_several_tens_are_wasteful_and_legal() -> None:
    after, _ = play(table(seat("TH TD 6D", "TC/AH"), OTHER, pile="4D"), "TH TD", 0)

    assert after.pile == ()
    assert after.seats[0].hand == cards("6D")
    assert after.turn == 0


@pytest.mark.parametrize(("pile", "hand"), [("", "KH"), ("", "AH"), ("9D", "9H"), ("9D", "8H"), ("KD 2D", "AH")])
def test_2_2_on_an_empty_pile_or_up_to_the_tops_value_a_play_is_safe(pile: str, hand: str) -> None:
    after, events = play(table(seat(f"{hand} 6D"), OTHER, pile=pile), hand)

    assert types(events) == ["played"]
    assert after.pile == cards(f"{pile} {hand}")
    assert after.turn == 1


def test_2_2_a_play_need_not_match_the_tops_rank() -> None:
    _, events = play(table(seat("4H 6D"), OTHER, pile="9D"), "4H")

    assert types(events) == ["played"]


def test_2_2_the_turn_passes_on_to_the_next_seat_in_order() -> None:
    state = table(seat("2H 3D"), seat("AS 4S"), seat("AD 4C"), pile="9D")
    turns = []
    for card in ("2H", "AS", "AD", "3D"):
        turns.append(state.turn)
        state, _ = play(state, card)

    assert turns == [0, 1, 2, 0]


def test_2_2_four_of_a_kind_across_players_clears() -> None:
    state = table(seat("8H 6D"), seat("8S 4S", "8D/AS"), seat("8C 5S"), pile="QD")
    state, _ = play(state, "8H")
    state, _ = play(state, "8S", 0)
    after, events = play(state, "8C")

    assert types(events) == ["played", "cleared"]
    assert events[1] == Cleared(cards("QD 8H 8S 8D 8C"))
    assert after.pile == ()
    assert after.turn == 2


def test_2_2_four_of_a_kind_at_once_clears() -> None:
    after, events = play(table(seat("8H 8D 8S 8C 6D"), OTHER, pile="9D"), "8H 8D 8S 8C")

    assert types(events) == ["played", "cleared"]
    assert after.turn == 0


def test_2_2_only_the_top_of_the_pile_counts_for_four_of_a_kind() -> None:
    two = resolve(SwoopRules, {"decks": 2})
    _, events = play(table(seat("7C 6D"), OTHER, pile="8D 7H 7D", rules=two), "7C")
    assert types(events) == ["played"]


def test_2_2_more_than_four_of_a_rank_clear_as_well() -> None:
    two = resolve(SwoopRules, {"decks": 2})
    state = table(seat("8H 8D 8S 6D"), OTHER, pile="8H 8D", rules=two)
    after, events = play(state, "8H 8D 8S")

    assert events[1] == Cleared(cards("8H 8D 8H 8D 8S"))
    assert after.turn == 0


def test_2_2_clear_size_is_an_option() -> None:
    three = resolve(SwoopRules, {"clear_size": 3})
    assert types(play(table(seat("8H 6D"), OTHER, pile="8D 8C", rules=three), "8H")[1]) == ["played", "cleared"]
    assert types(play(table(seat("8H 6D"), OTHER, pile="8D 8C"), "8H")[1]) == ["played"]


def test_2_2_a_higher_play_picks_up_the_pile_and_itself() -> None:
    after, events = play(table(seat("KH 2D"), OTHER, pile="9D 4D"), "KH")

    assert types(events) == ["played", "picked_up"]
    assert events[1] == PickedUp(0, cards("9D 4D KH"))
    assert after.seats[0].hand == cards("KH 2D 4D 9D")
    assert after.pile == ()


def test_2_2_after_a_pick_up_the_same_turn_continues_with_another_play() -> None:
    after, _ = play(table(seat("KH 2D"), OTHER, pile="9D 4D"), "KH")
    assert after.turn == 0

    after, _ = play(after, "KH")
    assert after.pile == cards("KH")
    assert after.turn == 1


def test_2_2_pickup_ends_turn_is_an_option() -> None:
    rules = resolve(SwoopRules, {"pickup_ends_turn": True})
    after, events = play(table(seat("KH 2D"), OTHER, pile="9D 4D", rules=rules), "KH")

    assert types(events) == ["played", "picked_up"]
    assert after.turn == 1


def test_2_2_four_of_a_kind_by_a_higher_play_is_a_pick_up() -> None:
    after, events = play(table(seat("KH KD KS KC"), seat("9S"), pile="5D"), "KH KD KS KC")

    assert types(events) == ["played", "picked_up"]
    assert len(after.seats[0].hand) == 5


def test_2_2_quad_beats_pickup_is_an_option() -> None:
    rules = resolve(SwoopRules, {"quad_beats_pickup": True})
    after, events = play(table(seat("KH KD KS KC 2D"), seat("9S"), pile="5D", rules=rules), "KH KD KS KC")
    assert types(events) == ["played", "cleared"]
    assert after.turn == 0

    _, events = play(table(seat("KH KD KS KC"), seat("9S"), pile="5D", rules=rules), "KH KD KS")
    assert types(events) == ["played", "picked_up"]


def test_2_2_a_guard_that_is_picked_up_goes_to_the_hand_and_its_slot_stays_empty() -> None:
    after, _ = play(table(seat("2D", "KH/AH"), OTHER, pile="4D"), "", 0)

    assert sorted(after.seats[0].hand) == sorted(cards("2D 4D KH"))
    assert after.seats[0].stacks[0] == Stack(None, cards("AH")[0])


def test_2_2_a_secret_that_is_picked_up_goes_to_the_hand_and_its_slot_stays_empty() -> None:
    after, events = play(flip(table(seat("2D", "-/KH"), OTHER, pile="4D"), 0))

    assert types(events) == ["played", "picked_up"]
    assert sorted(after.seats[0].hand) == sorted(cards("2D 4D KH"))
    assert after.seats[0].stacks[0] == Stack(None, None)
    assert refused(after, Flip(0)) == "no_secret"


def test_2_2_an_illegal_play_changes_nothing() -> None:
    state = table(seat("5H 6D"), OTHER, pile="4D")
    before = dataclasses.replace(state)
    refused(state, Play(cards("5H 6D"), ()))

    assert state == before


def test_house_and_options_of_2_2() -> None:
    assert (HOUSE.quad_beats_pickup, HOUSE.pickup_ends_turn, HOUSE.clear_size) == (False, False, 4)

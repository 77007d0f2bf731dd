"""Which hands the decks can have dealt: rules.md §1.1."""

from dataclasses import replace

import pytest

from engine.cards import parse_card
from engine.errors import ImpossibleHand
from engine.rummy.hands import CopyLimits, check_copies, check_size, limits
from engine.rummy.rules import HOUSE, INDIAN


@pytest.mark.parametrize(
    ("rules", "seats", "jokers_given", "expected"),
    [
        (HOUSE, None, False, (3, 6)),
        (INDIAN, None, False, (3, 6)),
        (replace(HOUSE, decks=1), None, False, (1, 2)),
        (replace(INDIAN, decks=2), None, False, (2, 2)),
        (replace(HOUSE, printed_jokers=1), None, False, (3, 1)),
        (replace(HOUSE, printed_jokers_per_deck=1), None, True, (3, 3)),
        (HOUSE, 2, False, (1, 2)),
        (HOUSE, 3, False, (1, 2)),
        (HOUSE, 4, False, (2, 4)),
        (HOUSE, 6, False, (2, 4)),
        (HOUSE, 7, False, (3, 6)),
        (INDIAN, 2, False, (2, 2)),
        (INDIAN, 7, False, (3, 3)),
        (replace(HOUSE, printed_jokers=2), 10, False, (3, 2)),
        (replace(HOUSE, one_deck_up_to=10, two_decks_up_to=10), None, False, (3, 6)),
        (replace(HOUSE, one_deck_up_to=0, two_decks_up_to=0), 2, False, (3, 6)),
        (replace(HOUSE, printed_jokers_per_deck=4), None, False, (3, 12)),  # a preset of its own would deal so many
    ],
)
def test_1_1_how_often_a_face_can_occur(rules, seats, jokers_given, expected):
    most = limits(rules, seats, jokers_given)
    assert (most.copies, most.jokers) == expected


def test_1_1_each_copy_too_many_is_named():
    placed = [
        (f"/hand/{place}", parse_card(face))
        for place, face in enumerate(["5H", "5H", "6H", "5H", "5H", "5H", "JK", "JK"])
    ]
    with pytest.raises(ImpossibleHand) as caught:
        check_copies(placed, CopyLimits(3, 1, "three decks"))
    assert [flaw.pointer for flaw in caught.value.flaws] == ["/hand/4", "/hand/5", "/hand/7"]
    assert caught.value.flaws[0].detail == "copy 4 of 5H; the decks in play hold 3 (three decks)"


def test_copies_within_the_limits_pass():
    check_copies([("/0", parse_card("5H"))] * 3, CopyLimits(3, 0, "three decks"))


def test_a_hand_of_the_wrong_size_says_what_is_right():
    check_size([parse_card("5H")] * 13, (13, 14), "/hand")
    with pytest.raises(ImpossibleHand, match="13 or 14 cards are needed, here are 12"):
        check_size([parse_card("5H")] * 12, (13, 14), "/hand")

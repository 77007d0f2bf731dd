"""Whether an arrangement wins, and its faults: rules.md §1.3."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Card, parse_card
from engine.rummy.arrangement import Arrangement
from engine.rummy.declaration import WrongArrangement, judge, verify_declaration, verify_scored
from engine.rummy.melds import read_as
from engine.rummy.rules import HOUSE, INDIAN

CASES = json.loads((Path(__file__).parents[2] / "cases" / "peer-cases.json").read_text())
DECLARATIONS = [case for case in CASES if case["kind"] == "declaration"]

WINNING = "4S 5S 6S | 9H TH JH QH | KC KD KH | 2C 2D JK"


def cards(text):
    return tuple(map(parse_card, text.split()))


def groups(text):
    return [cards(part) for part in text.split("|")]


def codes(text, wild_rank="7", rules=HOUSE, hand=None, fold=None):
    verdict = judge(groups(text), wild_rank, rules, hand and cards(hand), fold and parse_card(fold))
    found = [fault.code for fault in verdict.faults]
    assert verdict.valid == (not found and all(group.fault is None for group in verdict.groups))
    return found


@pytest.mark.parametrize("case", DECLARATIONS, ids=lambda case: case["id"])
def test_declarations_of_other_projects(case):
    sent = [tuple(map(parse_card, group)) for group in case["groups"]]
    assert judge(sent, case["wild_rank"], INDIAN).valid == case["expect"]["valid"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WINNING, []),
        ("4S 5S 6S | 9H TH JH | KC KD KH | 2C 2D JK 2H", []),  # the fault is the group's: 2C 2D JK 2H
        ("4S 5S JK | 9H TH JH QH | KC KD KH | 2C 2D 2S", []),
        ("4S 5S JK | 9H TH JK QH | KC KD KH | 2C 2D 2S", ["no_pure_sequence"]),
        ("4S 5S 6S | 9H 9D 9C | KC KD KH | 2C 2D 2S 2H", ["no_second_sequence", "too_many_trios"][:1]),
        ("4S 5S 6S 8S", ["not_thirteen_cards", "no_pure_sequence", "no_second_sequence"]),
        ("3S 4S 5S 6S 7S | 9H TH JH QH KH | KC KD KS", ["opening_cards"]),  # 5 + 5 + 3
        ("4S 5S 6S 7S | 9H TH JH QH | 2D 3D 4D 5D 6D", ["opening_cards"]),  # 4 + 4 + 5
        ("4S 5S 6S | 9H TH JH | KC KD KH | 2C 2D 2S | QC", []),  # the fault is the group's: QC
        ("4S 5S 6S | 9H TH JH QH | KC KD JK | 2C 2D JK", []),
        ("4H 5H 6H 7H | 4S 5S 6S | KC KD KH | QC QD QS", []),
        ("4H 5H 6H | KC KD KH | QC QD QS | 2C 2D 2S | 4C", ["no_second_sequence", "too_many_trios"]),
        ("5H 5H 5H | 5S 6S 7S 8S | KC KD KH | QC QD QS", []),  # a triple is a pure sequence of length 3
        ("5H 5H 5H | 6S 6S 6S | KC KD KH KS", []),  # and so is another: the fault is the group's and the total
    ],
)
def test_1_3_faults_of_the_whole(text, expected):
    found = codes(text)
    if "not_thirteen_cards" not in expected:
        found = [code for code in found if code != "not_thirteen_cards"]
    assert found == expected


def test_1_3_the_opening_fault_names_the_sizes_found():
    verdict = judge(groups("3S 4S 5S 6S 7S | 9H TH JH QH KH | KC KD KS"), None, HOUSE)
    assert "5 (pure), 5 (pure)" in verdict.faults[0].message
    assert "6 to 7" in verdict.faults[0].message


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ({"opening_cards": None}, "3S 4S 5S 6S 7S | 9H TH JH QH KH | KC KD KS"),
        ({"opening_cards": (7, 13)}, "3S 4S 5S 6S 7S | 9H TH JH QH KH | KC KD KS"),
        ({"max_trios": None, "trio_sizes": (3, 4)}, "4S 5S 6S | 4H 5H 6H | KC KD KS | QC QD QH QS"),
    ],
)
def test_1_3_options(rules, text):
    assert judge(groups(text), None, replace(HOUSE, **rules)).valid


def test_1_3_four_or_more_is_asked_of_one_of_the_two():
    family = replace(HOUSE, opening_cards=(7, 13), trio_sizes=(3, 4))
    assert codes("4S 5S 6S | 4H 5H 6H | KC KD KS | QC QD QH QS", None, family) == ["opening_cards"]
    assert codes("4S 5S 6S 7S | 4H 5H 6H | KC KD KS | QC QD QH", None, family) == []


def test_1_3_a_long_run_as_one_group_is_one_sequence_and_split_it_wins():
    assert codes("2S 3S 4S 5S 6S 7S 8S | KC KD KS | QC QD QS") == ["no_second_sequence"]
    assert codes("2S 3S 4S | 5S 6S 7S 8S | KC KD KS | QC QD QS") == []


@pytest.mark.parametrize(
    ("text", "wild_rank", "kinds"),
    [
        ("7H JK JK", "6", ["trio"]),
        ("6S 7S 8S", "7", ["pure_sequence"]),
        ("5S 6S 7S | 2H JK JK | KC KD KS KH | QC QD QS", "9", ["pure_sequence", "impure_sequence", "trio", "trio"]),
        ("5S 6S 7S | 8S 9S TS | KC KD KS KH | 2H JK JK", "9", ["pure_sequence", "pure_sequence", "trio", "trio"]),
    ],
)
def test_1_2_the_kind_that_helps_most_counts_and_a_trio_where_it_helps_as_much(text, wild_rank, kinds):
    verdict = judge(groups(text), wild_rank, INDIAN)
    assert [each.group.kind for each in verdict.groups] == kinds
    assert verdict.valid == (sum(map(len, groups(text))) == 13)


def test_1_3_where_only_two_trios_may_be_the_third_is_a_sequence():
    two = replace(INDIAN, max_trios=2)
    verdict = judge(groups("5S 6S 7S | 8S 9S TS | KC KD KS | QC QD QS | 2H JK JK"), "9", two)
    assert [each.group.kind for each in verdict.groups][-1] == "impure_sequence"


HAND = WINNING.replace("|", " ")


@pytest.mark.parametrize(
    ("text", "hand", "fold", "expected"),
    [
        (WINNING, HAND, None, []),
        (WINNING, HAND + " 8D", None, []),  # the one card in no group is the fold
        (WINNING, HAND + " 8D", "8D", []),
        (WINNING, HAND + " 8D", "9D", ["cards_not_in_hand", "ungrouped_cards"]),
        (WINNING.replace("KC", "KS"), HAND, None, ["cards_not_in_hand", "ungrouped_cards"]),
        ("4S 5S 6S | 9H TH JH QH | KC KD KH", HAND, None, ["ungrouped_cards", "not_thirteen_cards"]),
        ("4S 5S 6S | 9H TH JH QH | KC KD KH", HAND + " 8D", None, ["ungrouped_cards", "not_thirteen_cards"]),
        (WINNING + " | 8D 9D TD", HAND, None, ["cards_not_in_hand", "not_thirteen_cards"]),
        (WINNING.replace("KC KD KH", "KD KD KH"), HAND, None, ["cards_not_in_hand", "ungrouped_cards"]),  # by count
    ],
)
def test_1_3_the_groups_are_held_to_the_hand_by_count(text, hand, fold, expected):
    assert codes(text, hand=hand, fold=fold) == expected


@pytest.mark.parametrize(
    ("text", "hand", "fold", "known"),
    [
        (WINNING, None, None, True),
        (WINNING, HAND, None, True),
        (WINNING, HAND + " 8D", None, True),
        ("4S 5S 6S", HAND + " 8D", "8D", True),
        ("4S 5S 6S", HAND + " 8D", None, False),
        ("4S 5S 6S", None, None, False),
    ],
)
def test_the_thirteen_cards_to_group_are_known_or_not(text, hand, fold, known):
    verdict = judge(groups(text), "7", HOUSE, hand and cards(hand), fold and parse_card(fold))
    assert (verdict.remaining is not None) == known
    if known:
        assert sorted(verdict.remaining) == sorted(cards(HAND))


def arrangement(text, loose="", points=0, declarable=False, wild_rank="7"):
    parts = [read_as(kind, cards(part), wild_rank, HOUSE) for kind, part in text]
    return Arrangement(tuple(parts), cards(loose), points, declarable)


PAIR = (("pure_sequence", "4S 5S 6S"), ("impure_sequence", "AC 2C JK"))
LOOSE = "KD QH 9C 8H 8D 3D 2C"
API_HAND = "4S 5S 6S 8H 8D JK 2C 2C KD QH 9C 3D AC"


def test_an_arrangement_of_the_hand_is_accepted():
    verify_scored(cards(API_HAND), arrangement(PAIR, LOOSE, 50), "7", HOUSE)


@pytest.mark.parametrize(
    "wrong",
    [
        arrangement(PAIR, LOOSE, 49),
        arrangement(PAIR, LOOSE, 50, declarable=True),
        arrangement(PAIR, LOOSE + " 2C", 52),
        arrangement(PAIR, LOOSE.replace("KD", "KH"), 50),
        arrangement((*PAIR[:1],), LOOSE + " AC 2C", 53),
        arrangement((*PAIR[:1], ("trio", "8H 8D JK")), "KD QH 9C 3D 2C 2C AC", 37),  # an ungated trio
        replace(arrangement(PAIR, LOOSE, 50), groups=(replace(arrangement(PAIR).groups[0], kind="impure_sequence"), arrangement(PAIR).groups[1])),
        replace(arrangement(PAIR, LOOSE, 50), groups=(replace(arrangement(PAIR).groups[0], stands_for=("5S", "4S", "6S")), arrangement(PAIR).groups[1])),
    ],
)  # fmt: skip
def test_a_wrong_arrangement_is_refused(wrong):
    with pytest.raises(WrongArrangement):
        verify_scored(cards(API_HAND), wrong, "7", HOUSE)


def test_a_declaration_leaves_no_card_loose():
    with pytest.raises(WrongArrangement, match="no winning declaration"):
        verify_declaration(cards(API_HAND), arrangement(PAIR, LOOSE, 50), "7", HOUSE)


def test_a_winning_arrangement_must_say_so_and_scores_a_hand_only_where_all_of_it_counts():
    won = Arrangement(
        tuple(read_as(kind, part, "7", HOUSE) for kind, part in zip(("pure_sequence", "pure_sequence", "trio", "trio"), groups(WINNING), strict=True)),
        (), 0, declarable=True,
    )  # fmt: skip
    verify_declaration(cards(HAND), won, "7", HOUSE)
    with pytest.raises(WrongArrangement, match="if and only if"):
        verify_declaration(cards(HAND), replace(won, declarable=False), "7", HOUSE)
    verify_scored(cards(HAND), won, "7", replace(HOUSE, trio_needs="second_sequence"))
    with pytest.raises(WrongArrangement, match="does not count"):
        verify_scored(cards(HAND), won, "7", HOUSE)


def test_cards_are_cards():
    assert all(isinstance(card, Card) for card in cards(HAND))

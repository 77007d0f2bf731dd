"""What a group is: rules.md §1.2, and the groups that other projects' tests agree on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import parse_card
from engine.rummy.melds import fault_of, read_as, readings
from engine.rummy.rules import HOUSE, INDIAN

CASES = json.loads((Path(__file__).parents[2] / "cases" / "peer-cases.json").read_text())
GROUPS = [case for case in CASES if case["kind"] == "group"]


def cards(text):
    return tuple(map(parse_card, text.split()))


def kind(text, wild_rank=None, rules=HOUSE):
    """The kind that helps the player most, or None."""
    return next(iter(kinds(text, wild_rank, rules)), None)


def kinds(text, wild_rank=None, rules=HOUSE):
    return [group.kind for group in readings(cards(text), wild_rank, rules)]


@pytest.mark.parametrize(
    ("alone", "text", "expected"),
    [
        ("none", "JK JK JK", None),
        ("none", "7H 7H JK", None),
        ("trio", "JK JK JK", "trio"),
        ("trio", "7H 7H JK", "trio"),
        ("trio", "JK JK JK JK", None),  # no size of a trio
        ("trio", "JK JK", None),
        ("impure_sequence", "JK JK JK", "impure_sequence"),
        ("impure_sequence", "JK JK JK 7S 7H", "impure_sequence"),  # more than two wildcards
        ("impure_sequence", "JK JK", None),
        ("impure_sequence", "JK JK JK 5H", None),
    ],
)
def test_1_2_wildcards_alone_are_what_the_option_says(alone, text, expected):
    rules = replace(HOUSE, wildcards_alone=alone, wild_at_own_place=False)
    assert kind(text, "7", rules) == expected


def test_1_2_the_triple_of_the_wild_rank_helps_more_than_wildcards_alone():
    assert kinds("7S 7S 7S", "7", replace(HOUSE, wildcards_alone="trio")) == [
        "pure_sequence",
        "impure_sequence",
        "trio",
    ]


def test_1_2_wildcards_alone_stand_for_themselves():
    found = read_as("impure_sequence", cards("JK 7H JK JK"), "7", replace(HOUSE, wildcards_alone="impure_sequence"))
    assert found.stands_for == found.cards == cards("7H JK JK JK")


@pytest.mark.parametrize("case", GROUPS, ids=lambda case: case["id"])
def test_groups_of_other_projects(case):
    found = {
        group.kind.removesuffix("_sequence")
        for group in readings(tuple(map(parse_card, case["cards"])), case["wild_rank"], INDIAN)
    }
    for question, answer in case["expect"].items():
        match question:
            case "pure" | "trio":
                assert (question in found) == answer
            case "sequence":
                assert bool(found & {"pure", "impure"}) == answer
            case "kind_in":
                assert found & set(answer) if answer else not found


@pytest.mark.parametrize(
    ("text", "wild_rank", "expected"),
    [
        ("4S 5S 6S", None, "pure_sequence"),
        ("AS 2S 3S", None, "pure_sequence"),
        ("QS KS AS", None, "pure_sequence"),
        ("KS AS 2S", None, None),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", None, "pure_sequence"),
        ("4S 5S", None, None),
        ("4S 5H 6S", None, None),
        ("4S 4S 5S", None, None),
        ("5H 5H 5H", None, "pure_sequence"),  # the triple
        ("5H 5H 5H", "5", "pure_sequence"),  # also of the wild rank
        ("5H 5H 5D", None, "trio"),
        ("5H 5S 5D", None, "trio"),
        ("5H 5S 5D 5C", None, None),
        ("5H 5H JK", None, "trio"),
        ("5H 5S 7D", "7", "trio"),
        ("5H JK JK", None, "impure_sequence"),
        ("JK JK JK", None, None),
        ("4S JK 6S", None, "impure_sequence"),
        ("4S 5S JK", None, "impure_sequence"),
        ("KS AS JK", None, "impure_sequence"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS JK", None, "impure_sequence"),
        ("4S JK JK 7S", None, "impure_sequence"),
        ("4S JK JK 7S JK", None, None),
        ("4S JK JK JK 8S", None, None),
        ("6S 7S 8S", "7", "pure_sequence"),  # a wild card at its own place is natural
        ("6S 7H 8S", "7", "impure_sequence"),
        ("7S 8S 7H", "7", "impure_sequence"),
        ("7S 7H 7D", "7", "impure_sequence"),  # 7S and two wildcards: helps more than the trio that it is too
        ("7S 7S 8S", "7", "impure_sequence"),  # one natural, one wild
        ("5S 6S 7S 7S 8S 9S", "7", "impure_sequence"),
        ("5S 6S 7S 7S", "7", "impure_sequence"),
        ("7S 7H JK", "7", "impure_sequence"),
        ("7S 7H 7D JK JK", "7", None),
    ],
)  # fmt: skip
def test_1_2_kinds_under_house(text, wild_rank, expected):
    assert kind(text, wild_rank) == expected


def test_1_2_two_readings_best_first():
    assert kinds("7S 7H 7D", "7", HOUSE) == ["impure_sequence", "trio"]
    assert kinds("8H 7S JK", "7", INDIAN) == ["impure_sequence", "trio"]


def test_1_2_a_run_with_a_wild_card_at_its_own_place_is_pure_or_impure_as_it_helps():
    assert kinds("TC JC QC", "J", HOUSE) == ["pure_sequence", "impure_sequence"]
    assert kinds("TC JC QC", "7", HOUSE) == ["pure_sequence"]
    assert kinds("TC JC QC", "J", replace(HOUSE, min_naturals_per_sequence=3)) == ["pure_sequence"]


@pytest.mark.parametrize(
    ("rules", "text", "wild_rank", "with_option", "without"),
    [
        ({"triple_is_pure_sequence": False}, "5H 5H 5H", None, None, "pure_sequence"),
        ({"max_wilds_per_sequence": 1}, "4S JK JK", None, None, "impure_sequence"),
        ({"max_wilds_per_sequence": None}, "4S JK JK JK", None, "impure_sequence", None),
        ({"min_naturals_per_sequence": 2}, "4S JK JK", None, None, "impure_sequence"),
        ({"min_naturals_per_sequence": 2}, "7S 7H 8S", "7", "impure_sequence", "impure_sequence"),
        ({"trio_sizes": (3, 4)}, "5H 5S 5D 5C", None, "trio", None),
        ({"trio_sizes": (4,)}, "5H 5S 5D", None, None, "trio"),
        ({"trio_suits_distinct": True}, "5H 5H 5D", None, None, "trio"),
        ({"max_wilds_per_trio": 0}, "5H 5S JK", None, None, "trio"),
        ({"wild_at_own_place": False}, "6S 7S 8S", "7", "impure_sequence", "pure_sequence"),
        ({"wild_at_own_place": False}, "5H 5H 5H", "5", None, "pure_sequence"),
        ({"wild_at_own_place": False}, "7S 7H JK", "7", None, "impure_sequence"),
    ],
)  # fmt: skip
def test_1_2_every_option_both_ways(rules, text, wild_rank, with_option, without):
    assert kind(text, wild_rank, replace(HOUSE, **rules)) == with_option
    assert kind(text, wild_rank, HOUSE) == without


def test_1_2_three_identical_faces_are_no_trio_even_of_the_wild_rank():
    no_triple = replace(HOUSE, triple_is_pure_sequence=False)
    assert "trio" not in kinds("7S 7S 7S", "7", no_triple)
    assert "trio" not in kinds("5H 5H 5H", None, no_triple)
    assert "trio" in kinds("5H 5H 5H JK", None, replace(no_triple, trio_sizes=(3, 4)))  # only those three alone


@pytest.mark.parametrize(
    ("text", "wild_rank", "stands_for"),
    [
        ("AC 2C JK", "7", "AC 2C 3C"),
        ("JK 2C AC", "7", "3C 2C AC"),  # aligned with the cards as given
        ("5H 6H JK", None, "5H 6H 7H"),  # as high as it can
        ("KS JK AS", None, "KS QS AS"),
        ("4S JK JK 7S", None, "4S 5S 6S 7S"),
        ("8H JK 8D", "7", "8H 8 8D"),
        ("7S 8S 7S", "7", "7S 8S 9S"),
        ("6S 7H 8S", "7", "6S 7S 8S"),
    ],
)
def test_1_2_what_a_wildcard_stands_for(text, wild_rank, stands_for):
    group = readings(cards(text), wild_rank, HOUSE)[0]
    assert group.cards == cards(text)
    assert " ".join(group.stands_for) == stands_for


def test_layout_follows_the_sequence():
    group = read_as("impure_sequence", cards("JK KS JS AS"), None, HOUSE)
    assert group.cards == cards("JS JK KS AS")
    assert group.stands_for == ("JS", "QS", "KS", "AS")


@pytest.mark.parametrize(
    ("text", "wild_rank", "code"),
    [
        ("4S", None, "group_too_small"),
        ("", None, "group_too_small"),
        ("5H 5S", None, "group_too_small"),
        ("5H 5S 5D 5C", None, "trio_too_large"),
        ("5H 5S JK JK", None, "trio_too_large"),
        ("7S 7H 7D 7C", "7", "trio_too_large"),
        ("4S JK JK JK", None, "too_many_wilds"),
        ("4S JK JK JK 8S", None, "too_many_wilds"),
        ("JK JK JK", None, "not_a_group"),
        ("8H 9C JK", None, "not_a_group"),
        ("KS AS 2S", None, "not_a_group"),
    ],
)
def test_fault_of_a_group_is_the_first_that_applies(text, wild_rank, code):
    assert fault_of(cards(text), wild_rank, HOUSE).code == code


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("JK JK JK", "wildcards alone are no group"),
        ("8H 9C JK", "these are of more than one rank and of more than one suit"),
        ("KS AS 2S", "cards that are missing between them: 10; wildcards: 0"),
        ("AS QS JS", "cards that are missing between them: 1; wildcards: 0"),
        ("AS 3S 4S", "cards that are missing between them: 1; wildcards: 0"),
        ("5H 6H 9H JK", "cards that are missing between them: 2; wildcards: 1"),
        ("5H 5H 6H", "5H stands twice, and a sequence has one place for it"),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK", "a sequence has 13 cards at the most"),
        ("8D 8D 8D", "nothing but copies of 8D is no trio"),
        ("8H 8D 8D", "the natural cards of a trio must differ in suit, and 8D stands twice"),
        ("8H 8D 8D JK", "the natural cards of a trio must differ in suit, and 8D stands twice"),
    ],
)
def test_no_group_says_what_it_lacks(text, why):
    assert fault_of(cards(text), None, INDIAN).message.endswith(f": {why}")


def test_a_trio_of_another_size():
    fault = fault_of(cards("8H 8C 8D"), None, replace(INDIAN, trio_sizes=(4,)))
    assert fault.message.endswith(": a trio has 4 cards")


def test_cards_that_are_never_natural_make_no_trio_too_large():
    rules = replace(HOUSE, wild_at_own_place=False, max_wilds_per_trio=0)
    assert fault_of(cards("JK 8C 8D JK"), "8", rules).code == "not_a_group"
    assert fault_of(cards("8H 8C 8D 8S"), "8", rules).code == "not_a_group"
    assert fault_of(cards("9H 9C 8D 8S"), "8", rules).code == "trio_too_large"


def test_a_group_has_no_fault():
    assert fault_of(cards("4S 5S 6S"), None, HOUSE) is None


def test_too_many_wilds_says_how_many_may_be():
    assert "a sequence may hold 2" in fault_of(cards("4S JK JK JK"), None, HOUSE).message
    assert fault_of(cards("5H 5D 7S"), "7", replace(HOUSE, max_wilds_per_trio=0)).code == "too_many_wilds"

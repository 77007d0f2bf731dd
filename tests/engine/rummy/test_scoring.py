"""What a round costs: rules.md §1.5, §1.6."""

from dataclasses import replace

import pytest

from engine.cards import Card, parse_card
from engine.rummy.arrangement import Arrangement, Group
from engine.rummy.rules import HOUSE, INDIAN
from engine.rummy.scoring import charged, costs, count, counting, halved_seats, loose_points, score_round, settlement


def of(kind, count=3):
    return Group(kind, (Card("5H"),) * count, ("5H",) * count)


PURE, IMPURE, TRIO = of("pure_sequence"), of("impure_sequence"), of("trio")
NO_GATE = replace(HOUSE, trio_needs="nothing")


def test_1_6_points_of_loose_cards():
    assert [costs("7", HOUSE)[parse_card(face)] for face in ("AS", "KS", "QS", "JS", "TS", "9S", "2S", "7S", "JK")] == [
        10, 10, 10, 10, 10, 9, 2, 0, 0,
    ]  # fmt: skip
    assert loose_points(map(parse_card, ["AS", "9D", "7C"]), "7", HOUSE) == 19
    assert loose_points(map(parse_card, ["AS", "9D", "7C"]), None, HOUSE) == 26


def test_1_6_points_are_the_rules():
    ace_first = replace(HOUSE, points=(1, *HOUSE.points[1:]))
    for rules, ace in ((HOUSE, 10), (ace_first, 1), (replace(ace_first, ace_points=5), 5)):
        assert [costs("7", rules)[Card(face)] for face in ("AS", "2S", "KS", "7S", "JK")] == [ace, 2, 10, 0, 0]
    assert costs("A", replace(HOUSE, ace_points=5))[Card("AS")] == 0


@pytest.mark.parametrize(
    ("flat", "groups", "expected"),
    [(None, [], 55), (80, [], 80), (80, [PURE], 55), (80, [PURE, IMPURE], 55), (0, [], 0)],
)
def test_1_6_without_a_pure_sequence_the_full_count_may_be_flat(flat, groups, expected):
    rules = replace(INDIAN, full_count_without_pure=flat)
    assert count(Arrangement(tuple(groups), (), 55, declarable=False), rules) == expected


def test_1_6_the_full_count_is_halved_and_capped_as_any():
    flat = replace(INDIAN, full_count_without_pure=90)
    loser = Arrangement((), (), 55, declarable=False)
    for rules, first_turn, expected in (
        (flat, False, 80),
        (replace(flat, points_cap=None), False, 90),
        (replace(flat, first_turn_halves=True), True, 45),
    ):
        assert score_round([("in", None), ("in", loser)], 0, [first_turn] * 2, rules)[1].points == expected


@pytest.mark.parametrize(
    ("rules", "groups", "kept"),
    [
        (HOUSE, [TRIO], []),
        (HOUSE, [PURE, TRIO], [PURE]),
        (HOUSE, [IMPURE, TRIO], [IMPURE, TRIO]),
        (HOUSE, [PURE, PURE, TRIO], [PURE, PURE]),
        (HOUSE, [IMPURE], [IMPURE]),
        (HOUSE, [IMPURE, TRIO, TRIO, TRIO], [IMPURE, TRIO, TRIO, TRIO]),
        (replace(HOUSE, max_trios=0), [IMPURE, TRIO], [IMPURE, TRIO]),
        (replace(HOUSE, max_trios_scored=2), [IMPURE, TRIO, TRIO, TRIO], [IMPURE, TRIO, TRIO]),
        (replace(HOUSE, max_trios_scored=0), [IMPURE, TRIO], [IMPURE]),
        (replace(HOUSE, trio_needs="second_sequence"), [PURE, PURE, TRIO], [PURE, PURE, TRIO]),
        (replace(HOUSE, trio_needs="second_sequence"), [IMPURE, TRIO], [IMPURE, TRIO]),
        (replace(HOUSE, trio_needs="second_sequence"), [PURE, TRIO], [PURE]),
        (replace(HOUSE, trio_needs="pure_and_second"), [IMPURE, IMPURE, TRIO], [IMPURE, IMPURE]),
        (replace(HOUSE, trio_needs="pure_and_second"), [PURE, IMPURE, TRIO], [PURE, IMPURE, TRIO]),
        (replace(HOUSE, trio_needs="pure_and_second"), [PURE, TRIO], [PURE]),
        (NO_GATE, [TRIO], [TRIO]),
        (replace(NO_GATE, impure_needs_pure=True), [IMPURE, TRIO], [TRIO]),
        (replace(HOUSE, impure_needs_pure=True), [IMPURE, TRIO], []),
        (replace(HOUSE, impure_needs_pure=True), [PURE, IMPURE, TRIO], [PURE, IMPURE, TRIO]),
        (replace(NO_GATE, no_pure_all_loose=True), [IMPURE, TRIO], []),
        (replace(NO_GATE, no_pure_all_loose=True), [PURE, TRIO], [PURE, TRIO]),
        (replace(NO_GATE, no_second_all_loose=True), [PURE, TRIO], []),
        (replace(NO_GATE, no_second_all_loose=True), [PURE, IMPURE, TRIO], [PURE, IMPURE, TRIO]),
        (replace(NO_GATE, no_second_all_loose=True), [IMPURE, TRIO], [IMPURE, TRIO]),  # asks only hands with a pure one
        (INDIAN, [IMPURE, IMPURE, TRIO], []),
        (replace(NO_GATE, full_count_without_pure=80), [IMPURE, TRIO], []),
        (replace(NO_GATE, full_count_without_pure=80), [PURE, IMPURE, TRIO], [PURE, IMPURE, TRIO]),
        (INDIAN, [PURE, TRIO, TRIO], [PURE]),
        (INDIAN, [PURE, PURE, TRIO, TRIO, TRIO], [PURE, PURE, TRIO, TRIO, TRIO]),
    ],
)
def test_1_6_which_groups_count(rules, groups, kept):
    assert counting(groups, rules) == tuple(kept)


@pytest.mark.parametrize(
    ("rules", "points", "first_turn", "expected"),
    [
        (HOUSE, 37, False, 37),
        (HOUSE, 37, True, 18),
        (HOUSE, 38, True, 19),
        (replace(HOUSE, halve_rounding="up"), 37, True, 19),
        (replace(HOUSE, halve_rounding="exact"), 37, True, 18.5),
        (replace(HOUSE, points_cap=80), 100, False, 80),
        (replace(HOUSE, points_cap=80), 100, True, 50),  # halving comes before the cap
        (replace(HOUSE, points_cap=80), 162, True, 80),
        (INDIAN, 130, False, 80),
        (replace(INDIAN, cap_before_halving=True), 98, True, 40),
        (replace(INDIAN, cap_before_halving=True), 50, True, 25),
        (replace(INDIAN, cap_before_halving=True), 98, False, 80),
        (replace(INDIAN, cap_before_halving=True, points_cap=75, halve_rounding="exact"), 98, True, 37.5),
        (replace(INDIAN, cap_before_halving=True, points_cap=None), 98, True, 49),
    ],
)
def test_1_6_halving_and_cap(rules, points, first_turn, expected):
    assert charged(points, first_turn, rules) == expected


@pytest.mark.parametrize(
    ("rules", "first_turn", "declared", "expected"),
    [
        (HOUSE, True, True, [True] * 3),
        (HOUSE, False, True, [False] * 3),
        (replace(HOUSE, first_turn_halves=False), True, True, [False] * 3),
        (replace(HOUSE, halves_for="no_turn"), True, True, [False, True, True]),
        (replace(HOUSE, halves_for="no_turn"), False, True, [False, True, True]),
        (replace(HOUSE, halves_for="no_turn"), False, False, [False] * 3),
        (replace(INDIAN, halves_for="no_turn"), False, True, [False] * 3),
    ],
)
def test_1_6_whose_totals_are_halved(rules, first_turn, declared, expected):
    assert list(halved_seats(first_turn, [False, True, True], declared, rules)) == expected


def test_1_6_a_round_is_scored_seat_by_seat():
    loser = Arrangement((), (), 130, declarable=False)
    seats = [("in", None), ("packed_first", None), ("packed_later", None), ("penalised", None), ("in", loser)]
    scores = score_round(seats, 0, [False] * 5, replace(HOUSE, points_cap=100))
    assert [(score.points, score.reason) for score in scores] == [
        (0, "won"), (20, "packed_first"), (40, "packed_later"), (80, "penalised"), (100, "loose"),
    ]  # fmt: skip
    assert settlement([score.points for score in scores], 0) == (240, -20, -40, -80, -100)


def test_1_6_packs_and_penalties_are_never_halved_nor_capped():
    seats = [("in", None), ("packed_first", None), ("packed_later", None), ("penalised", None)]
    assert [score.points for score in score_round(seats, 0, [True] * 9, replace(HOUSE, points_cap=10))] == [
        0,
        20,
        40,
        80,
    ]


def test_settlement_is_zero_sum_and_nobody_pays_where_nobody_won():
    assert settlement([10, 20, 18.5], None) == (0, 0, 0)
    assert sum(settlement([0, 18.5, 20], 0)) == 0


def test_a_loser_without_an_arrangement_is_a_mistake():
    with pytest.raises(ValueError, match="needs an arrangement"):
        score_round([("in", None), ("in", None)], 0, [False] * 9, HOUSE)

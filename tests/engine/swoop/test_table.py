"""A table sent by itself (`POST /v1/swoop/plays`): what cannot lie there, and secrets that nobody knows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_card
from engine.errors import ImpossibleHand, Invalid
from engine.options import resolve
from engine.swoop.hands import check_round, check_table
from engine.swoop.legality import play_violation
from engine.swoop.moves import Play
from engine.swoop.pile import FACE_DOWN, SeenStack, judge
from engine.swoop.rules import CLASSIC, HOUSE, SwoopRules
from engine.swoop.state import Seat
from tests.engine.swoop.builders import cards

GONE = SeenStack(None, None)


def stack(guard: str | None, secret: str | None) -> SeenStack:
    if secret is None or secret == FACE_DOWN:
        return SeenStack(parse_card(guard) if guard else None, None if secret is None else FACE_DOWN)
    return SeenStack(parse_card(guard) if guard else None, parse_card(secret))


def flaws(
    pile: str = "", hand: str = "", stacks: Any = (GONE,) * 4, committed: int | None = None, rules: Any = HOUSE
) -> list[str]:
    try:
        check_table(rules, cards(pile), cards(hand), tuple(stacks), committed)
    except Invalid as wrong:
        return [flaw.pointer for flaw in wrong.flaws if flaw.detail]
    return []


def test_the_example_of_the_contract() -> None:
    stacks = (stack("9C", "??"), stack(None, "2D"), GONE, stack("JS", "??"))
    pile, hand, play = cards("KH 9S"), cards("9H 4D"), Play(cards("9H"), (0,))
    check_table(HOUSE, pile, hand, stacks, None)
    assert play_violation(hand, stacks, None, play) is None
    after = judge(HOUSE, pile, hand, stacks, None, play)

    assert (after.effect, after.turn, after.out) == ("safe", "passes", False)
    assert after.pile == cards("KH 9S 9H 9C")
    assert after.hand == cards("4D")
    assert after.stacks == (SeenStack(None, FACE_DOWN), *stacks[1:])


def test_face_down_secrets_are_cards_too_when_it_comes_to_going_out() -> None:
    assert not judge(HOUSE, (), cards("4D"), (stack(None, "??"),), None, Play(cards("4D"), ())).out
    after = judge(HOUSE, (), cards("4D"), (GONE,), None, Play(cards("4D"), ()))
    assert (after.out, after.turn, after.effect) == (True, "over", "safe")


@pytest.mark.parametrize(
    ("pile", "hand", "effect", "turn"),
    [("9D", "TD", "clear", "over"), ("9D", "KD", "pickup", "continues"), ("9D", "TD 4D", "clear", "continues")],
)
def test_whose_turn_follows(pile: str, hand: str, effect: str, turn: str) -> None:
    after = judge(HOUSE, cards(pile), cards(hand), (GONE,), None, Play(cards(hand)[:1], ()))

    assert (after.effect, after.turn) == (effect, turn)


def test_a_pick_up_ends_the_turn_under_classic() -> None:
    assert judge(CLASSIC, cards("9D"), cards("KD"), (GONE,), None, Play(cards("KD"), ())).turn == "passes"


def test_neither_tens_nor_jokers_lie_in_the_pile() -> None:
    assert flaws(pile="9D TD 4S JK") == ["/pile/1", "/pile/3"]


def test_any_order_of_the_pile_is_taken() -> None:
    assert flaws(pile="4D KD 4S 4H 4C 4D") == []


def test_up_to_four_copies_of_a_face() -> None:
    assert flaws(pile="5H 5H", hand="5H", stacks=[stack("5H", "??"), GONE]) == []
    assert flaws(pile="5H 5H", hand="5H", stacks=[stack("5H", "5H"), GONE]) == ["/stacks/0/secret"]
    assert flaws(hand="5H 5H 5H 5H 5H") == ["/hand/4"]
    assert flaws(pile="5H 5H 5H 5H", stacks=[GONE, stack("5H", "??")]) == ["/stacks/1/guard"]
    assert flaws(hand="JK JK JK JK") == []
    assert flaws(hand="JK JK JK JK JK") == ["/hand/4"]


def test_rules_may_allow_more_copies() -> None:
    assert flaws(hand="5H 5H 5H 5H 5H", rules=resolve(SwoopRules, {"decks": 5})) == []
    assert flaws(hand=" ".join(["JK"] * 8), rules=CLASSIC) == []
    assert flaws(hand=" ".join(["JK"] * 9), rules=CLASSIC) == ["/hand/8"]


@pytest.mark.parametrize(
    ("given", "most"),
    [({"min_decks": 6}, 6), ({"players_per_deck": 1}, 8), ({"players_per_deck": 8}, 4), ({"decks": 1}, 4)],
)
def test_a_table_may_be_of_any_size(given: dict[str, int], most: int) -> None:
    rules = resolve(SwoopRules, given)

    assert flaws(hand=" ".join(["5H"] * most), rules=rules) == []
    assert flaws(hand=" ".join(["5H"] * (most + 1)), rules=rules) == [f"/hand/{most}"]


@pytest.mark.parametrize(
    ("given", "seats", "most"),
    [
        ({"min_decks": 5}, 2, 5),
        ({"players_per_deck": 1}, 2, 4),
        ({"players_per_deck": 1}, 6, 6),
        ({"players_per_deck": 1}, 1, 8),
        ({}, 2, 4),
    ],
)
def test_seats_at_the_end_of_a_round_are_counted(given: dict[str, int], seats: int, most: int) -> None:
    rules = resolve(SwoopRules, given)
    others = [Seat((), ())] * (seats - 1)

    check_round(rules, [*others, Seat(cards(" ".join(["AS"] * most)), ())])
    with pytest.raises(ImpossibleHand) as wrong:
        check_round(rules, [*others, Seat(cards(" ".join(["AS"] * (most + 1))), ())])
    assert [flaw.pointer for flaw in wrong.value.flaws] == [f"/seats/{seats - 1}/hand/{most}"]


def test_one_to_eight_stacks() -> None:
    assert flaws(stacks=[]) == ["/stacks"]
    assert flaws(stacks=[GONE] * 9) == ["/stacks"]
    assert flaws(stacks=[GONE]) == flaws(stacks=[GONE] * 8) == []


@pytest.mark.parametrize(
    ("committed", "pointer"),
    [(0, "/committed"), (1, "/stacks/1/secret"), (2, "/committed"), (4, "/committed"), (-1, "/committed")],
)
def test_a_committed_secret_lies_face_up_without_a_guard(committed: int, pointer: str) -> None:
    stacks = [stack("9C", "2S"), stack(None, "??"), GONE, stack(None, "2D")]

    assert flaws(stacks=stacks, committed=committed) == [pointer]
    assert flaws(stacks=stacks, committed=3) == []


def test_a_committed_secret_is_part_of_the_play() -> None:
    stacks = (stack(None, "4S"), stack("4C", "??"))
    after = judge(HOUSE, cards("9D"), cards("4D 5D"), stacks, 0, Play(cards("4D"), (1,)))

    assert after.cards == cards("4D 4C 4S")
    assert after.stacks == (GONE, stack(None, "??"))
    assert play_violation(cards("4D 5D"), stacks, 0, Play((), ())) is None

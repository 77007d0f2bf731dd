"""Cards: every spelling that rules.md reads, the one that it writes, and multisets of them."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    FACES,
    JOKER,
    RANKS,
    Card,
    UnknownCard,
    deck,
    in_order,
    missing,
    parse_card,
    parse_rank,
    without,
)

SPELLINGS = {
    "5H": ["5H", "5h", "5♥", "5♡", "5♥️", "5♥︎"],
    "TD": ["TD", "0D", "0d", "0♦", "0♦️", "10D", "td", "10d", "T♦", "10♢", "10♦️"],
    "AS": ["AS", "as", "aS", "A♠", "a♤"],
    "KC": ["KC", "kc", "K♣", "k♧"],
    "JK": ["JK", "jk", "Jk", "JOKER", "joker", "Joker", "X1", "X2", "x1", "x2"],
}


@pytest.mark.parametrize(("face", "text"), [(face, text) for face, texts in SPELLINGS.items() for text in texts])
def test_every_spelling_reads_as_the_one_written(face, text):
    assert parse_card(text) is Card(face)
    assert str(parse_card(text)) == face


@pytest.mark.parametrize(
    "text",
    ["", "5", "H", "1H", "0", "00H", "010H", "10", "0JK", "X", "X0", "X3", "X12", "XH", "11H", "5X", "H5", "5HH", "5 H", " 5H", "5H ", "♥", "JOKERS", "KJ", "5\x00", "5ſ", "ＡＳ",
     "\ud800", "x" * 10_000, None, 5, 5.0, True, [], {}, b"5H"],
)  # fmt: skip
def test_anything_else_is_no_card_and_the_error_says_how_cards_are_written(text):
    with pytest.raises(UnknownCard, match="write a rank and a suit such as 5H") as caught:
        parse_card(text)
    assert len(str(caught.value)) < 150
    str(caught.value).encode()  # quotable: no lone surrogate of a caller's gets out


@given(st.text(max_size=6))
def test_whatever_reads_as_a_card_is_one_of_the_faces(text):
    try:
        assert parse_card(text) in FACES
    except UnknownCard:
        assert text.upper() not in FACES


def test_faces_of_the_52_and_the_joker():
    assert len(set(FACES)) == 53
    assert [card.order for card in FACES] == list(range(53))
    assert all(card == f"{card.rank}{card.suit}" for card in FACES[:-1])
    assert (JOKER.rank, JOKER.suit, JOKER.is_joker) == (None, None, True)


def test_cards_stay_interned_through_copies_and_pickles():
    for card in FACES:
        assert copy.deepcopy(card) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert Card(str(card)) is card


def test_card_takes_the_two_characters_only():
    with pytest.raises(KeyError):
        Card("10D")


@pytest.mark.parametrize(("text", "rank"), [("A", "A"), ("10", "T"), ("t", "T"), ("q", "Q"), ("9", "9")])
def test_ranks(text, rank):
    assert parse_rank(text) == rank


@pytest.mark.parametrize("text", ["", "1", "11", "JK", "AS", None, 7, "ａ"])
def test_unknown_ranks(text):
    with pytest.raises(UnknownCard, match="ranks are written A 2 3"):
        parse_rank(text)


def test_decks():
    assert len(deck(2, 3)) == 107
    assert deck(2, 3).count(Card("5H")) == 2
    assert deck(1, 2)[-2:] == (JOKER, JOKER)
    assert deck(1, 0) == FACES[:-1]
    assert [card.rank for card in deck(1, 0)[:13]] == list(RANKS)


def test_containment_is_by_count():
    held = (Card("5H"), Card("5H"), Card("6H"))
    assert missing([Card("5H")] * 3, held) == (Card("5H"),)
    assert missing([Card("5H")] * 2, held) == ()
    assert without(held, [Card("5H")]) == (Card("5H"), Card("6H"))
    with pytest.raises(ValueError, match="not in list"):
        without(held, [Card("6H"), Card("6H")])


@given(st.permutations(FACES[:20]))
def test_order_does_not_depend_on_the_order_given(cards):
    assert in_order(cards) == FACES[:20]

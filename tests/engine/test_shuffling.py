"""The engine's only randomness: known answers, repeatable, unbiased. (The answers were computed by other code.)"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine import shuffling
from engine.cards import FACES, deck

SEED = "0" * 63 + "1"
SPADES = FACES[:13]
seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)
labels = st.sampled_from(["rummy/0", "swoop/0", "swoop/1", "swoop/10", "a"])


def test_commitment_is_the_sha256_of_the_seed() -> None:
    # printf '00…01' | xxd -r -p | sha256sum
    assert shuffling.commitment(SEED) == "ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5"
    assert shuffling.commitment("00" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_words_are_hmac_blocks() -> None:
    # printf 'known/0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…01, and known/1
    first = "fa1fdce37eb6416ee5a41d40c4cf57925769bcfb9299a78ac65915ea52306920"
    second = "c251614618abd55fe792f33560310fffefde76b2882319698afadb446fade940"
    words = "".join(f"{word:08x}" for word in itertools.islice(shuffling._words(SEED, "known"), 16))

    assert words == first + second


def test_known_shuffle() -> None:
    assert " ".join(shuffling.shuffle(SEED, "known", SPADES)) == "6S 5S TS 4S 9S JS 2S KS 8S QS AS 7S 3S"


def test_known_pick() -> None:
    assert shuffling.pick(SEED, "known", 2**32) == 0xFA1FDCE3
    assert shuffling.pick(SEED, "known", 10) == 0xFA1FDCE3 % 10


def _by_the_book(seed: str, label: str, cards: tuple[str, ...]) -> list[str]:
    """The shuffle once more, from RFC 2104 and Knuth's algorithm P, on nothing but a hash."""
    key = bytes.fromhex(seed) + bytes(32)
    numbers = []
    for block in range(len(cards)):
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + f"{label}/{block}".encode()).digest()
        digest = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
        numbers += [int(digest.hex()[at : at + 8], 16) for at in range(0, 64, 8)]
    order = list(cards)
    for size in range(len(cards), 1, -1):
        while (number := numbers.pop(0)) >= 2**32 // size * size:
            pass
        order[size - 1], order[number % size] = order[number % size], order[size - 1]
    return order


@given(seeds, labels, st.integers(0, 5), st.integers(0, 8))
def test_shuffle_is_as_described(seed: str, label: str, decks: int, jokers: int) -> None:
    cards = deck(decks, jokers)

    assert list(shuffling.shuffle(seed, label, cards)) == _by_the_book(seed, label, cards)


@given(seeds, labels)
def test_a_shuffle_keeps_the_cards_and_repeats(seed: str, label: str) -> None:
    cards = deck(2, 4)
    order = shuffling.shuffle(seed, label, cards)

    assert Counter(order) == Counter(cards)
    assert order == shuffling.shuffle(seed, label, cards)
    assert order != shuffling.shuffle(seed, label + "x", cards)


def test_words_above_the_last_whole_multiple_are_passed_over() -> None:
    top = 2**32 - 1

    assert shuffling._below(10, iter([top, top - 5, top - 6])) == (top - 6) % 10  # 2**32 = 6 (mod 10): the last six
    assert shuffling._below(3, iter([top, 2**32 - 2])) == (2**32 - 2) % 3
    assert shuffling._below(16, iter([top])) == 15


def test_every_order_is_equally_likely() -> None:
    """Chi-square over the 24 orders of four cards; 49.7 is exceeded once in a thousand samples, and this one is fixed."""
    rounds = 12_000
    seen = Counter(shuffling.shuffle(SEED, f"order/{n}", SPADES[:4]) for n in range(rounds))
    expected = rounds / 24

    assert len(seen) == 24
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 49.7


def test_every_card_reaches_every_place() -> None:
    """Chi-square over card and place of 52 cards: 51 * 51 degrees of freedom, mean 2601, deviation 72."""
    rounds = 2_600
    seen = Counter(
        (card, place)
        for n in range(rounds)
        for place, card in enumerate(shuffling.shuffle(SEED, f"place/{n}", FACES[:52]))
    )
    expected = rounds / 52
    chi_square = sum((seen[card, place] - expected) ** 2 / expected for card in FACES[:52] for place in range(52))

    assert abs(chi_square - 2601) < 4 * 72


def test_picks_are_equally_likely() -> None:
    seen = Counter(shuffling.pick(SEED, f"pick/{n}", 7) for n in range(7_000))

    assert sum((seen[number] - 1000) ** 2 / 1000 for number in range(7)) < 22.5

"""Cards, decks, and multisets of cards (rules.md, head and §1.1).

A card is an interned string of two characters: rank and suit (``"5H"``, ``"TD"``), or ``"JK"`` for a
printed joker. Cards with the same face are the same object: two copies of ``5H`` have no identity, so
every containment test here is by count, never by set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit = Literal["S", "H", "D", "C"]

RANKS: Final[tuple[Rank, ...]] = get_args(Rank)
SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
JOKER_TEXT: Final = "JK"

_SUIT_SIGNS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_JOKERS: Final = ("JOKER", "X1", "X2")  # of the deck of cards API the black one and the red one
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"  # many keyboards append one to a suit sign


class Card(str):
    """A card's face. ``Card("TH")`` takes the two-character form only; to read callers' spellings use `parse_card`.

    Attributes: ``rank`` and ``suit`` (None for a joker), ``is_joker``, and ``order``: the place in
    `FACES` (0–52), by which hands are sorted.
    """

    __slots__ = ("is_joker", "order", "rank", "suit")

    rank: Rank | None
    suit: Suit | None
    is_joker: bool
    order: int

    def __new__(cls, face: str) -> Card:
        return _BY_FACE[face]

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:  # copies and pickles stay interned
        return (Card, (str(self),))


_BY_FACE: dict[str, Card] = {}


def _mint(face: str, rank: Rank | None, suit: Suit | None) -> Card:
    card = str.__new__(Card, face)
    card.rank, card.suit, card.is_joker, card.order = rank, suit, rank is None, len(_BY_FACE)
    _BY_FACE[face] = card
    return card


FACES: Final[tuple[Card, ...]] = (
    *(_mint(rank + suit, rank, suit) for suit in SUITS for rank in RANKS),
    _mint(JOKER_TEXT, None, None),
)
JOKER: Final[Card] = _BY_FACE[JOKER_TEXT]


class UnknownCard(ValueError):
    """A text that no card is written as."""


def parse_rank(text: object) -> Rank:
    """Read ``A 2 … 9 T J Q K``, also ``10`` and lower case. Raises `UnknownCard`."""
    if isinstance(text, str):
        rank = text.upper() if text.isascii() else ""
        rank = "T" if rank == "10" else rank
        if rank in RANKS:
            return rank
    raise UnknownCard(f"{_shown(text)} is no rank; ranks are written {' '.join(RANKS)}")


def parse_card(text: object) -> Card:
    """Read a card in every spelling of rules.md: ``5H``, ``10D``, ``td``, ``5♥``, ``JK``, ``JOKER``; and the codes of the deck of
    cards API: ``0D`` for a ten, ``X1`` and ``X2`` for its jokers.

    Raises `UnknownCard` with a message that says how cards are written.
    """
    if isinstance(text, str):
        if (known := _BY_FACE.get(text)) is not None:
            return known
        if len(text) <= 6:  # longer than any spelling: do not scan what a caller may have padded
            face = text.rstrip(_VARIATION_SELECTORS)
            face = face[:-1] + _SUIT_SIGNS.get(face[-1:], face[-1:])
            face = face.upper() if face.isascii() else ""  # other alphabets have letters whose capital is ASCII
            if face.startswith(("10", "0")):
                face = "T" + face[2 if face.startswith("1") else 1 :]
            if face in _JOKERS:
                return JOKER
            if (known := _BY_FACE.get(face)) is not None:
                return known
    raise UnknownCard(f"{_shown(text)} is no card; write a rank and a suit such as 5H or TD, or JK for a printed joker")


_WORDS: Final[Mapping[Any, str]] = {int: "a number", float: "a number", list: "a list", dict: "an object"}


def _shown(value: object) -> str:
    """A caller's value, short enough and safe to quote in an error."""
    if isinstance(value, str):
        text = ascii(value)
        return text if len(text) <= 24 else text[:20] + "…'"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return next((word for kind, word in _WORDS.items() if isinstance(value, kind)), "this")


class InPlay(NamedTuple):
    """The cards that a game is played with: so many copies of each face, and so many printed jokers in all."""

    copies: int
    jokers: int


def deck(copies: int, jokers: int) -> tuple[Card, ...]:
    """The unshuffled cards of a game: `copies` full decks in the order of `FACES`, then `jokers` printed jokers in all."""
    return FACES[:-1] * copies + (JOKER,) * jokers


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted by suit and rank, jokers last: the order that makes an answer independent of the order of its input."""
    return tuple(sorted(cards, key=_order))


def _order(card: Card) -> int:
    return card.order


def missing(wanted: Iterable[Card], held: Iterable[Card]) -> tuple[Card, ...]:
    """The cards of `wanted` that `held` does not contain, by count."""
    return in_order((Counter(wanted) - Counter(held)).elements())


def not_held(lacking: Iterable[Card], held: Sequence[Card]) -> str:
    """What to say of cards that `held` does not contain, or not so often (as `missing` finds them)."""
    faces = tuple(dict.fromkeys(lacking))
    absent = [str(card) for card in faces if card not in held]
    said = [f"the hand does not hold {' '.join(absent)}"] if absent else []
    said += [f"the hand holds {held.count(card)} {card} and no more" for card in faces if card in held]
    return "; ".join(said)


def surplus(placed: Iterable[tuple[str, Card]], copies: int, jokers: int) -> Iterator[tuple[str, Card, int, int]]:
    """Each of the cards, given with the places they lie at, that is one copy too many where there are so many of a face and
    so many jokers: its place and face, which copy it is, and how many there are."""
    seen: Counter[Card] = Counter()
    for place, card in placed:
        seen[card] += 1
        most = jokers if card.is_joker else copies
        if seen[card] > most:
            yield place, card, seen[card], most


def without(held: Sequence[Card], taken: Iterable[Card]) -> tuple[Card, ...]:
    """`held` less one copy for each card of `taken`, order kept. Raises ValueError if one is not there."""
    rest = list(held)
    for card in taken:
        rest.remove(card)
    return tuple(rest)

"""Every distinct play of cards of one rank, by faces and slots (rules.md §2.2): made one by one, for there can be millions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from engine.cards import Card
from engine.swoop.moves import Play


def plays_of(cards: Sequence[Card], slots: Sequence[int], count: int) -> Iterator[Play]:
    """Each play of `count` of these cards and of the guards in these slots, once: those with more cards from the hand first,
    of these those with more of the earlier faces, then with the earlier slots. The first is the beginning of both lists."""
    faces = tuple(Counter(cards).items())
    for from_hand in range(min(count, len(cards)), max(count - len(slots), 0) - 1, -1):
        for hand in _choices(faces, from_hand):
            for guards in combinations(slots, count - from_hand):
                yield Play(hand, guards)


def _choices(faces: tuple[tuple[Card, int], ...], count: int) -> Iterator[tuple[Card, ...]]:
    """Each way to take `count` cards of faces of which there are so many copies, and no fewer than `count` in all."""
    if not faces:
        yield ()
        return
    (face, copies), *others = faces
    room = sum(left for _, left in others)
    for taken in range(min(copies, count), max(count - room, 0) - 1, -1):
        for rest in _choices(tuple(others), count - taken):
            yield (face,) * taken + rest


def some_of_each(kinds: Sequence[Iterator[Play]], most: int) -> tuple[tuple[Play, ...], bool]:
    """Up to `most` plays, one of each kind in turn so that none takes the room of the others; they come out kind by kind.
    And whether these are all."""
    found: list[list[Play]] = [[] for _ in kinds]
    going, room = list(zip(kinds, found, strict=True)), most
    while going:
        still = []
        for kind, into in going:
            play = next(kind, None)
            if play is None:
                continue
            if room == 0:
                return tuple(chain.from_iterable(found)), False
            into.append(play)
            room -= 1
            still.append((kind, into))
        going = still
    return tuple(chain.from_iterable(found)), True

"""What a play does to the pile (rules.md §2.2, §2.3).

Pure of any match, so that the same code judges a play sent by itself, where secrets may be face down and unknown
(`FACE_DOWN`), and a play of a running match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from engine.cards import Card, Rank, without
from engine.swoop.moves import Play
from engine.swoop.rules import SwoopRules
from engine.swoop.state import Stack

Effect = Literal["safe", "clear", "pickup"]
Turn = Literal["passes", "continues", "over"]
FaceDown = Literal["??"]
FACE_DOWN: Final[FaceDown] = "??"


@dataclass(frozen=True, slots=True)
class SeenStack:
    """A stack as far as someone knows it: the secret is a card, `FACE_DOWN`, or gone (None)."""

    guard: Card | None
    secret: Card | FaceDown | None


K = TypeVar("K", Stack, SeenStack)


class Judged(NamedTuple, Generic[K]):
    """What a play did: the cards in the order they went onto the pile, and the table afterwards; the hand keeps its order, and
    what is picked up follows. `out`: none is left."""

    cards: tuple[Card, ...]
    effect: Effect
    turn: Turn
    out: bool
    pile: tuple[Card, ...]
    hand: tuple[Card, ...]
    stacks: tuple[K, ...]


def judge(
    rules: SwoopRules,
    pile: tuple[Card, ...],
    hand: tuple[Card, ...],
    stacks: tuple[K, ...],
    committed: int | None,
    play: Play,
) -> Judged[K]:
    """What a play does (§2.2, §2.4). It must have passed `play_violation`."""
    cards = play.hand
    rest = without(hand, cards)
    left = stacks
    if play.guards or committed is not None:
        laid = list(stacks)
        for slot in play.guards:
            stack = laid[slot]
            assert stack.guard is not None
            cards += (stack.guard,)
            laid[slot] = type(stack)(None, stack.secret)
        if committed is not None:
            stack = laid[committed]
            cards += (face_up(stack.secret),)
            laid[committed] = type(stack)(None, None)
        left = tuple(laid)

    effect = effect_of(rules, pile, cards[0].rank, len(cards))
    if effect == "pickup":
        turn: Turn = "passes" if rules.pickup_ends_turn else "continues"
        return Judged(cards, effect, turn, False, (), rest + pile + cards, left)
    out = not rest and not any(stack.guard or stack.secret for stack in left)
    after = () if effect == "clear" else pile + cards
    turn = "over" if out else "continues" if effect == "clear" else "passes"
    return Judged(cards, effect, turn, out, after, rest, left)


def effect_of(rules: SwoopRules, pile: Sequence[Card], rank: Rank | None, count: int) -> Effect:
    """What `count` cards of one rank (None: jokers) do to the pile (§2.2)."""
    if always_clears(rank):
        return "clear"
    size = rules.clear_size
    if pile:
        order = rules.order()
        if order[rank] > order[pile[-1].rank]:
            return "clear" if rules.quad_beats_pickup and count >= size else "pickup"
        for card in reversed(pile):
            if card.rank != rank or count >= size:
                break
            count += 1
    return "clear" if count >= size else "safe"


def always_clears(rank: Rank | None) -> bool:
    """Whether cards of a rank clear whatever lies there: tens, and jokers (§2.1, §2.2)."""
    return rank == "T" or rank is None


def face_up(secret: Card | FaceDown | None) -> Card:
    """A committed secret, which has been turned up."""
    assert isinstance(secret, Card), "a committed secret lies face up"
    return secret

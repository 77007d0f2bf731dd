"""One play: whether it may be made, and what it does to the pile (rules.md §2.2, §2.3).

Pure of any match, so that the same code judges a play sent by itself, where secrets may be face down and unknown
(`FACE_DOWN`), and a play of a running match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from engine.cards import Card, Rank, in_order, missing, without
from engine.errors import Flaw, Invalid, Violation
from engine.swoop.moves import Play
from engine.swoop.rules import MAX_STACKS, SwoopRules
from engine.swoop.state import Stack

Effect = Literal["safe", "clear", "pickup"]
Turn = Literal["passes", "continues", "over"]
FaceDown = Literal["??"]
FACE_DOWN: Final[FaceDown] = "??"

# A hand or a table sent by itself may come from any number of decks up to four, the most a match of eight uses.
LOOSE_COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class SeenStack:
    """A stack as far as someone knows it: the secret is a card, `FACE_DOWN`, or gone (None)."""

    guard: Card | None
    secret: Card | FaceDown | None


K = TypeVar("K", Stack, SeenStack)


class Judged(NamedTuple, Generic[K]):
    """What a play did: the cards in the order they went onto the pile, and the table afterwards. `out`: none is left."""

    cards: tuple[Card, ...]
    effect: Effect
    turn: Turn
    out: bool
    pile: tuple[Card, ...]
    hand: tuple[Card, ...]
    stacks: tuple[K, ...]


def play_violation(hand: Sequence[Card], stacks: Sequence[K], committed: int | None, play: Play) -> Violation | None:
    """Why these cards are no play (§2.2), or None: ``card_not_held``, ``empty_play``, ``mixed_ranks``, in this order."""
    cards = []
    for card in play.hand:
        if card not in hand:
            return _not_held(hand, stacks, play)
        cards.append(card)
    if len(cards) > 1 and missing(cards, hand):
        return _not_held(hand, stacks, play)
    for slot in play.guards:
        guard = stacks[slot].guard if 0 <= slot < len(stacks) else None
        if guard is None:
            return _not_held(hand, stacks, play)
        cards.append(guard)
    if len(play.guards) > 1 and len(set(play.guards)) < len(play.guards):
        return _not_held(hand, stacks, play)
    if committed is not None:
        cards.append(_known(stacks[committed].secret))
    if not cards:
        return Violation("empty_play", "a play needs at least one card; there is no passing")
    rank = cards[0].rank
    for card in cards:
        if card.rank != rank:
            secret = cards[-1] if committed is not None else None
            wanted = "of one rank" if secret is None else f"of the rank of the committed secret, {secret}"
            return Violation("mixed_ranks", f"the cards of a play must all be {wanted}", tuple(cards))
    return None


def _not_held(hand: Sequence[Card], stacks: Sequence[K], play: Play) -> Violation:
    lacking = missing(play.hand, hand)
    guards = [(slot, stack.guard) for slot, stack in enumerate(stacks) if stack.guard is not None]
    there = {slot for slot, _ in guards}
    wrong = [f"{card} is not in the hand so often" for card in dict.fromkeys(lacking)]
    wrong += [f"slot {slot} has no guard" for slot in dict.fromkeys(play.guards) if slot not in there]
    wrong += [
        f"the guard of slot {slot} is named twice"
        for slot, times in Counter(play.guards).items()
        if slot in there and times > 1
    ]
    holds = " ".join(in_order(hand)) or "nothing"
    laid = ", ".join(f"{card} in slot {slot}" for slot, card in guards) or "none"
    return Violation("card_not_held", f"{'; '.join(wrong)}; the hand holds {holds}, the guards are {laid}", lacking)


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
            cards += (_known(stack.secret),)
            laid[committed] = type(stack)(None, None)
        left = tuple(laid)

    effect = effect_of(rules, pile, cards[0].rank, len(cards))
    if effect == "pickup":
        turn: Turn = "passes" if rules.pickup_ends_turn else "continues"
        return Judged(cards, effect, turn, False, (), in_order(rest + pile + cards), left)
    out = not rest and not any(stack.guard or stack.secret for stack in left)
    after = () if effect == "clear" else pile + cards
    turn = "over" if out else "continues" if effect == "clear" else "passes"
    return Judged(cards, effect, turn, out, after, rest, left)


def effect_of(rules: SwoopRules, pile: Sequence[Card], rank: Rank | None, count: int) -> Effect:
    """What `count` cards of one rank (None: jokers) do to the pile (§2.2)."""
    if is_wild_clear(rank):
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


def is_wild_clear(rank: Rank | None) -> bool:
    """Whether cards of a rank clear whatever lies there: tens, and jokers (§2.1, §2.2)."""
    return rank == "T" or rank is None


def _known(secret: Card | FaceDown | None) -> Card:
    assert isinstance(secret, Card), "a committed secret lies face up"
    return secret


def check_table(
    rules: SwoopRules,
    pile: Sequence[Card],
    hand: Sequence[Card],
    stacks: Sequence[SeenStack],
    committed: int | None,
) -> None:
    """Refuse a table that cannot lie before a play; the way to it is not asked. Raises `Invalid` with every wrong place."""
    flaws = []
    if not 1 <= len(stacks) <= MAX_STACKS:
        flaws.append(Flaw("/stacks", f"must be from 1 to {MAX_STACKS} stacks"))
    for place, card in enumerate(pile):
        if is_wild_clear(card.rank):
            flaws.append(Flaw(f"/pile/{place}", f"{card} clears the pile, so it never lies there"))
    if committed is not None:
        flaws.extend(_committed_flaws(stacks, committed))
    decks = max(LOOSE_COPIES, rules.decks or 0)
    jokers = max(LOOSE_COPIES, rules.jokers_in(decks))
    places = [(f"/pile/{place}", card) for place, card in enumerate(pile)]
    places += [(f"/hand/{place}", card) for place, card in enumerate(hand)]
    for slot, stack in enumerate(stacks):
        places += [(f"/stacks/{slot}/guard", stack.guard)] if stack.guard is not None else []
        places += [(f"/stacks/{slot}/secret", stack.secret)] if isinstance(stack.secret, Card) else []
    seen: Counter[Card] = Counter()
    for pointer, card in places:
        seen[card] += 1
        copies = jokers if card.is_joker else decks
        if seen[card] > copies:
            flaws.append(Flaw(pointer, f"there are at most {copies} cards {card}"))
    if flaws:
        raise Invalid(*flaws)


def _committed_flaws(stacks: Sequence[SeenStack], committed: int) -> list[Flaw]:
    if not 0 <= committed < len(stacks):
        return [Flaw("/committed", f"no such slot; the slots are 0 to {len(stacks) - 1}")]
    stack = stacks[committed]
    if stack.guard is not None:
        return [
            Flaw("/committed", f"the secret of slot {committed} lies under a guard, so it cannot have been flipped")
        ]
    if stack.secret is None:
        return [Flaw("/committed", f"slot {committed} has no secret")]
    if not isinstance(stack.secret, Card):
        return [Flaw(f"/stacks/{committed}/secret", "a committed secret lies face up: write its card")]
    return []

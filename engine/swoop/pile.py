"""One play: whether it may be made, and what it does to the pile (rules.md §2.2, §2.3).

Pure of any match, so that the same code judges a play sent by itself, where secrets may be face down and unknown
(`FACE_DOWN`), and a play of a running match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from engine.cards import Card, Rank, in_order, missing, not_held, without
from engine.errors import Flaw, ImpossibleHand, Invalid, Violation
from engine.swoop.moves import Play
from engine.swoop.rules import MAX_STACKS, SwoopRules
from engine.swoop.state import Seat, Stack

Effect = Literal["safe", "clear", "pickup"]
Turn = Literal["passes", "continues", "over"]
FaceDown = Literal["??"]
FACE_DOWN: Final[FaceDown] = "??"

# Cards sent by themselves may come from up to four decks, which is what eight players use.
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
    if len(play.hand) > len(hand) or any(hand.count(card) < play.hand.count(card) for card in play.hand):
        return _not_held(hand, stacks, play)
    cards = [*play.hand]
    for slot in play.guards:
        guard = stacks[slot].guard if 0 <= slot < len(stacks) else None
        if guard is None:
            return _not_held(hand, stacks, play)
        cards.append(guard)
    if len(set(play.guards)) < len(play.guards):
        return _not_held(hand, stacks, play)
    if committed is not None:
        cards.append(_known(stacks[committed].secret))
    if not cards:
        return Violation("empty_play", "a play needs at least one card; there is no passing")
    if len({card.rank for card in cards}) == 1:
        return None
    wanted = "of one rank" if committed is None else f"of the rank of the committed secret, {cards[-1]}"
    return Violation("mixed_ranks", f"the cards of a play must all be {wanted}", tuple(cards))


def _not_held(hand: Sequence[Card], stacks: Sequence[K], play: Play) -> Violation:
    lacking = missing(play.hand, hand)
    guards = {slot: stack.guard for slot, stack in enumerate(stacks) if stack.guard is not None}
    wrong = [not_held(lacking, hand)] if lacking else []
    for slot, times in islice(Counter(play.guards).items(), MAX_STACKS):
        if slot not in guards:
            wrong.append(f"slot {slot} has no guard")
        elif times > 1:
            wrong.append(f"the guard of slot {slot} is named more than once")
    holds = " ".join(in_order(hand)) or "no card"
    laid = ", ".join(f"{card} in slot {slot}" for slot, card in guards.items()) or "none"
    return Violation("card_not_held", f"{'; '.join(wrong)}; the hand holds {holds}, guards are {laid}", lacking)


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
    """Refuse a table that cannot lie before a play; the way to it is not asked. Raises `Invalid` for stacks and slots that
    cannot be, `ImpossibleHand` for cards that cannot lie there or so often; each names every such place."""
    flaws = [] if committed is None else _committed_flaws(stacks, committed)
    if not 1 <= len(stacks) <= MAX_STACKS:
        flaws.append(Flaw("/stacks", f"must be from 1 to {MAX_STACKS} stacks"))
    if flaws:
        raise Invalid(*flaws)
    never = [
        Flaw(f"/pile/{place}", f"{card} clears the pile, so it never lies there")
        for place, card in enumerate(pile)
        if always_clears(card.rank)
    ]
    if never or (never := _copy_flaws(rules, (*_placed("/pile", pile), *_held("", hand, stacks)))):
        raise ImpossibleHand(*never)


def check_round(rules: SwoopRules, seats: Sequence[Seat]) -> None:
    """Refuse what seats hold at the end of a round: raises `ImpossibleHand` at every card that is one copy too many."""
    places = (place for number, seat in enumerate(seats) for place in _held(f"/seats/{number}", seat.hand, seat.stacks))
    if flaws := _copy_flaws(rules, places):
        raise ImpossibleHand(*flaws)


def _held(at: str, hand: Sequence[Card], stacks: Sequence[K]) -> Iterator[tuple[str, Card]]:
    """The known cards of a hand and its stacks, each with its pointer."""
    yield from _placed(f"{at}/hand", hand)
    for slot, stack in enumerate(stacks):
        for part, card in (("guard", stack.guard), ("secret", stack.secret)):
            if isinstance(card, Card):
                yield f"{at}/stacks/{slot}/{part}", card


def _placed(at: str, cards: Sequence[Card]) -> Iterator[tuple[str, Card]]:
    return ((f"{at}/{place}", card) for place, card in enumerate(cards))


def _copy_flaws(rules: SwoopRules, places: Iterable[tuple[str, Card]]) -> list[Flaw]:
    """The places, each a pointer and its card, that hold one copy of a face too many for cards sent by themselves."""
    decks = max(LOOSE_COPIES, rules.decks or 0)
    most = {False: decks, True: max(decks, rules.jokers_in(decks))}
    seen: Counter[Card] = Counter()
    flaws = []
    for pointer, card in places:
        seen[card] += 1
        if seen[card] > most[card.is_joker]:
            flaws.append(Flaw(pointer, f"there are at most {most[card.is_joker]} cards {card}"))
    return flaws


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

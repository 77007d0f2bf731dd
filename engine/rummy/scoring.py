"""What a round costs each seat (rules.md §1.5, §1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.cards import FACES, RANKS, Card, Rank
from engine.game import Points
from engine.rummy.arrangement import Arrangement, Group
from engine.rummy.melds import is_wild
from engine.rummy.rules import RummyRules
from engine.rummy.state import Result, Status


def costs(wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, int]:
    """What each card costs loose: what the rules say of its rank, a wildcard nothing."""
    return _costs(wild_rank, rules.rank_points)


@lru_cache(256)  # solvers ask this all the time
def _costs(wild_rank: Rank | None, points: tuple[int, ...]) -> Mapping[Card, int]:
    of_rank: Mapping[Rank | None, int] = dict(zip(RANKS, points, strict=True))
    return {card: 0 if is_wild(card, wild_rank) else of_rank[card.rank] for card in FACES}


def loose_points(cards: Iterable[Card], wild_rank: Rank | None, rules: RummyRules) -> int:
    """What loose cards cost one by one, together."""
    of_card = costs(wild_rank, rules)
    return sum(of_card[card] for card in cards)


def count(arrangement: Arrangement, rules: RummyRules) -> int:
    """What an arrangement that a hand is scored by costs before halving and any cap: its loose cards, or the full count where
    no pure sequence counts (option `full_count_without_pure`)."""
    flat = rules.full_count_without_pure
    if flat is None or any(group.kind == "pure_sequence" for group in arrangement.groups):
        return arrangement.points
    return flat


def counting(groups: Sequence[Group], rules: RummyRules) -> tuple[Group, ...]:
    """The groups of one arrangement that count in a score; the cards of the others are loose (rules.md §1.6).

    Of more trios than `max_trios_scored` the first count.
    """
    pure = sum(group.kind == "pure_sequence" for group in groups)
    impure = sum(group.kind == "impure_sequence" for group in groups)
    if not pure and rules.pure_or_all_loose:
        return ()
    if not pure and rules.impure_needs_pure:
        impure = 0
    if pure and pure + impure < 2 and rules.no_second_all_loose:
        return ()
    room = {"pure_sequence": pure, "impure_sequence": impure, "trio": 0}
    if trios_count(pure, impure, rules):
        room["trio"] = len(groups) if rules.max_trios_scored is None else rules.max_trios_scored
    kept = []
    for group in groups:
        if room[group.kind] > 0:
            room[group.kind] -= 1
            kept.append(group)
    return tuple(kept)


def trios_count(pure: int, impure: int, rules: RummyRules) -> bool:
    """Whether trios count beside so many pure and impure sequences (option `trio_needs`)."""
    match rules.trio_needs:
        case "nothing":
            return True
        case "impure_sequence":
            return impure >= 1
        case "pure_and_second":
            return pure >= 1 and pure + impure >= 2
        case _:  # second_sequence, the kinder reading: a second pure sequence is never worse than an impure one
            return impure >= 1 or pure >= 2


def score_round(
    seats: Sequence[tuple[Status, Arrangement | None]], winner: int | None, halved: Sequence[bool], rules: RummyRules
) -> tuple[Result, ...]:
    """Score each seat, given as its status and its arrangement: the winner's declaration if it is known, and for a loser
    still in the one with the fewest points by the rules of scoring, whether or not its hand could have been declared.

    `winner` is None where nobody declared; `halved` is what `halved_seats` says.
    """
    return tuple(
        Result(0, "won", arrangement) if seat == winner else _lost(status, arrangement, halved[seat], rules)
        for seat, (status, arrangement) in enumerate(seats)
    )


def _lost(status: Status, arrangement: Arrangement | None, halve: bool, rules: RummyRules) -> Result:
    match status:
        case "packed_first":
            return Result(rules.pack_first, status, None)
        case "packed_later":
            return Result(rules.pack_later, status, None)
        case "penalised":
            return Result(rules.invalid_declaration_points, status, None)
        case "not_dealt":
            return Result(0, status, None)
    if arrangement is None:
        raise ValueError("a loser who is still in needs an arrangement")
    return Result(charged(count(arrangement, rules), halve, rules), "loose", arrangement)


def halved_seats(first_turn: bool, no_turn: Sequence[bool], declared: bool, rules: RummyRules) -> tuple[bool, ...]:
    """Whose totals are halved (options `first_turn_halves`, `halves_for`): `first_turn` says that the very first turn of the
    round won it, `no_turn` of each seat whether it has had no turn, `declared` whether a seat declared."""
    if not rules.first_turn_halves:
        return (False,) * len(no_turn)
    if rules.halves_for == "all":
        return (first_turn,) * len(no_turn)
    return tuple(declared and none for none in no_turn)


def charged(points: int, halve: bool, rules: RummyRules) -> Points:
    """What a loser's count comes to after halving and the cap, in the order that the rules say."""
    cap = points if rules.points_cap is None else rules.points_cap
    total: Points = min(points, cap) if rules.cap_before_halving else points
    if halve:
        half, odd = divmod(int(total), 2)
        total = half if not odd else {"down": half, "up": half + 1, "exact": half + 0.5}[rules.halve_rounding]
    return min(total, cap)


def settlement(points: Sequence[Points], winner: int | None) -> tuple[Points, ...]:
    """Who pays whom: each loser its points, the winner gets them all; nobody pays where nobody won. The sum is zero."""
    if winner is None:
        return (0,) * len(points)
    paid = [-lost for lost in points]
    paid[winner] = sum(points) - points[winner]
    return tuple(paid)

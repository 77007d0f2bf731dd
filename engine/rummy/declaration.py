"""Whether an arrangement is a winning declaration, and every fault it has (rules.md §1.3).

This is the specification that the solver is held to: `verify_scored` and `verify_declaration` check each of its answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from engine.cards import Card, Rank, missing, not_held
from engine.rummy.arrangement import Arrangement, Group, Kind
from engine.rummy.melds import fault_of, read_as, readings
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.scoring import counting, loose_points
from engine.rummy.verdicts import Fault
from engine.rummy.verdicts import GroupVerdict as GroupVerdict
from engine.rummy.verdicts import Verdict as Verdict


class WrongArrangement(Exception):
    """An arranger's answer that is no arrangement of the hand it was asked about."""


def judge(
    groups: Sequence[Sequence[Card]],
    wild_rank: Rank | None,
    rules: RummyRules,
    hand: Sequence[Card] | None = None,
    fold: Card | None = None,
) -> Verdict:
    """Judge groups as sent, against a hand of 13 or 14 cards if it is given.

    Of a hand of 14, `fold` is the card laid down; without it, the one card in no group is.
    """
    verdicts = _judge_groups(groups, wild_rank, rules)
    grouped = [card for cards in groups for card in cards]
    faults = list(_hand_faults(grouped, hand, fold)) if hand is not None else []
    if len(grouped) != HAND_SIZE:
        faults.append(
            Fault("not_thirteen_cards", f"a declaration groups {HAND_SIZE} cards, these groups hold {len(grouped)}")
        )
    faults.extend(declaration_faults([verdict.group for verdict in verdicts if verdict.group], rules))
    valid = not faults and all(verdict.fault is None for verdict in verdicts)
    return Verdict(valid, verdicts, tuple(faults), _remaining(grouped, hand, fold))


def declaration_faults(groups: Sequence[Group], rules: RummyRules) -> tuple[Fault, ...]:
    """The faults of groups as a declaration, all that apply; whether they hold the right cards is not asked here."""
    sequences = [group for group in groups if group.kind != "trio"]
    faults = []
    has_pure = any(group.kind == "pure_sequence" for group in sequences)
    if not has_pure:
        faults.append(
            Fault("no_pure_sequence", "a declaration needs a pure sequence: consecutive cards of one suit, no wildcard")
        )
    if len(sequences) < 2:
        faults.append(Fault("no_second_sequence", "a declaration needs a second sequence, pure or impure"))
    if has_pure and len(sequences) >= 2 and not _opens(sequences, rules):
        faults.append(Fault("opening_cards", _opening_message(sequences, rules)))
    trios = len(groups) - len(sequences)
    if rules.max_trios is not None and trios > rules.max_trios:
        faults.append(Fault("too_many_trios", f"a declaration may hold {rules.max_trios} trios, this one has {trios}"))
    return tuple(faults)


def _opens(sequences: Sequence[Group], rules: RummyRules) -> bool:
    if rules.opening_cards is None:
        return True
    least, most = rules.opening_cards
    return any(
        first.kind == "pure_sequence" and least <= len(first.cards) + len(second.cards) <= most
        for first, second in permutations(sequences, 2)
    )


def _opening_message(sequences: Sequence[Group], rules: RummyRules) -> str:
    least, most = rules.opening_cards or (0, 0)
    sizes = ", ".join(f"{len(group.cards)} ({group.kind.removesuffix('_sequence')})" for group in sequences)
    return (
        f"a pure sequence and another one must hold {least} to {most} cards together; the sequences here hold {sizes}"
    )


def _judge_groups(
    groups: Sequence[Sequence[Card]], wild_rank: Rank | None, rules: RummyRules
) -> tuple[GroupVerdict, ...]:
    """Each group as the kind that helps the player most. Where a trio helps as much as an impure sequence, it is one: a
    player who lays 7H and two jokers down calls them so."""
    found = [readings(cards, wild_rank, rules) for cards in groups]
    shown = [kinds[0] if kinds else None for kinds in found]
    needed = _fault_codes(shown, rules)
    for place, kinds in enumerate(found):
        if len(kinds) > 1 and (kinds[0].kind, kinds[-1].kind) == ("impure_sequence", "trio"):
            as_trio = [*shown[:place], kinds[-1], *shown[place + 1 :]]
            if _fault_codes(as_trio, rules) == needed:
                shown = as_trio
    return tuple(
        GroupVerdict(
            cards=tuple(cards),
            group=shown[place],
            kinds=tuple(group.kind for group in found[place]),
            fault=None if found[place] else fault_of(cards, wild_rank, rules),
        )
        for place, cards in enumerate(groups)
    )


def _fault_codes(groups: Sequence[Group | None], rules: RummyRules) -> list[str]:
    return [fault.code for fault in declaration_faults([group for group in groups if group], rules)]


def _hand_faults(grouped: Sequence[Card], hand: Sequence[Card], fold: Card | None) -> tuple[Fault, ...]:
    faults = []
    used = [*grouped, fold] if fold is not None else list(grouped)
    if foreign := missing(used, hand):
        faults.append(Fault("cards_not_in_hand", not_held(foreign, hand)))
    left = missing(hand, used)
    may_stay = len(hand) - HAND_SIZE if fold is None else 0
    if len(left) > max(may_stay, 0):
        faults.append(
            Fault(
                "ungrouped_cards",
                f"in no group: {' '.join(left)}" + ("; one of them may be folded" if may_stay > 0 else ""),
            )
        )
    return tuple(faults)


def _remaining(grouped: Sequence[Card], hand: Sequence[Card] | None, fold: Card | None) -> tuple[Card, ...] | None:
    """The thirteen cards of the declaration, if groups, hand and fold leave no doubt which they are."""
    if hand is None:
        cards: Sequence[Card] = grouped
    elif fold is not None:
        cards = missing(hand, [fold])
    elif len(hand) > HAND_SIZE:
        cards = grouped if not missing(grouped, hand) else ()
    else:
        cards = hand
    return tuple(cards) if len(cards) == HAND_SIZE else None


Parts = Sequence[tuple[Kind, Sequence[Card]]]  # groups as they are meant, not yet laid out


def arrange_scored(
    hand: Sequence[Card], groups: Parts, loose: Sequence[Card], wild_rank: Rank | None, rules: RummyRules
) -> Arrangement:
    """The arrangement of a hand in these groups, with these cards in none, by which it may be scored. Raises
    `WrongArrangement` where `verify_scored` would."""
    arrangement = _arrange(hand, groups, loose, wild_rank, rules)
    _all_count(arrangement, rules)
    return arrangement


def arrange_declaration(hand: Sequence[Card], groups: Parts, wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
    """The winning declaration of a hand in these groups. Raises `WrongArrangement` where `verify_declaration` would."""
    arrangement = _arrange(hand, groups, (), wild_rank, rules)
    _wins(arrangement)
    return arrangement


def verify_scored(hand: Sequence[Card], arrangement: Arrangement, wild_rank: Rank | None, rules: RummyRules) -> None:
    """Raise `WrongArrangement` unless a hand may be scored by the arrangement: its cards, its groups, which all count, its
    points. That no other leaves fewer is not asked here."""
    _verify(hand, arrangement, wild_rank, rules)
    _all_count(arrangement, rules)


def verify_declaration(
    hand: Sequence[Card], arrangement: Arrangement, wild_rank: Rank | None, rules: RummyRules
) -> None:
    """Raise `WrongArrangement` unless the arrangement is a winning declaration of this hand."""
    _verify(hand, arrangement, wild_rank, rules)
    _wins(arrangement)


def _verify(hand: Sequence[Card], arrangement: Arrangement, wild_rank: Rank | None, rules: RummyRules) -> None:
    """An arrangement is right if it is the one that its groups and loose cards make."""
    parts = [(group.kind, group.cards) for group in arrangement.groups]
    right = _arrange(hand, parts, arrangement.loose, wild_rank, rules)
    if arrangement.groups != right.groups:
        raise WrongArrangement("a group is not laid out as the rules read it")
    if arrangement.points != right.points:
        raise WrongArrangement("the points are not those of the loose cards")
    if arrangement.declarable != right.declarable:
        raise WrongArrangement("it is declarable if and only if all cards are grouped without a fault")


def _arrange(
    hand: Sequence[Card], parts: Parts, loose: Sequence[Card], wild_rank: Rank | None, rules: RummyRules
) -> Arrangement:
    held = [*loose]
    groups: list[Group] = []
    for kind, cards in parts:
        held += cards
        group = read_as(kind, cards, wild_rank, rules)
        if group is None:
            raise WrongArrangement(f"{' '.join(cards)} are no {kind}")
        groups.append(group)
    held.sort()  # as texts: faces that are equal are the same text
    if held != sorted(hand):
        raise WrongArrangement("the cards are not those of the hand")
    wins = not loose and not declaration_faults(groups, rules)
    return Arrangement(tuple(groups), tuple(loose), loose_points(loose, wild_rank, rules), wins)


def _all_count(arrangement: Arrangement, rules: RummyRules) -> None:
    if arrangement.groups and counting(arrangement.groups, rules) != arrangement.groups:
        raise WrongArrangement("a group is listed that does not count")


def _wins(arrangement: Arrangement) -> None:
    if not arrangement.declarable:
        raise WrongArrangement("it is no winning declaration")

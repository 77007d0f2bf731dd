"""Which moves are legal, and why the others are not (rules.md §1.3–§1.5, §1.7): the only legality code of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from engine.cards import FACES, Card, Rank, in_order, missing, not_held, without
from engine.errors import Violation
from engine.game import Listed, RefereeMove, check_address, check_seat
from engine.referee import agree_violation, is_pause, referee_moves, referee_violation, rejoins
from engine.rummy.arrangement import Arrangement, Arranger
from engine.rummy.declaration import Verdict, judge
from engine.rummy.melds import is_wild, read_as
from engine.rummy.moves import AgreeSplit, Declare, Discard, Draw, Move, Pack, Source
from engine.rummy.rules import RummyRules
from engine.rummy.state import State

VIOLATIONS: Mapping[str, str] = {
    "game_over": "The match is over.",
    "not_your_turn": "Another seat is to move, or none is.",
    "wrong_phase": "The move belongs to another moment: draw or pack first, then discard or declare; the referee deals when a round is over, and then seats rejoin or agree to split.",
    "rejoin_impossible": "The seat may not come back: the last round did not put it out, or pool_rejoins or pool_rejoin_ceiling forbid it.",
    "split_impossible": "The pot cannot be split by agreement (pool_split), or the seat is out or has agreed already.",
    "packing_off": "Nobody may pack in this match (packing).",
    "card_not_held": "The seat does not hold a card that the move names, or not so often.",
    "stock_empty": "The stock is empty and the discard pile has nothing to shuffle into it.",
    "discard_empty": "The discard pile is empty.",
    "wild_discard": "A wildcard may not be taken from the discard pile, unless it started the pile (may_take_discarded_wild).",
    "taken_card": "The card just taken from the discard pile may not be discarded, unless another copy was held (may_discard_taken_card).",
    "regroup": "The groups sent fail while another grouping of the same cards works; it is in the problem's `regroup`.",
    "not_declarable": "The thirteen cards left cannot be grouped as a declaration.",
}

_DRAWS = tuple(Draw(source) for source in get_args(Source))
_PACK = Pack()
_AGREE = AgreeSplit()
_DISCARDS = {card: Discard(card) for card in FACES}
_DECLARES = {card: Declare(card) for card in FACES}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a legal declaration comes to: the winning grouping, or None if it fails and is to be punished."""

    grouping: Arrangement | None


def violation(state: State, seat: int | None, move: Move, arranger: Arranger) -> Violation | None:
    """Why a move is illegal, or None. Raises `Invalid` for a move that this caller could never make, and `Undecided`
    where the arranger cannot prove its answer."""
    found = basic_violation(state, seat, move)
    if found is None and isinstance(move, Declare) and state.turn is not None:
        ruling = rule(state, state.seats[state.turn].hand, move, arranger)
        return ruling if isinstance(ruling, Violation) else None
    return found


def basic_violation(state: State, seat: int | None, move: Move) -> Violation | None:
    """All of `violation` but the judgement of a declaration, for which a grouping may have to be found: see `rule`."""
    check_address(len(state.seats), seat, move)
    if state.phase == "match_over":
        return Violation("game_over", "the match is over; no move is legal")
    if isinstance(move, RefereeMove):
        return referee_violation(state, state.rules.terms, move)
    if isinstance(move, AgreeSplit):
        assert seat is not None  # else its address was wrong
        return agree_violation(state, state.rules.terms, seat)
    if state.turn is None:
        return Violation("not_your_turn", "the round is over; the referee deals the next one")
    if seat != state.turn:
        return Violation("not_your_turn", f"seat {state.turn} is to move")
    if isinstance(move, Draw | Pack):
        if state.phase != "draw":
            return Violation("wrong_phase", "a card has been drawn; discard a card or declare")
        return _draw_violation(state, move) if isinstance(move, Draw) else _pack_violation(state)
    if state.phase != "discard":
        return Violation("wrong_phase", f"draw a card first{_or_pack(state)}")
    hand = state.seats[state.turn].hand
    if isinstance(move, Discard):
        return _discard_violation(state, hand, move.card)
    named = [move.fold, *(card for cards in move.groups or () for card in cards)]
    return _not_held(missing(named, hand), hand)


def rule(state: State, hand: tuple[Card, ...], move: Declare, arranger: Arranger) -> Ruling | Violation:
    """Judge a declaration of cards that are in `hand` (rules.md §1.3, "Whose grouping").

    Groups that are sent are judged as sent. If they fail, the hand may still win under ``declaration_judged: hand``, and
    under ``reject`` the answer names a grouping that works.
    """
    rules, wild_rank = state.rules, state.wild_rank
    if move.groups is not None:
        verdict = judge(move.groups, wild_rank, rules, hand, move.fold)
        if verdict.valid:
            return Ruling(laid_out(verdict, wild_rank, rules))
        if rules.invalid_declaration == "penalty" and rules.declaration_judged == "groups":
            return Ruling(None)
    found = arranger.declaration(without(hand, (move.fold,)), wild_rank, rules)
    if rules.invalid_declaration == "penalty":
        return Ruling(found)
    if found is None:
        return _not_declarable(move.fold)
    if move.groups is None:
        return Ruling(found)
    faults = [judged.fault for judged in verdict.groups if judged.fault] + list(verdict.faults)
    return Violation(
        "regroup",
        f"these groups are no declaration ({faults[0].message}); others of the same cards are",
        regroup=tuple(group.cards for group in found.groups),
    )


def legal_moves(state: State, seat: int | None, arranger: Arranger) -> tuple[Move, ...]:
    """The legal moves of a seat, or of the referee (None). Discards are listed once a face, and `declare` once for each
    face whose fold wins, with the grouping left to the referee. Raises `Invalid` for a seat that does not exist, and
    `Undecided` where the arranger cannot prove which folds win."""
    check_seat(len(state.seats), seat)
    if seat is None:
        return (*referee_moves(state), *rejoins(state, state.rules.terms))
    if is_pause(state):
        return (_AGREE,) if agree_violation(state, state.rules.terms, seat) is None else ()
    if seat != state.turn:
        return ()
    if state.phase == "draw":
        draws = (draw for draw in _DRAWS if _draw_violation(state, draw) is None)
        return (*draws, _PACK) if state.rules.packing else tuple(draws)
    hand = state.seats[seat].hand
    folds = arranger.folds(hand, state.wild_rank, state.rules)
    discards = tuple([_DISCARDS[card] for card in discardable(state, hand)])
    return (*discards, *[_DECLARES[card] for card in in_order(folds)]) if folds else discards


def all_moves(state: State, seat: int | None, arranger: Arranger) -> Listed[Move]:
    """The same as `legal_moves`, which leaves out no face."""
    return Listed(legal_moves(state, seat, arranger))


def discardable(state: State, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """The faces that the seat to move may discard of this hand after its draw, in the order of faces."""
    faces = in_order(set(hand))
    return faces if _may_discard(state, hand, state.taken) else without(faces, (state.taken,) if state.taken else ())


def _pack_violation(state: State) -> Violation | None:
    return None if state.rules.packing else Violation("packing_off", "nobody may pack in this match; draw a card")


def _or_pack(state: State) -> str:
    """The end of a sentence about what a seat may do before it draws."""
    return " or pack" if state.rules.packing else ""


def _draw_violation(state: State, move: Draw) -> Violation | None:
    discard = state.discard
    if move.source == "stock":
        if state.stock or len(discard) > 1:
            return None
        return Violation(
            "stock_empty",
            f"the stock is empty and there is nothing to shuffle; draw from the discard pile{_or_pack(state)}",
        )
    if not discard:
        return Violation("discard_empty", f"the discard pile is empty; draw from the stock{_or_pack(state)}")
    if state.rules.may_take_discarded_wild or not is_wild(discard[-1], state.wild_rank):
        return None
    if state.opening and len(discard) == 1:
        return None
    return Violation(
        "wild_discard",
        f"{discard[-1]} is a wildcard and may not be taken; draw from the stock{_or_pack(state)}",
        discard[-1:],
    )


def _discard_violation(state: State, hand: tuple[Card, ...], card: Card) -> Violation | None:
    if card not in hand:
        return _not_held((card,), hand)
    if not _may_discard(state, hand, card):
        return Violation("taken_card", f"{card} was just taken from the discard pile; discard another card", (card,))
    return None


def _may_discard(state: State, hand: tuple[Card, ...], card: Card | None) -> bool:
    """Whether the rule of the taken card lets a held card go: with a second copy in hand, it could have been the other."""
    return card is None or card != state.taken or state.rules.may_discard_taken_card or hand.count(card) > 1


def _not_held(cards: tuple[Card, ...], hand: tuple[Card, ...]) -> Violation | None:
    if not cards:
        return None
    return Violation("card_not_held", f"{not_held(cards, hand)}; name cards of the hand", cards)


def _not_declarable(fold: Card) -> Violation:
    return Violation("not_declarable", f"without {fold} the hand is no declaration; discard a card", (fold,))


def laid_out(verdict: Verdict, wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
    """A valid declaration as an arrangement, each group in the order of what its cards stand for."""
    found = (judged.group for judged in verdict.groups)
    groups = (read_as(group.kind, group.cards, wild_rank, rules) for group in found if group)
    return Arrangement(tuple(group for group in groups if group), (), 0, True)

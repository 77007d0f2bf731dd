"""States from outside: what no game can reach is refused with its place."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import fields, replace

import pytest

from engine.cards import FACES, JOKER, Card
from engine.errors import CorruptState
from engine.game import NextRound
from engine.match import Ending
from engine.rummy.deal import whole_deck
from engine.rummy.game import GAME
from engine.rummy.moves import Declare, Pack
from engine.rummy.rules import HOUSE, INDIAN
from engine.rummy.state import State
from tests.engine.laws import examine
from tests.engine.playing import deal, play, positions
from tests.engine.registry import HABITS
from tests.engine.rummy.tables import HOPELESS, SEARCH, WINNING, cards, position
from tests.engine.rummy.test_play_turn import step
from tests.engine.totals import totalling

DRAW = position(HOPELESS, None, None, lap=1)
DRAWN = position(HOPELESS, None, None, lap=1, drawn="3C")
PACKED = position(HOPELESS, None, None, lap=1, statuses=("in", "packed_later"))
OVER = step(position(WINNING, None, None, lap=1, drawn="KC"), Declare(Card("KC")))[0]
SECOND = step(OVER, NextRound())[0]
LAST = OVER.last_round
DEALT = position(None, None)
UNDER = step(position(HOPELESS, None, None), Pack())[0]
WON_BY_PACK = step(position(HOPELESS, None, lap=1), Pack())[0]


def seat(state: State, number: int, **changes: object) -> tuple[object, ...]:
    return tuple(replace(player, **changes) if at == number else player for at, player in enumerate(state.seats))


def result(number: int, **changes: object) -> object:
    changed = tuple(replace(one, **changes) if at == number else one for at, one in enumerate(LAST.results))
    return replace(LAST, results=changed)


def totals(state: State, *points: float, **fields: object) -> dict[str, object]:
    return {"match": replace(totalling(state.match, *points), **fields)}


def swapped(state: State) -> tuple[Card, ...]:
    """A stock with a card that is not there instead of one that is."""
    return (next(face for face in FACES if face not in state.stock), *state.stock[1:])


BROKEN = {
    "seed too short": (DRAW, {"seed": "ab"}, "/seed"),
    "seed of other letters": (DRAW, {"seed": "x" * 64}, "/seed"),
    "round 0": (DRAW, {"round": 0}, "/round"),
    "round too great": (DRAW, {"round": 10**12}, "/round"),
    "no shuffle": (DRAW, {"shuffles": 0}, "/shuffles"),
    "shuffles too many": (DRAW, {"shuffles": 10**6}, "/shuffles"),
    "a second shuffle before anything was played": (DEALT, {"shuffles": 2}, "/shuffles"),
    "nine shuffles before anything was played": (DEALT, {"shuffles": 9}, "/shuffles"),
    "a shuffle too many in round 2": (SECOND, {"shuffles": 44}, "/shuffles"),
    "a shuffle too few in round 2": (SECOND, {"shuffles": 1}, "/shuffles"),
    "a hand under the stock that was not shuffled": (UNDER, {"shuffles": 1}, "/shuffles"),
    "a shuffle for a hand that went elsewhere": (PACKED, {"shuffles": 2}, "/shuffles"),
    "starter": (DRAW, {"starter": 3}, "/starter"),
    "a total missing": (DRAW, totals(DRAW, 0, 0), "/match/entrants"),
    "a total below zero": (SECOND, totals(SECOND, -1, *SECOND.totals[1:]), "/totals"),
    "a total too great": (SECOND, totals(SECOND, 500, *SECOND.totals[1:]), "/totals"),
    "a total before any round": (DRAW, totals(DRAW, 5, 0, 0), "/totals"),
    "a total without its round": (OVER, totals(OVER, 0, 0, 0), "/totals"),
    "half points": (SECOND, totals(SECOND, 0.5, *SECOND.totals[1:]), "/totals"),
    "nobody to move": (DRAW, {"turn": None}, "/turn"),
    "a seat to move that is not": (DRAW, {"turn": 7}, "/turn"),
    "a seat to move below zero": (DRAW, {"turn": -1}, "/turn"),
    "a seat to move after the round": (OVER, {"turn": 0}, "/turn"),
    "a seat to move that packed": (PACKED, {"turn": 1}, "/turn"),
    "the wrong seat to move": (DRAW, {"turn": 1}, "/seats/0/turns"),
    "taken too early": (DRAW, {"taken": DRAW.seats[0].hand[0]}, "/taken"),
    "taken what is not held": (DRAWN, {"taken": Card("2C")}, "/taken"),
    "phase discard without a card": (DRAW, {"phase": "discard"}, "/seats"),
    "phase draw with fourteen": (DRAWN, {"phase": "draw"}, "/seats/0/hand"),
    "aborted while played": (DRAW, {"aborted": True}, "/aborted"),
    "over without a score": (DRAW, {"phase": "round_over", "turn": None}, "/last_round"),
    "scored while played": (DRAW, {"last_round": LAST}, "/last_round"),
    "match over too early": (OVER, {"phase": "match_over"}, "/match/ending"),
    "match not over": (OVER, {"rules": replace(HOUSE, rounds=1)}, "/phase"),
    "match over long ago": (replace(OVER, phase="match_over"), {"rules": replace(HOUSE, target_points=1), "round": 2,
        **totals(OVER, *(2 * total for total in OVER.totals), rounds=2, ending=Ending((0,), "target")),
        "last_round": replace(LAST, round=2), "shuffles": 2}, "/round"),
    "a card too many": (DRAW, {"stock": (*DRAW.stock, JOKER)}, ""),
    "a card missing": (DRAW, {"stock": DRAW.stock[1:]}, ""),
    "a card twice": (DRAW, {"stock": swapped(DRAW)}, ""),
    "another wild rank": (DRAW, {"wild_rank": "8"}, "/wild_rank"),
    "no wild rank": (DRAW, {"wild_rank": None}, "/wild_rank"),
    "too few cards": (position(HOPELESS, None, None, None, None), {"rules": replace(HOUSE, decks=1)}, "/seats"),
    "a packed seat with cards": (PACKED, {"seats": seat(PACKED, 1, hand=PACKED.removed), "removed": ()}, "/seats/1/hand"),
    "packed later without a turn": (PACKED, {"seats": seat(PACKED, 1, turns=0)}, "/seats/1/turns"),
    "packed first after many turns": (PACKED, {"seats": seat(PACKED, 1, status="packed_first", turns=2)}, "/seats/1/turns"),
    "penalised under reject": (PACKED, {"seats": seat(PACKED, 1, status="penalised")}, "/seats/1/status"),
    "turns below zero": (DRAW, {"seats": seat(DRAW, 0, turns=-1)}, "/seats/0/turns"),
    "turns out of order": (DRAW, {"seats": seat(DRAW, 2, turns=2), "plies": 7}, "/seats/2/turns"),
    "packed cards nowhere": (PACKED, {"removed": (), "stock": PACKED.stock + PACKED.removed}, "/removed"),
    "one seat left": (PACKED, {"seats": (PACKED.seats[0], PACKED.seats[1], replace(PACKED.seats[2], status="packed_later",
        hand=())), "removed": PACKED.removed + PACKED.seats[2].hand}, "/seats"),
    "no turn left": (DRAW, {"rules": replace(HOUSE, max_turns=3)}, "/seats"),
    "too few moves": (DRAW, {"plies": 2}, "/plies"),
    "too many moves": (DRAW, {"plies": 99}, "/plies"),
    "a pile before the first turn": (position(HOPELESS, None), {"opening": False}, "/discard"),
    "an opening card nowhere": (DRAW, {"opening": True, "discard": (), "stock": DRAW.stock + DRAW.discard}, "/opening"),
    "a turn without a discard": (DRAW, {"discard": (), "stock": DRAW.stock + DRAW.discard}, "/discard"),
    "a score of another round": (SECOND, {"last_round": replace(LAST, round=7)}, "/last_round"),
    "no score in round 2": (SECOND, {"last_round": None}, "/last_round"),
    "a result missing": (OVER, {"last_round": replace(LAST, results=LAST.results[1:])}, "/last_round"),
    "a winner that is not": (OVER, {"last_round": replace(LAST, winner=9)}, "/last_round"),
    "another winner": (OVER, {"last_round": replace(LAST, winner=1)}, "/last_round/results/0"),
    "another settlement": (OVER, {"last_round": replace(LAST, settlement=(0, 0, 0))}, "/last_round/settlement"),
    "no fold": (OVER, {"last_round": replace(LAST, fold=None)}, "/last_round"),
    "called a first turn": (OVER, {"last_round": replace(LAST, first_turn=True)}, "/last_round/first_turn"),
    "a loser without a grouping": (OVER, {"last_round": result(1, grouping=None)}, "/last_round/results/1/grouping"),
    "a grouping of another hand": (OVER, {"last_round": result(1, grouping=LAST.results[2].grouping)}, "/last_round/results/1/grouping"),
    "a declaration that is none": (OVER, {"last_round": result(0, grouping=LAST.results[1].grouping)}, "/last_round/results/0/grouping"),
    "won by packs, with a grouping": (WON_BY_PACK, {"last_round": replace(WON_BY_PACK.last_round, results=(
        WON_BY_PACK.last_round.results[0], LAST.results[0]))}, "/last_round/results/1/grouping"),
    "won by packs, with two left": (OVER, {"last_round": replace(LAST, fold=None, results=LAST.results)}, "/last_round"),
    "another price of a pack": (WON_BY_PACK, {"rules": replace(HOUSE, pack_later=41)}, "/last_round/results/0"),
}  # fmt: skip


@pytest.mark.parametrize(("state", "changes", "pointer"), BROKEN.values(), ids=BROKEN)
def test_a_state_that_no_game_reaches(state, changes, pointer):
    with pytest.raises(CorruptState) as refused:
        GAME.check(replace(state, **changes))
    assert pointer in [flaw.pointer for flaw in refused.value.flaws]
    assert all(flaw.detail for flaw in refused.value.flaws)


def test_a_joker_left_as_wild_card():
    left = position(HOPELESS, None, wild="JK", rules=replace(HOUSE, exposed_joker="jokers_only"))
    GAME.check(left)
    with pytest.raises(CorruptState):
        GAME.check(replace(left, rules=HOUSE))


def test_points_that_no_rule_charges():
    dearer = tuple(replace(one, points=one.points + 1) if one.reason == "loose" else one for one in LAST.results)
    paid = (LAST.settlement[0] + 2, *(lost - 1 for lost in LAST.settlement[1:]))
    changed = replace(LAST, results=dearer, settlement=paid)
    with pytest.raises(CorruptState, match="not what the rules charge"):
        GAME.check(replace(OVER, last_round=changed, **totals(OVER, *(one.points for one in dearer))))


def test_half_points_where_the_rules_keep_them():
    rules = replace(HOUSE, halve_rounding="exact")
    state = position(WINNING, "6H 7H 8H 3D KD JS TC AC 5D 7D AS 4C JH", drawn="KC", rules=rules)
    after, _ = step(state, Declare(Card("KC")))
    assert after.totals == (0, 39.5)
    with pytest.raises(CorruptState):
        GAME.check(replace(after, **totals(after, 0, 39.25)))


def test_what_passes_is_safe():
    """Fields of other positions put into a state, one or two at a time: either the check refuses it, or it obeys every law,
    so no function fails on it."""
    rng, habits = random.Random(11), HABITS["rummy"]
    states = [position.after for position in positions(GAME, habits, rng, 10)]
    names = [field.name for field in fields(State)]
    passed = 0
    for _ in range(4000):
        state = rng.choice(states)
        donor = rng.choice(states)
        changed = replace(state, **{name: getattr(donor, name) for name in rng.sample(names, rng.randint(1, 2))})
        try:
            GAME.check(changed)
        except CorruptState:
            continue
        passed += 1
        GAME.outcome(changed)
        examine(GAME, habits, changed, habits.arranger, rng)
    assert passed > 200


def test_the_shuffles_that_were_made_pass_and_few_others_do():
    """In random matches: no true number is refused; one less is wherever nothing was turned over, one more wherever the stock
    of the round, and of all before it, cannot have been drawn empty."""
    rng, habits = random.Random(12), HABITS["rummy"]
    seen, turned_over, ahead = Counter(), Counter(), Counter()
    for number in range(25):
        state, _ = deal(GAME, habits, rng)
        reshuffles = draws = 0
        for made in play(GAME, habits, state, habits.arranger, rng):
            after = made.after
            GAME.check(after)
            reshuffles += sum(event.type == "reshuffled" for event in made.events)
            draws += sum(event.type == "drew" for event in made.events)
            if rng.random() < 0.8:
                continue
            seen[number] += 1
            last = after.last_round
            known = after.round - (last is not None and last.round != after.round) <= 1
            if reshuffles == 0 and known:
                ahead["less"] += 1
                refuse_shuffles(after, after.shuffles - 1)
            stock = len(whole_deck(after.rules, len(after.seats))) - 13 * len(after.seats) - 2
            if after.round == 1 and draws <= stock:
                ahead["more"] += 1
                refuse_shuffles(after, after.shuffles + 1)
            refuse_shuffles(after, after.round - 1)
            refuse_shuffles(after, after.shuffles + after.round * (after.rules.max_turns + 11))
            turned_over[number] += reshuffles > 0
    assert sum(seen.values()) > 500
    assert sum(turned_over.values()) > 30
    assert min(ahead["less"], ahead["more"]) > 100


def refuse_shuffles(state: State, shuffles: int) -> None:
    with pytest.raises(CorruptState) as refused:
        GAME.check(replace(state, shuffles=shuffles))
    assert [flaw.pointer for flaw in refused.value.flaws] == ["/shuffles"]


def test_positions_of_these_tests_pass():
    for state in (DRAW, DRAWN, PACKED, OVER, SECOND, WON_BY_PACK):
        GAME.check(state)
    GAME.check(position(None, None, rules=INDIAN))
    assert cards("2C") == DRAW.discard
    assert SEARCH.declaration(OVER.seats[0].hand, OVER.wild_rank, HOUSE)

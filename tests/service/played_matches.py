"""Matches dealt and played at random, and the counter that they are compared by: after each round, and after each step of a pause."""

from __future__ import annotations

import random
from collections import Counter as Tally
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import orjson
import pytest

from engine.errors import IllegalMove
from engine.game import Forfeit, NextRound, Rejoin, Withdraw
from engine.games import GAMES
from engine.rummy.moves import AgreeSplit, Declare, Discard, Draw, Pack
from engine.rummy.rules import RummyRules
from engine.rummy.settlement import Pause, PlayedRound, Split, settle
from engine.rummy.state import State, was_dealt
from service.json.codec import write
from tests.engine.rummy.habits import RummyHabits
from tests.service.match_counter import Counter, Refused
from tests.service.told_matches import drawn_rules

MOST_ROUNDS = 25
_RUMMY, _HABITS = GAMES["rummy"], RummyHabits()
_ARRANGER = _HABITS.arranger
_REFUSED = {"wrong_phase", "rejoin_impossible", "split_impossible"}


@dataclass
class Played:
    """A match at the table, what the counter was told of it, and what has happened in it."""

    rules: RummyRules
    state: State
    counter: Counter
    told: list[PlayedRound] = field(default_factory=list)
    agreed: set[int] = field(default_factory=set)
    happened: Tally[str] = field(default_factory=Tally)

    @property
    def seats(self) -> range:
        return range(len(self.state.seats))

    def move(self, seat: int | None, move: Any) -> None:
        self.state, events = _RUMMY.apply(self.state, seat, move, _ARRANGER)
        self.happened.update(event.status if event.type == "packed" else event.type for event in events)


def compare(format: str, seed: int) -> Tally[str]:
    """Play one match at random; the counter is asked after each step. What happened in it, how it ended (``end: …``) included."""
    rng = random.Random(f"played/{format}/{seed}")
    rules = replace(drawn_rules(format, rng), max_turns=rng.choice([3, 8, 30]))
    number = rng.randint(2, 6)
    state, _ = _RUMMY.deal(number, rules, rng.randbytes(32).hex(), None)
    match = Played(rules, state, Counter(number, rules))
    _same(match)
    while True:
        _play_round(match, rng)
        _check_length(match)
        for _ in range(rng.choice([0, 1, 2, 4, 6])):
            if match.counter.reason is None:
                _pause(match, rng)
        if match.counter.reason is not None:
            assert _RUMMY.legal_moves(match.state, None, _ARRANGER) == ()
            match.happened[f"end: {match.counter.reason}"] += 1
            return match.happened
        if len(match.told) == MOST_ROUNDS:
            match.happened["end: cut off"] += 1
            return match.happened
        _deal_next(match)


def _deal_next(match: Played) -> None:
    """The next round is dealt to those whom the counter names, and nobody else has cards."""
    before = match.state.starter
    match.move(None, NextRound())
    dealt, state = match.counter.dealt(), match.state
    assert [at for at in match.seats if was_dealt(state.seats[at])] == dealt
    assert [len(seat.hand) for seat in state.seats] == [13 * (at in dealt) for at in match.seats]
    assert state.starter == next(at for step in match.seats if (at := (before + 1 + step) % len(match.seats)) in dealt)
    assert state.turn == state.starter
    match.happened["tie break"] += bool(match.counter.tied)
    match.agreed.clear()
    _same(match)


def _play_round(match: Played, rng: random.Random) -> None:
    left: list[int] = []
    dealt = match.counter.dealt()
    while match.state.phase in ("draw", "discard"):
        match.state = _HABITS.arranged(match.state, rng)
        assert match.state.turn in dealt
        if rng.random() < 0.01:
            _leave(match, rng.choice(match.seats), left)
        elif rng.random() < 0.01:
            seat = rng.choice([at for at in match.seats if match.state.seats[at].status == "in"])
            match.move(None, Forfeit(seat))
        else:
            match.move(match.state.turn, _act(match.state, rng))
    last = match.state.last_round
    assert last is not None
    points = tuple(None if result.reason == "not_dealt" else result.points for result in last.results)
    match.counter.round(list(points), last.winner, left)
    match.told.append(PlayedRound(points, last.winner, tuple(left)))
    match.happened["nobody won"] += last.winner is None
    match.happened["left in a round"] += len(left)
    _same(match)


def _leave(match: Played, seat: int, left: list[int]) -> None:
    """The referee withdraws a seat while a round is played, if one would stay."""
    staying = [at for at in match.counter.those_in() if at not in left]
    if seat in staying and len(staying) > 1:
        left.append(seat)
        match.move(None, Withdraw(seat))
        assert match.state.standings[seat].status == "withdrawn"
    elif seat not in staying:
        _is_refused(match, None, Withdraw(seat))


def _act(state: State, rng: random.Random) -> Any:
    """What the seat to move does: it declares where it can, now and then where it cannot, and packs often."""
    moves = _RUMMY.legal_moves(state, state.turn, _ARRANGER)
    if declares := [move for move in moves if isinstance(move, Declare)]:
        return declares[0]
    if Pack() in moves and rng.random() < 0.3:
        return Pack()
    if state.phase == "discard" and state.rules.invalid_declaration == "penalty" and rng.random() < 0.1:
        return Declare(state.seats[state.turn or 0].hand[0])
    return rng.choice([move for move in moves if isinstance(move, Draw | Discard)])


def _pause(match: Played, rng: random.Random) -> None:
    """Something between two rounds, possible or not: the table takes it where the counter does."""
    fallen = [at for at in match.seats if match.counter.may_rejoin(at)]
    seat = rng.choice(fallen if fallen and rng.random() < 0.4 else match.seats)
    kind = rng.choices(["rejoin", "withdraw", "agree"], [5, 0.6, 4])[0]
    if kind == "agree":
        counter = match.counter
        if counter.split_shares() is None or seat not in counter.those_in() or seat in match.agreed:
            return _is_refused(match, seat, AgreeSplit())
        match.move(seat, AgreeSplit())
        match.agreed.add(seat)
        return _if_all_agreed(match, [])
    move = Rejoin(seat) if kind == "rejoin" else Withdraw(seat)
    try:
        match.counter.rejoin(seat) if kind == "rejoin" else match.counter.withdraw(seat)
    except Refused:
        if kind == "withdraw" and match.counter.those_in() == [seat]:
            raise AssertionError("one seat is in, and the match goes on") from None
        return _is_refused(match, None, move)
    match.move(None, move)
    match.agreed.discard(seat)
    match.happened["left in a pause"] += kind == "withdraw"
    return _if_all_agreed(match, [move])


def _if_all_agreed(match: Played, steps: list[Pause]) -> None:
    """Once all seats that are in have agreed, also because another left, the pot is split."""
    counter = match.counter
    if counter.reason is None and set(counter.those_in()) <= match.agreed and counter.split_shares() is not None:
        counter.split()
        steps.append(Split())
    match.told[-1] = replace(match.told[-1], after=(*match.told[-1].after, *steps))
    _same(match)


def _is_refused(match: Played, seat: int | None, move: Any) -> None:
    with pytest.raises(IllegalMove) as refused:
        _RUMMY.apply(match.state, seat, move, _ARRANGER)
    assert refused.value.violation.code in _REFUSED
    match.happened["refused"] += 1


def _same(match: Played) -> None:
    """The table, what everyone sees of it, and the rounds told to the settlement all say what the counter says, and it adds up."""
    state, counter, rules = match.state, match.counter, match.rules
    report = counter.report()
    pause = state.phase == "round_over"
    if not pause:  # the counter does not hear of the next deal, after which nobody comes back
        report["standings"] = [{**seat, "may_rejoin": False} for seat in report["standings"]]
    assert orjson.loads(orjson.dumps(write(state.standings))) == report["standings"]
    for viewer in (None, *match.seats):
        seen = _RUMMY.view(state, viewer)
        told = orjson.loads(orjson.dumps(write((seen.standings, seen.pot, seen.split, seen.rejoin_total))))
        expected = [report["split"], report["rejoin_total"]] if pause else [None, None]
        assert told == [report["standings"], report["pot"], *expected]
        if pause:
            assert set(seen.agreed) == match.agreed
    outcome = _RUMMY.outcome(state)
    assert (outcome is None) == (report["outcome"] is None) == (state.phase != "match_over")
    if outcome is not None:
        assert write((outcome.winners, outcome.totals, outcome.reason)) == [*report["outcome"].values()]
        assert list(outcome.places) == [seat["place"] for seat in report["standings"]]
        assert [*outcome.shares] == [seat["share"] for seat in report["standings"]]
        assert sum(map(Fraction, outcome.shares)) == report["pot"]
    if rules.format == "deals":
        assert sum(seat["chips"] for seat in report["standings"]) == len(match.seats) * rules.chips_per_deal * (
            rules.deals or 0
        )
    settled = settle(len(match.seats), rules.terms, match.told)
    assert replace(settled, agreed=()) == replace(state.match, agreed=())
    back = [move.seat for move in _RUMMY.legal_moves(state, None, _ARRANGER) if isinstance(move, Rejoin)]
    assert back == [seat["seat"] for seat in report["standings"] if seat["may_rejoin"]]


def _check_length(match: Played) -> None:
    """What ends by the number of its rounds has ended by then."""
    rules, rounds = match.rules, len(match.told)
    if rules.format == "deals":
        assert rounds <= (rules.deals or 0) + rules.tie_break_deals
    elif rules.format == "rounds" and rules.target_points is None:
        assert rounds <= (rules.rounds or len(match.seats))

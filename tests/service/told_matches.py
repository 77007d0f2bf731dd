"""Matches told at random, right and wrong, and the counter that they are compared by, step by step."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import orjson

from engine.errors import Invalid
from engine.game import Rejoin, Withdraw
from engine.match import Match
from engine.rummy.rules import INDIAN, RummyRules
from engine.rummy.settlement import Pause, PlayedRound, Split, settle
from service.json.codec import write
from service.schemas.common import Chosen
from service.schemas.settlements import SettlementRequest
from service.use_cases.settlements import standing
from tests.service.match_counter import Counter, Refused

FORMATS = ("rounds", "pool", "deals")
MOST_ROUNDS = 60


def drawn_rules(format: str, rng: random.Random) -> RummyRules:
    """A preset of the format, or its options at random."""
    presets = [rules for rules in RummyRules.presets().values() if rules.format == format]
    if rng.random() < 0.3:
        return rng.choice(presets)
    ceiling = rng.choice([None, 0, 20, 44, 79])
    options: dict[str, Any] = {
        "rounds": rng.choice([None, 1, 2, 5]),
        "target_points": rng.choice([None, 1, 40, 150]),
        "deals": rng.randint(1, 4),
        "chips_per_deal": rng.choice([0, 1, 80]),
        "tie_break_deals": rng.choice([0, 1, 2, 3]),
        "pool_limit": (ceiling or 0) + rng.choice([2, 10, 40]),
        "pool_rejoin_ceiling": ceiling,
        "pool_rejoins": rng.choice([None, None, 0, 1, 2]),
        "pool_split": rng.choice(["none", "automatic", "manual", "both"]),
        "pool_split_total": (ceiling or 0) + rng.choice([1, 2, 10]),
        "pack_first": rng.choice([0, 1, 7, 20]),
        "packing": rng.random() < 0.9,
    }
    return replace(INDIAN, format=format, **options)


def compare(format: str, seed: int) -> Match | None:
    """Play one match at random; both counters are asked after each step. Returns the match, or None if it was cut off."""
    rng = random.Random(f"{format}/{seed}")
    rules, seats = drawn_rules(format, rng), rng.randint(2, 10)
    assert rules.contradictions() == ()
    counter, told = Counter(seats, rules), list[PlayedRound]()
    few = rng.choice([(0, 1, 2), (0, 5, 20, 20, 40, 80)])  # few figures make ties
    same(counter, told)
    while not counter.reason and len(told) < MOST_ROUNDS:
        points, winner, left = _round(counter, few, rng)
        counter.round(points, winner, left)
        told.append(PlayedRound(tuple(points), winner, tuple(left)))
        same(counter, told)
        for _ in range(rng.choice([0, 0, 1, 2, 4])):
            happened = _pause(seats, rng)
            longer = [*told[:-1], replace(told[-1], after=(*told[-1].after, happened))]
            if _count(counter, happened):
                told = longer
                same(counter, told)
            else:
                assert refused(seats, rules, longer) == f"/rounds/{len(told) - 1}/after/{len(told[-1].after)}"
    if counter.reason:
        assert refused(seats, rules, [*told, told[-1]]) == f"/rounds/{len(told)}"
    match = settle(seats, rules.terms, told)
    return match if match.ending else None


def same(counter: Counter, told: list[PlayedRound]) -> None:
    """Both say the same, and what they say adds up."""
    seats, rules = len(counter.seats), counter.rules
    report = orjson.loads(orjson.dumps(write(standing(SettlementRequest(seats, tuple(told), Chosen(rules))))))
    assert report == counter.report()
    standings = report["standings"]
    if rules.format == "deals":
        assert sum(seat["chips"] for seat in standings) == seats * rules.chips_per_deal * (rules.deals or 0)
    if report["outcome"] is None:
        assert all(standings[at]["status"] == "in" for at in report["next"]["seats"])
    else:
        assert sum(Fraction(seat["share"]) for seat in standings) == report["pot"]
        assert report["outcome"]["winners"] == [at for at in range(seats) if standings[at]["place"] == 1]


def refused(seats: int, rules: RummyRules, told: list[PlayedRound]) -> str:
    """The place that is wrong."""
    try:
        settle(seats, rules.terms, told)
    except Invalid as wrong:
        (flaw,) = wrong.flaws
        return flaw.pointer
    raise AssertionError(f"{told} is taken")


def _round(
    counter: Counter, few: tuple[int, ...], rng: random.Random
) -> tuple[list[int | None], int | None, list[int]]:
    dealt = counter.dealt()
    winner = None if rng.random() < 0.1 else rng.choice(dealt)
    points = [rng.choice(few) if at in dealt else None for at in range(len(counter.seats))]
    if winner is not None:
        points[winner] = 0
    leaving = [at for at in counter.those_in() if rng.random() < 0.04]
    rng.shuffle(leaving)
    return points, winner, leaving[: len(counter.those_in()) - 1]


def _pause(seats: int, rng: random.Random) -> Pause:
    seat = rng.randint(-1, seats)
    return rng.choices([Rejoin(seat), Withdraw(seat), Split()], [6, 1.5, 0.5])[0]


def _count(counter: Counter, happened: Pause) -> bool:
    """Whether the counter takes it."""
    try:
        match happened:
            case Rejoin(seat):
                counter.rejoin(seat)
            case Withdraw(seat):
                counter.withdraw(seat)
            case Split():
                counter.split()
    except Refused:
        return False
    return True

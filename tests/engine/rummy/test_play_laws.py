"""The laws every state and move must keep: conservation, legality, someone to move, replay, no leak."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import in_order
from engine.errors import IllegalMove
from engine.rummy import GAME
from engine.rummy.arrangement import Arrangement
from engine.rummy.deal import whole_deck
from engine.rummy.declaration import verify_arrangement
from engine.rummy.moves import Declare, Discard, Draw
from engine.rummy.state import seats_in
from tests.engine.rummy.playing import QUICK, Position, deck_of, enrich, every_move, permuted, play

SEEDS = range(12)
MATCHES = 5


@cache
def log(seed: int) -> list[Position]:
    return list(play(seed, MATCHES))


@pytest.fixture(params=SEEDS)
def played(request) -> list[Position]:
    return log(request.param)


def sampled(rng: random.Random, positions: list[Position], count: int) -> Iterator[Position]:
    """Some positions, those in which something rare happened among them."""
    rare = [
        position for position in positions if len(position.events) > 1 or position.move.type in ("declare", "forfeit")
    ]
    return iter(rng.sample(positions, min(count, len(positions))) + rng.sample(rare, min(count // 2, len(rare))))


def test_cards_are_conserved_and_every_reached_state_passes_the_check(played):
    for position in played:
        GAME.check(position.after)
        assert deck_of(position.after) == in_order(whole_deck(position.after.rules, len(position.after.seats)))


def test_a_state_in_play_has_one_seat_to_move_with_a_legal_move(played):
    for position in played:
        state = position.state
        if state.phase in ("draw", "discard"):
            assert state.turn in seats_in(state)
            movers = [seat for seat in range(len(state.seats)) if GAME.legal_moves(state, seat, QUICK)]
            assert movers == [state.turn]
            assert any(not isinstance(move, Declare) for move in GAME.legal_moves(state, state.turn, QUICK))
        else:
            assert state.turn is None
            assert GAME.legal_moves(state, None, QUICK)


def test_listed_moves_never_fail(played):
    rng = random.Random(1)
    for state in (position.state for position in sampled(rng, played, 60)):
        for seat in (None, *range(len(state.seats))):
            for move in GAME.legal_moves(state, seat, QUICK):
                assert GAME.violation(state, seat, move, QUICK) is None
                GAME.check(GAME.apply(state, seat, move, QUICK)[0])


def test_what_is_not_listed_fails_and_changes_nothing(played):
    """But for what `legal-moves` leaves out: groups of the player's own, and declarations that fail and are punished."""
    rng = random.Random(2)
    for state in (position.state for position in sampled(rng, played, 40)):
        before = repr(state)
        for seat, move in every_move(rng, state):
            listed = move in GAME.legal_moves(state, seat, QUICK)
            found = GAME.violation(state, seat, move, QUICK)
            if found is None:
                GAME.check(GAME.apply(state, seat, move, QUICK)[0])
                assert listed or isinstance(move, Declare)
            else:
                assert not listed
                assert found.code in GAME.violations
                with pytest.raises(IllegalMove) as refused:
                    GAME.apply(state, seat, move, QUICK)
                assert refused.value.violation == found
        assert repr(state) == before


def test_the_default_turn_is_legal_and_ends(played):
    for state in (position.state for position in sampled(random.Random(3), played, 60)):
        if (seat := state.turn) is None:
            continue
        for _ in range(2):
            state, _events = GAME.apply(state, seat, GAME.default_move(state, QUICK), QUICK)
            if state.turn != seat:
                break
        assert state.turn != seat


def test_scores_are_of_arrangements_of_the_hands(played):
    for position in played:
        for event in position.events:
            if event.type != "round_scored":
                continue
            for seat, result in enumerate(event.results):
                if result.grouping is not None and seat != event.winner:
                    verify_arrangement(
                        position.after.seats[seat].hand, result.grouping, position.state.wild_rank, position.state.rules
                    )
            assert sum(event.settlement) == 0


class Recorded:
    """An arranger that knows only what stands in the events of a match."""

    def __init__(self, positions: list[Position]) -> None:
        self.known: dict[object, Arrangement] = {}
        for position in positions:
            for event in position.events:
                if event.type == "round_scored":
                    for seat, result in enumerate(event.results):
                        if result.grouping is not None:
                            self.known[self._key(position.after.seats[seat].hand)] = result.grouping

    @staticmethod
    def _key(hand):
        return tuple(sorted(hand))

    def best(self, hand, wild_rank, rules):
        nothing = Arrangement((), tuple(hand), 0, False)  # a declaration that failed: nothing is recorded for it
        return self.known.get(self._key(hand), nothing)


@pytest.mark.parametrize("seed", range(20, 24))
def test_replaying_the_log_gives_every_state_without_a_solver(seed):
    positions = list(play(seed, 3))
    first = [at for at, position in enumerate(positions) if at == 0 or positions[at - 1].after != position.state]
    for start, end in zip(first, [*first[1:], len(positions)], strict=True):
        arranger, state = Recorded(positions[start:end]), positions[start].state
        for position in positions[start:end]:
            assert state == position.state
            state, events = GAME.apply(state, position.seat, position.move, arranger)
            assert events == position.events


def test_no_leak(played):
    """At one position, permute every card that a seat cannot see: what it sees, may do and is told stays the same."""
    rng = random.Random(4)
    for position in sampled(rng, played, 60):
        state = position.state
        viewers: list[int | None] = [None, rng.randrange(len(state.seats)), state.turn]
        for viewer in viewers:
            twin = permuted(rng, state, viewer)
            assert repr(GAME.view(twin, viewer)) == repr(GAME.view(state, viewer))
            assert state.seed not in repr(GAME.view(state, viewer))
            if viewer is None:
                continue
            assert GAME.legal_moves(twin, viewer, QUICK) == GAME.legal_moves(state, viewer, QUICK)
            for seat, move in every_move(rng, state):
                if seat == viewer:
                    assert GAME.violation(twin, seat, move, QUICK) == GAME.violation(state, seat, move, QUICK)


def test_no_leak_in_the_events_of_others(played):
    """A move of another seat that reveals nothing looks the same, and so does the position after it."""
    rng = random.Random(5)
    compared = Counter()
    for position in sampled(rng, played, 80):
        state, move = position.state, position.move
        for viewer in (None, *range(len(state.seats))):
            if viewer == position.seat or isinstance(move, Declare) or move.type == "next_round":
                continue
            twin = permuted(rng, state, viewer)
            if isinstance(move, Discard) and GAME.violation(twin, position.seat, move, QUICK) is not None:
                continue  # the card lies elsewhere now: to discard it reveals that
            after, events = GAME.apply(twin, position.seat, move, QUICK)
            if any(event.type == "round_scored" for event in (*events, *position.events)):
                continue  # hands were opened
            seen = [event.seen_by(viewer) for event in position.events]
            assert repr([event.seen_by(viewer) for event in events]) == repr(seen)
            if not any(event.type == "reshuffled" for event in events) or viewer != after.turn:
                assert repr(GAME.view(after, viewer)) == repr(GAME.view(position.after, viewer))
            compared[move.type] += 1
    assert compared["draw"]


def test_what_happens_in_random_play():
    """The laws above are held to every kind of event, not to a quiet game."""
    events = [event for seed in SEEDS for position in log(seed) for event in position.events]
    seen = Counter(event.type for event in events)
    packs = Counter(event.status for event in events if event.type == "packed")
    assert {event.type for event in GAME.events} - set(seen) == {"timed_out"}  # made by who keeps the clock
    assert min(seen.values()) >= 5, seen
    assert min(packs["packed_first"], packs["packed_later"]) >= 5, packs


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 50))
def test_any_match_keeps_the_laws(seed, length):
    """The same, with matches that Hypothesis can make small."""
    rng = random.Random(seed)
    for step, position in enumerate(play(seed)):
        GAME.check(position.after)
        assert position.events
        assert GAME.view(position.after, None).stock.count == len(position.after.stock)
        if step == length:
            break
    state = enrich(rng, position.after)
    GAME.check(state)
    if state.phase == "draw" and (state.stock or len(state.discard) > 1):
        assert Draw("stock") in GAME.legal_moves(state, state.turn, QUICK)

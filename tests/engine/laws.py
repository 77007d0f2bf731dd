"""The laws that every game obeys, tested at one position or over a whole match, through the Game contract only.

1. Cards are conserved. 2. Listed moves never fail, illegal ones change nothing. 3. Someone can always move. 4. A match
replays. 5. No leak: what a seat cannot see changes nothing that it is shown. Each function raises AssertionError.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.cards import Card
from engine.errors import IllegalMove, Invalid, TooFewCards, Violation
from engine.game import Abort, Forfeit, Game, NextRound
from tests.engine.habits import Habits, referee_move

AnyGame = Game[Any, Any, Any]


def cards_in(habits: Habits, state: Any) -> Counter[Card]:
    return Counter(card for zone in habits.zones(state) for card in zone)


def ruling(game: AnyGame, state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | str | None:
    """What `violation` says: the violation, None, or the text of the error for what nobody could ever send."""
    try:
        return game.violation(state, seat, move, arranger)
    except Invalid as wrong:
        return f"invalid: {wrong}"


def check_someone_can_move(game: AnyGame, state: Any, arranger: Any) -> None:
    """Law 3. In play exactly one seat has moves; between rounds only the referee; after the match nobody."""
    seats = range(len(state.totals))
    able = [seat for seat in seats if game.legal_moves(state, seat, arranger)]
    to_move = game.to_move(state)
    assert able == ([] if to_move is None else [to_move])
    assert bool(game.legal_moves(state, None, arranger)) == (game.outcome(state) is None)


def check_listed_moves(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 2, first half, with law 1: some listed moves of the seat to move and of the referee, and parts of them."""
    cards = cards_in(habits, state)
    for seat in {game.to_move(state), None}:
        moves = game.legal_moves(state, seat, arranger)
        for move in rng.sample(moves, min(3, len(moves))):
            for tried in {move, habits.part(state, move, rng)}:
                assert game.violation(state, seat, tried, arranger) is None, tried
                after, _ = game.apply(state, seat, tried, arranger)
                game.check(after)
                assert cards_in(habits, after) == cards


def check_strange_moves(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 2, second half: `apply` refuses exactly what `violation` names, and an illegal move leaves the state as it was."""
    before = repr(state)
    senders = [*range(len(state.totals)), None, game.to_move(state), game.to_move(state)]
    for _ in range(4):
        seat, move = rng.choice(senders), habits.strange(state, rng)
        found = ruling(game, state, seat, move, arranger)
        assert isinstance(found, str | None) or found.code in game.violations
        assert _refusal(game, state, seat, move, arranger) == found, move
        assert repr(state) == before


def _refusal(game: AnyGame, state: Any, seat: int | None, move: Any, arranger: Any) -> Violation | str | None:
    """`ruling` once more, by making the move."""
    try:
        after, _ = game.apply(state, seat, move, arranger)
    except IllegalMove as illegal:
        return illegal.violation
    except Invalid as wrong:
        return f"invalid: {wrong}"
    game.check(after)
    return None


def check_default_move(game: AnyGame, state: Any, arranger: Any) -> None:
    """The move for a seat out of time is legal."""
    seat = game.to_move(state)
    if seat is not None:
        assert game.violation(state, seat, game.default_move(state, arranger), arranger) is None


def check_no_leak(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 5, for one viewer: view, legal moves, refusals, and the events of a move that shows it nothing more."""
    viewer = rng.choice((None, *range(len(state.totals))))
    other = habits.permuted(state, viewer, (), rng)
    assert game.view(state, viewer) == game.view(other, viewer)
    if viewer is not None:
        assert game.legal_moves(state, viewer, arranger) == game.legal_moves(other, viewer, arranger)
        for move in (habits.strange(state, rng) for _ in range(3)):
            assert ruling(game, state, viewer, move, arranger) == ruling(game, other, viewer, move, arranger), move
    assert game.legal_moves(state, None, arranger) == game.legal_moves(other, None, arranger)
    for move in (referee_move(len(state.totals), rng), NextRound(), Abort()):
        assert ruling(game, state, None, move, arranger) == ruling(game, other, None, move, arranger), move
    _check_events_do_not_leak(game, habits, state, viewer, arranger, rng)


def _check_events_do_not_leak(
    game: AnyGame, habits: Habits, state: Any, viewer: int | None, arranger: Any, rng: random.Random
) -> None:
    seat = rng.choice((game.to_move(state), game.to_move(state), None))
    moves = [move for move in game.legal_moves(state, seat, arranger) if not isinstance(move, NextRound)]
    if not moves:
        return
    move = rng.choice(moves)
    if habits.tells(state, move, viewer):
        return
    other = habits.permuted(state, viewer, habits.revealed(state, move), rng)
    after, events = game.apply(state, seat, move, arranger)
    other_after, other_events = game.apply(other, seat, move, arranger)
    if any(event.type == "round_scored" for event in events):
        return  # it opens the hands
    assert [event.seen_by(viewer) for event in events] == [event.seen_by(viewer) for event in other_events], move
    assert game.view(after, viewer) == game.view(other_after, viewer), move


def examine(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Every law of a single position."""
    check_someone_can_move(game, state, arranger)
    check_listed_moves(game, habits, state, arranger, rng)
    check_strange_moves(game, habits, state, arranger, rng)
    check_default_move(game, state, arranger)
    check_no_leak(game, habits, state, arranger, rng)


def play_match(game: AnyGame, habits: Habits, arranger: Any, rng: random.Random, depth: float) -> Iterator[Any]:
    """A random match; the events of each move come out. Laws 1 and 4 are tested throughout, the others at a share `depth`
    of the positions. One match in ten is played by the clock alone."""
    state, dealt = _deal(game, habits, rng)
    yield from dealt
    state = first = habits.arranged(state, rng)
    game.check(first)
    cards, by_the_clock = cards_in(habits, first), rng.random() < 0.1
    log = []
    while game.outcome(state) is None:
        if rng.random() < depth:
            examine(game, habits, state, arranger, rng)
        seat, move = _next_move(game, habits, state, arranger, rng, by_the_clock)
        state, events = game.apply(state, seat, move, arranger)
        game.check(state)
        assert cards_in(habits, state) == cards
        log.append((seat, move, events))
        for event in events:
            assert event.seen_by(0).seen_by(0) == event.seen_by(0)
        yield from events
    examine(game, habits, state, arranger, rng)

    replayed = first
    for seat, move, events in log:
        replayed, again = game.apply(replayed, seat, move, arranger)
        assert again == events
    assert replayed == state


def _deal(game: AnyGame, habits: Habits, rng: random.Random) -> Any:
    while True:
        try:
            return game.deal(rng.choice(game.seats), habits.rules(rng), rng.randbytes(32).hex(), None)
        except TooFewCards:
            continue


def _next_move(
    game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random, by_the_clock: bool
) -> tuple[int | None, Any]:
    seat = game.to_move(state)
    if seat is None:
        return None, Abort() if state.round >= habits.max_rounds or rng.random() < 0.02 else NextRound()
    if rng.random() < 0.003:
        return None, rng.choice([move for move in game.legal_moves(state, None, arranger) if isinstance(move, Forfeit)])
    if rng.random() < 0.0005:
        return None, Abort()
    if by_the_clock:
        return seat, game.default_move(state, arranger)
    move = habits.choose(state, game.legal_moves(state, seat, arranger), rng)
    return seat, habits.part(state, move, rng) if rng.random() < 0.3 else move

"""The laws that every game obeys, tested at one position or over a whole match, through the Game contract only.

1. Cards are conserved, and a state that is reached passes the check of states. 2. Listed moves never fail, what is not
listed is illegal, and illegal moves change nothing. 3. Someone can always move. 4. The turn of a seat out of time is legal,
and ends. 5. No leak: what a seat cannot see changes nothing that it is shown. 6. Each move tells something, points add up.
7. A match replays from its record. Each function raises AssertionError; tests/engine/test_laws_bite.py shows that it does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from engine.cards import Card
from engine.errors import CorruptState, IllegalMove, Invalid, Undecided, Violation
from engine.game import Abort, NextRound
from tests.engine.habits import Habits, referee_move
from tests.engine.playing import AnyGame, Position, deal, play

Ruling = Violation | str | None  # a violation, the text of the error for what nobody could ever send, or None: legal


def cards_in(habits: Habits, state: Any) -> Counter[Card]:
    return Counter(card for zone in habits.zones(state) for card in zone)


def ruling(game: AnyGame, state: Any, seat: int | None, move: Any, arranger: Any) -> Ruling:
    """What `violation` says of a move."""
    try:
        return game.violation(state, seat, move, arranger)
    except Invalid as wrong:
        return f"invalid: {wrong}"


def attempt(game: AnyGame, state: Any, seat: int | None, move: Any, arranger: Any) -> tuple[Ruling, Any, Any]:
    """What `apply` says of a move; the state after it and the events, if it is made."""
    try:
        return None, *game.apply(state, seat, move, arranger)
    except IllegalMove as illegal:
        return illegal.violation, None, None
    except Invalid as wrong:
        return f"invalid: {wrong}", None, None


def check_reached(game: AnyGame, habits: Habits, state: Any, cards: Counter[Card]) -> None:
    """Law 1, of a state that a move led to."""
    assert cards_in(habits, state) == cards
    try:
        game.check(state)
    except CorruptState as wrong:
        raise AssertionError("play leads to a state that is refused") from wrong


def check_someone_can_move(game: AnyGame, habits: Habits, state: Any, arranger: Any) -> None:
    """Law 3. In play exactly one seat has moves; between rounds the referee, and seats what belongs there; after the match
    nobody."""
    seats = range(len(state.totals))
    moves = {seat: game.legal_moves(state, seat, arranger) for seat in seats}
    able = [seat for seat in seats if moves[seat]]
    to_move = game.to_move(state)
    if state.phase == "round_over":
        assert {move.type for seat in seats for move in moves[seat]} <= habits.between
    else:
        assert able == ([] if to_move is None else [to_move])
    assert bool(game.legal_moves(state, None, arranger)) == (game.outcome(state) is None)


def check_listed_moves(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 2, what is listed: some moves of the seat to move and of the referee, and parts of them. No move is listed twice,
    and the list of all has those of the short one."""
    cards = cards_in(habits, state)
    for seat in dict.fromkeys((game.to_move(state), rng.randrange(len(state.totals)), None)):
        moves, every = game.legal_moves(state, seat, arranger), game.all_moves(state, seat, arranger)
        assert len(set(every.moves)) == len(every.moves)
        assert set(moves) <= set(every.moves)
        for move in (*rng.sample(moves, min(3, len(moves))), *rng.sample(every.moves, min(3, len(every.moves)))):
            for tried in dict.fromkeys((move, habits.part(state, move, rng))):
                refused, after, _ = attempt(game, state, seat, tried, arranger)
                assert refused is None, tried
                check_reached(game, habits, after, cards)


def check_strange_moves(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 2, any move: `apply` refuses exactly what `violation` names, legal is what is listed, and a state stays as it is."""
    before, cards = repr(state), cards_in(habits, state)
    senders = [*range(len(state.totals)), None, game.to_move(state), game.to_move(state), game.to_move(state)]
    for _ in range(6):
        seat, move = rng.choice(senders), habits.strange(state, rng)
        found = ruling(game, state, seat, move, arranger)
        refused, after, _ = attempt(game, state, seat, move, arranger)
        assert refused == found, move
        assert repr(state) == before, move
        if found is None:
            every = game.all_moves(state, seat, arranger)
            assert not every.complete or habits.is_listed(state, move, every.moves), move
            check_reached(game, habits, after, cards)
        elif isinstance(found, Violation):
            assert found.code in game.violations


def check_default_turn(game: AnyGame, habits: Habits, state: Any, arranger: Any) -> None:
    """Law 4: each move is legal, and either ends the turn or has an event after which turns go on."""
    seat = game.to_move(state)
    for _ in range(cards_in(habits, state).total()):
        if seat is None or game.to_move(state) != seat:
            return
        move = game.default_move(state, arranger)
        refused, state, events = attempt(game, state, seat, move, arranger)
        assert refused is None, move
        assert game.to_move(state) != seat or habits.goes_on & {event.type for event in events}, move
    raise AssertionError("the turn of a seat out of time does not end")


def check_no_leak(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 5, for one viewer: view, legal moves and refusals."""
    viewer = rng.choice((None, *range(len(state.totals))))
    other = habits.permuted(state, viewer, (), rng)
    assert game.view(state, viewer) == game.view(other, viewer)
    asked = [(None, move) for move in (referee_move(len(state.totals), rng), NextRound(), Abort())]
    if viewer is not None:
        asked += [(viewer, habits.strange(state, rng)) for _ in range(3)]
    for seat in dict.fromkeys((None, viewer)):
        assert game.legal_moves(state, seat, arranger) == game.legal_moves(other, seat, arranger)
        assert game.all_moves(state, seat, arranger) == game.all_moves(other, seat, arranger)
    for seat, move in asked:
        assert ruling(game, state, seat, move, arranger) == ruling(game, other, seat, move, arranger), move


def check_no_leak_in_events(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Law 5, for one viewer: the events of a listed move that shows it nothing more, and its view after them."""
    viewer = rng.choice((None, *range(len(state.totals))))
    seats = range(len(state.totals)) if game.to_move(state) is None else [game.to_move(state)] * 2
    seat = rng.choice((*seats, None))
    moves = [move for move in game.legal_moves(state, seat, arranger) if not isinstance(move, NextRound)]
    if not moves:
        return
    kind = rng.choice(
        sorted({move.type for move in moves}) if game.to_move(state) is None else [rng.choice(moves).type]
    )
    move = rng.choice([move for move in moves if move.type == kind])
    if habits.tells(state, move, viewer):
        return
    other = habits.permuted(state, viewer, habits.revealed(state, move), rng)
    after, events = game.apply(state, seat, move, arranger)
    other_after, other_events = game.apply(other, seat, move, arranger)
    if any(event.type == "round_scored" for event in events):
        return  # it opens the hands
    assert [event.seen_by(viewer) for event in events] == [event.seen_by(viewer) for event in other_events], move
    assert game.view(after, viewer) == game.view(other_after, viewer), move


def check_deal(habits: Habits, state: Any, events: Sequence[Any]) -> None:
    """Law 5, for a deal, whose events nothing can be compared with: no viewer is told of more cards than it can see."""
    for viewer in (None, *range(len(state.totals))):
        visible = cards_in(habits, state) - Counter(card for _, card in habits.hidden(state, viewer, ()))
        for event in events:
            assert Counter(_named_in(event.seen_by(viewer))) <= visible


def _named_in(value: Any) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from _named_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from _named_in(each)


def check_events(position: Position) -> None:
    """Law 6. What a seat sees of an event hides nothing further from it; a round's points make the totals."""
    assert position.events
    for event in position.events:
        for viewer in (None, *range(len(position.after.totals))):
            seen = event.seen_by(viewer)
            assert seen.seen_by(viewer) == seen
        if event.type == "round_scored":
            before = position.state.totals
            totals = tuple(total + result.points for total, result in zip(before, event.results, strict=True))
            assert event.totals == position.after.totals == totals
            assert sum(event.settlement) == 0


def check_replays(game: AnyGame, habits: Habits, played: list[Position]) -> None:
    """Law 7: the moves made again, without a search: what one had found stands in the events."""
    for position in played:
        recorded = habits.recorded(position.events)
        try:
            again = game.apply(position.state, position.seat, position.move, recorded)
        except Undecided as missing:
            raise AssertionError("to make a move again takes more than was recorded") from missing
        assert again == (position.after, position.events)


def examine(game: AnyGame, habits: Habits, state: Any, arranger: Any, rng: random.Random) -> None:
    """Every law of a single position."""
    check_someone_can_move(game, habits, state, arranger)
    check_listed_moves(game, habits, state, arranger, rng)
    check_strange_moves(game, habits, state, arranger, rng)
    check_default_turn(game, habits, state, arranger)
    check_no_leak(game, habits, state, arranger, rng)
    check_no_leak_in_events(game, habits, state, arranger, rng)


def play_match(game: AnyGame, habits: Habits, arranger: Any, rng: random.Random, depth: float) -> Iterator[Any]:
    """A random match; the events of each move come out. Laws 1, 6 and 7 are tested throughout, and what a deal tells;
    the others at a share `depth` of the positions, and at the last."""
    state, dealt = deal(game, habits, rng)
    check_deal(habits, state, dealt)
    yield from dealt
    cards, played = cards_in(habits, state), []
    if rng.random() < depth:
        examine(game, habits, state, arranger, rng)
    for position in play(game, habits, state, arranger, rng):
        check_reached(game, habits, position.after, cards)
        check_events(position)
        if isinstance(position.move, NextRound):
            check_deal(habits, position.after, position.events)
        played.append(position)
        if rng.random() < depth or game.outcome(position.after) is not None:
            examine(game, habits, position.after, arranger, rng)
        yield from position.events
    check_replays(game, habits, played)

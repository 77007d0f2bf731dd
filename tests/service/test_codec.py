"""The codec: what goes out comes back, and what comes in wrong is named."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import orjson
import pytest

from engine.cards import Card
from engine.errors import CorruptState, Flaw, Invalid
from engine.game import Game
from engine.games import GAMES
from service.json import states
from service.json.codec import Malformed, read, write
from service.json.strict import parse
from service.json.type_hints import Flaws, Read
from solver.solve import SolverArranger

SEED = "5a" * 32


def walk(game: Game[Any, Any, Any], steps: int) -> list[tuple[Any, Any, tuple[Any, ...]]]:
    """States, moves and events of a match played at random."""
    chance, arranger = random.Random(3), SolverArranger()
    state, events = game.deal(3, game.rules.presets()["house"], SEED, None)
    found: list[tuple[Any, Any, tuple[Any, ...]]] = [(state, None, events)]
    while len(found) < steps and game.outcome(state) is None:
        seat = game.to_move(state)
        moves = game.legal_moves(state, seat, arranger)
        move = next((move for move in moves if move.type == "next_round"), None) or chance.choice(moves)
        state, events = game.apply(state, seat, move, arranger)
        found.append((state, move, events))
    return found


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_states_and_moves_come_back(game: Game[Any, Any, Any]) -> None:
    union = game.moves[0]
    for kind in game.moves[1:]:
        union |= kind
    for state, move, events in walk(game, 200):
        flaws = Flaws()
        sent = states.from_json(game, parse(orjson.dumps(states.to_json(game, state))), "", flaws)
        assert states.checked(game, sent, "") == state
        assert not flaws
        if move is not None:
            assert read(union, parse(orjson.dumps(write(move)))) == move
        for event in events:
            assert parse(orjson.dumps(write(event)))["type"] == event.type
        for seat in (None, 0, 1, 2):
            orjson.dumps(states.to_json(game, game.view(state, seat)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_state_is_read_and_written_in_well_under_a_millisecond(game: Game[Any, Any, Any]) -> None:
    state, _ = game.deal(6, game.rules.presets()["house"], SEED, None)

    def once() -> float:
        start = time.perf_counter()
        found = orjson.loads(orjson.dumps(states.to_json(game, state)))
        sent = states.from_json(game, found, "", Flaws())
        assert sent
        assert sent.state == state
        return time.perf_counter() - start

    assert min(once() for _ in range(50)) < 0.001


@dataclass(frozen=True, slots=True)
class Point:
    type: ClassVar[str] = "point"
    x: int
    source: str = field(metadata={"json": "from"})


@dataclass(frozen=True, slots=True)
class Mark:
    type: ClassVar[str] = "mark"
    card: Card | None = None
    sizes: tuple[float, ...] = ()
    pair: tuple[int, str] = (0, "")
    kind: Literal["a", "b", 3] = "a"
    named: dict[str, bool] = field(default_factory=dict)
    gone: int | None = field(default=None, metadata={"omit": True})
    secret: Card | Literal["??"] = "??"


Figure = Point | Mark


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ({"type": "point", "x": 1, "from": "here"}, Point(1, "here")),
        ({"type": "mark"}, Mark()),
        (
            {
                "type": "mark",
                "card": "10d",
                "sizes": [1, 2.5],
                "pair": [1, "b"],
                "kind": 3,
                "named": {"k": True},
                "gone": 1,
                "secret": "5H",
            },
            Mark(Card("TD"), (1, 2.5), (1, "b"), 3, {"k": True}, 1, Card("5H")),
        ),
    ],
)
def test_what_is_right(value: Any, made: Any) -> None:
    assert read(Figure, value) == made
    assert read(Figure, parse(orjson.dumps(write(made)))) == made


def test_names_and_tags_are_written() -> None:
    assert write(Point(1, "here")) == {"type": "point", "x": 1, "from": "here"}
    assert "gone" not in write(Mark())


@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        (None, [""]),
        ([], [""]),
        ({}, ["/type"]),
        ({"type": "line"}, ["/type"]),
        ({"type": {}}, ["/type"]),
        ({"type": "point"}, ["/x", "/from"]),
        ({"type": "point", "x": True, "from": 1, "source": "x", "a/~": 0}, ["/x", "/from", "/source", "/a~1~0"]),
        ({"type": "point", "x": 1.0, "from": ""}, ["/x"]),
        ({"type": "point", "x": "1", "from": ""}, ["/x"]),
        ({"type": "mark", "sizes": [1, True, "2", None]}, ["/sizes/1", "/sizes/2", "/sizes/3"]),
        ({"type": "mark", "sizes": {}}, ["/sizes"]),
        ({"type": "mark", "pair": [1]}, ["/pair"]),
        ({"type": "mark", "pair": ["1", 1]}, ["/pair/0", "/pair/1"]),
        ({"type": "mark", "kind": "3"}, ["/kind"]),
        ({"type": "mark", "kind": 3.0}, ["/kind"]),
        ({"type": "mark", "named": {"a/b": 1, "c": None}}, ["/named/a~1b", "/named/c"]),
        ({"type": "mark", "named": []}, ["/named"]),
        ({"type": "mark", "card": "ZZ", "secret": "?"}, ["/card", "/secret"]),
        ({"type": "mark", "gone": "x"}, ["/gone"]),
    ],
)
def test_every_wrong_place_is_named(value: Any, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        read(Figure, value)
    assert [flaw.pointer for flaw in caught.value.flaws] == pointers


def test_an_unreadable_card_has_a_code_of_its_own() -> None:
    with pytest.raises(Malformed) as caught:
        read(tuple[Card, ...], ["5H", "ZZ"], "/hand")
    assert caught.value.code == "unknown_card"
    assert [flaw.pointer for flaw in caught.value.flaws] == ["/hand/1"]


def test_what_is_malformed_keeps_its_code_under_another_place() -> None:
    with pytest.raises(Malformed) as caught:
        read(tuple[Card, ...], ["5H", "ZZ"], "/hand")
    moved = caught.value.under("/seats/0")
    assert moved.code == "unknown_card"
    assert moved.flaws == tuple(Flaw(f"/seats/0{flaw.pointer}", flaw.detail) for flaw in caught.value.flaws)


def test_a_reader_of_ones_own() -> None:
    def read_even(value: Any, at: str, flaws: Flaws) -> Any:
        if value % 2:
            flaws.add(at, "must be even")
        return value

    assert read(tuple[Annotated[int, Read(read_even, {})], ...], [2, 4]) == (2, 4)
    with pytest.raises(Malformed):
        read(Annotated[int, Read(read_even, {})], 3)


@pytest.mark.parametrize("hint", [set, object, list[int]])
def test_a_type_that_it_does_not_know_is_a_bug(hint: Any) -> None:
    with pytest.raises(TypeError):
        read(hint, [])


def test_a_state_that_no_game_can_reach_keeps_its_pointers() -> None:
    game = GAMES["swoop"]
    state, _ = game.deal(2, game.rules.presets()["house"], SEED, None)
    found = states.to_json(game, state) | {"plies": -1}
    broken = states.from_json(game, orjson.loads(orjson.dumps(found)), "/state", Flaws())
    with pytest.raises(CorruptState) as caught:
        states.checked(game, broken, "/state")
    assert isinstance(caught.value, Invalid)
    assert all(flaw.pointer.startswith("/state/") for flaw in caught.value.flaws)

"""What is stored of a table: read back as it was, and refused where another release wrote it."""

import random

import orjson
import pytest
from hypothesis import given
from hypothesis.strategies import dictionaries, sampled_from, text

from engine.game import Forfeit
from engine.games import GAMES
from engine.options import resolve
from service.hosted import table as tables
from service.hosted import tokens
from service.hosted.table import (
    Setup,
    Table,
    Unreadable,
    mark_of,
    read_setup,
    read_table,
    write_setup,
    write_table,
)
from solver.solve import SolverArranger
from tests.engine.swoop import builders as swoop
from tests.service.hosted.tables import Service

SEED = "5e" * 32


@pytest.mark.parametrize("name", GAMES)
def test_a_table_reads_back_as_it_was(name):
    """What is written is remembered as it was, in the place of what its bytes tell: both must be the same, all along."""
    game, rng = GAMES[name], random.Random(name)
    state, _ = game.deal(3, resolve(game.rules), SEED, None)
    for number in range(300):
        table = Table(game, state, (0, 3, number))
        stored = write_table(table)
        assert read_table(name, stored) is table
        tables._tables.clear()
        again = read_table(name, stored)
        assert again == table
        assert repr(again) == repr(table), "equal, but of other types"
        assert write_table(again) == stored
        if game.outcome(state) is not None:
            break
        mover = None if number % 40 == 39 else game.to_move(state)  # None: the referee
        moves = game.legal_moves(state, mover, SolverArranger())
        state, _ = game.apply(state, mover, rng.choice(moves), SolverArranger())


def test_a_secret_that_was_left_face_up_reads_back():
    flipped = swoop.flip(swoop.table(swoop.seat("3D", "-/5H"), swoop.seat("9S"), swoop.seat("8C"), pile="9D"), 0)
    state, _ = GAMES["swoop"].apply(flipped, None, Forfeit(0), None)
    stored = write_table(Table(GAMES["swoop"], state, (0, 0, 0)))
    tables._tables.clear()
    assert read_table("swoop", stored).state == state
    assert [seat.get("turned_up") for seat in orjson.loads(stored)["state"]["seats"]] == [0, None, None]


@pytest.mark.parametrize("schema", [0, 3, 99])
def test_what_was_agreed_under_another_schema_is_not_read(here: Service, schema: int) -> None:
    info = orjson.loads(here.store.load(here.create().id).info)
    assert read_setup(orjson.dumps(info)).game == "rummy"
    with pytest.raises(Unreadable, match=f"schema {schema}; this one reads 1 and 2"):
        read_setup(orjson.dumps({**info, "schema": schema}))


@pytest.mark.parametrize("schema", [0, 3, 99])
def test_a_table_under_another_schema_is_not_touched(schema):
    game = GAMES["swoop"]
    state, _ = game.deal(2, resolve(game.rules), SEED, None)
    stored = orjson.loads(write_table(Table(game, state, (0, 0))))
    with pytest.raises(Unreadable, match=f"schema {schema}; this one reads 1 and 2"):
        read_table("swoop", orjson.dumps({**stored, "schema": schema}))


@given(dictionaries(text(), text() | sampled_from(['"mark":"', '\\"mark\\":\\"', 'mark":"ab']), max_size=4))
def test_a_mark_is_found_without_reading_what_else_was_agreed(metadata: dict[str, str]) -> None:
    mark = tokens.new_mark()
    setup = Setup(
        game="swoop", seats=('"mark":"', "b"), starter=None, seed_source="server", commitment="c", turn_seconds=None,
        miss_limit=None, metadata={"mark": "other", **metadata}, mark=mark,
    )  # fmt: skip
    assert mark_of(write_setup(setup)) == mark

"""What is stored of a table: read back as it was, and refused where another release wrote it."""

import orjson
import pytest

from engine.games import GAMES
from engine.options import resolve
from service.hosted.table import Table, Unreadable, read_table, write_table

SEED = "5e" * 32


@pytest.mark.parametrize("name", GAMES)
def test_a_table_reads_back_as_it_was(name):
    game = GAMES[name]
    state, _ = game.deal(2, resolve(game.rules), SEED, None)
    table = Table(game, state, (0, 3))
    assert read_table(name, write_table(table)) == table


@pytest.mark.parametrize("schema", [0, 2, 99])
def test_a_table_under_another_schema_is_not_touched(schema):
    game = GAMES["swoop"]
    state, _ = game.deal(2, resolve(game.rules), SEED, None)
    stored = orjson.loads(write_table(Table(game, state, (0, 0))))
    with pytest.raises(Unreadable, match=f"schema {schema}; this one reads 1"):
        read_table("swoop", orjson.dumps({**stored, "schema": schema}))

"""Short matches in the formats that rooms run, played at a table that is kept: their records tell what only the match layer does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.service.hosted.tables import LIFETIMES, SEED, Clock, Service, Table

NEXT = {"type": "next_round"}


def seated(folder: Path, rules: str) -> Table:
    store = Clock(folder / "games.sqlite3", lifetimes=LIFETIMES)
    return Service(store).create("rummy", 3, seed=SEED, starter=0, rules=rules)


def made(table: Table, move: Any, seat: int | None = None) -> Any:
    """The state behind a move of a seat, or of the app."""
    answer = table.move(move, table.app if seat is None else table.seats[seat])
    assert answer.status_code == 201, answer.text
    return table.state()


def packed(table: Table, state: Any) -> Any:
    """Everyone packs, so that the seat that is left wins the round."""
    while state["turn"] is not None:
        state = made(table, {"type": "pack"}, state["turn"])
    return state


def pool(folder: Path) -> Any:
    """The record of a Pool 61: seat 0 goes out and comes back, seat 2 leaves for good, the others split the pot."""
    table = seated(folder, "pool_61")
    state = made(table, {"type": "draw", "from": "stock"}, 0)
    state = packed(table, made(table, {"type": "declare", "fold": state["seats"][0]["hand"][0]}, 0))
    while state["standings"][0]["status"] == "in":
        state = packed(table, made(table, NEXT))
    made(table, {"type": "rejoin", "seat": 0})
    made(table, NEXT)
    packed(table, made(table, {"type": "withdraw", "seat": 2}))
    for seat in (0, 1):
        state = made(table, {"type": "agree_split"}, seat)
    assert state["phase"] == "match_over"
    return table.app.get(f"{table.path}/record").json


def deals(folder: Path) -> Any:
    """The record of two deals, and of one that decides the tie of two seats: the third gets no cards in it."""
    table = seated(folder, "deals_2")
    state = packed(table, table.state())
    while state["phase"] != "match_over":
        state = packed(table, made(table, NEXT))
    return table.app.get(f"{table.path}/record").json

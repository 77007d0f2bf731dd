"""The record of a match: opened at its end, replayed and verified; every tampering is found and named."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from engine.shuffling import commitment
from service.use_cases.replay import Divergence, verify
from tests.service.calls import refused
from tests.service.hosted.tables import LIFETIMES, SEED, Clock, Service, Table

ROOT = Path(__file__).parents[3]
QUICK_RULES = {
    "rummy": {"rounds": 2, "max_turns": 30, "invalid_declaration": "penalty"},
    "swoop": {"limit": 40, "max_plies": 120},
}


def whole_match(table: Table, rng: random.Random) -> None:
    """A match to its end, with a punished declaration where one is possible and turns that run out."""
    store = table.service.store
    assert isinstance(store, Clock)
    for number in range(2000):
        state = table.state()
        if state["phase"] == "match_over":
            return
        if state["phase"] == "discard" and state["round"] == 1 and len(state["seats"]) > 2 and number < 12:
            fold = state["seats"][state["turn"]]["hand"][0]
            assert table.move({"type": "declare", "fold": fold}).status_code == 201
        elif state["turn"] is not None and rng.random() < 0.05:
            store.pass_seconds(61)
            assert table.app.post(f"{table.path}/timeouts", match=table.version()).status_code == 201
        else:
            table.play(rng, 1)
    raise AssertionError("the match does not end")


@pytest.fixture(scope="module", params=GAMES)
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = Clock(tmp_path_factory.mktemp("record") / "games.sqlite3", lifetimes=LIFETIMES)
    service = Service(store)
    game = request.param
    table = service.create(game, 3, seed=SEED, turn_seconds=60, rules=QUICK_RULES[game])
    refused(table.app.get(f"{table.path}/record"), 409, "record_not_open")
    refused(table.seats[0].get(f"{table.path}/record", **{"If-None-Match": '"v1"'}), 409, "record_not_open")
    whole_match(table, random.Random(7))
    answer = table.app.get(f"{table.path}/record")
    assert answer.status_code == 200
    for caller in (*table.seats, table.spectator):
        assert caller.get(f"{table.path}/record").data == answer.data
        unchanged = caller.get(f"{table.path}/record", **{"If-None-Match": answer.headers["ETag"]})
        assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert answer.json["commitment"] == table.created["commitment"]
    store.close()
    return answer.json


def checked(record: Any) -> Any:
    return verify(json.dumps(record).encode())


def test_a_record_replays(record: Any) -> None:
    found = checked(record)
    assert (found.game, found.seats, found.moves) == (record["game"], 3, len(record["moves"]))
    assert found.rounds >= 1
    assert record["outcome"]["reason"] in ("rounds", "limit")
    assert record["seed"] == SEED
    assert {move["by"] for move in record["moves"]} >= {"seat", "timeout"}
    kinds = {event["type"] for move in record["moves"] for event in move["events"]}
    assert kinds >= {"round_scored", "match_over"}
    if record["game"] == "rummy":
        assert "penalised" in kinds


def test_an_aborted_match_replays(here: Service) -> None:
    table = here.create("swoop", 2)
    table.play(random.Random(1), 3)
    table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=4)
    record = table.app.get(f"{table.path}/record").json
    assert checked(record).outcome.reason == "aborted"


def test_a_long_log_is_read_to_its_end(here: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.use_cases.game_reads.PAGE", 4)
    table = here.create("swoop", 2)
    table.play(random.Random(1), 13)
    table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=14)
    record = table.app.get(f"{table.path}/record").json
    assert [move["version"] for move in record["moves"]] == list(range(2, 16))
    checked(record)


def _first(record: Any, kind: str) -> Any:
    """The first move that caused an event of this kind, and that event."""
    return next((move, event) for move in record["moves"] for event in move["events"] if event["type"] == kind)


def _other_seed(record: Any) -> None:
    record["seed"] = "00" * 32


def _other_seed_and_commitment(record: Any) -> None:
    record["seed"] = "00" * 32
    record["commitment"] = commitment(record["seed"])


def _dealt_card(record: Any) -> None:
    hands = record["deal"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def _move_gone(record: Any) -> None:
    del record["moves"][2]


def _moves_swapped(record: Any) -> None:
    moves = record["moves"]
    moves[0]["move"], moves[1]["move"] = moves[1]["move"], moves[0]["move"]


def _other_seat(record: Any) -> None:
    move = record["moves"][0]
    move["seat"] = (move["seat"] + 1) % 3


def _event_gone(record: Any) -> None:
    record["moves"][0]["events"].pop()


def _event_added(record: Any) -> None:
    record["moves"][0]["events"].append({"type": "aborted"})


def _round_cheaper(record: Any) -> None:
    _, scored = _first(record, "round_scored")
    loser = next(result for result in scored["results"] if result["points"])
    loser["points"] = 0


def _rules(record: Any) -> None:
    record["rules"][{"rummy": "pack_first", "swoop": "limit"}[record["game"]]] = 55


def _cut(record: Any) -> None:
    record["moves"].pop()


def _put(name: str, value: Any) -> Callable[[Any], None]:
    def put(record: Any) -> None:
        record[name] = value

    return put


TAMPERINGS: dict[str, tuple[Callable[[Any], None], str]] = {
    "another seed": (_other_seed, "/commitment"),
    "another seed and its commitment": (_other_seed_and_commitment, "/deal/0"),
    "another commitment": (_put("commitment", "00" * 32), "/commitment"),
    "a seed that is none": (_put("seed", "zz"), "/seed"),
    "two cards of the deal exchanged": (_dealt_card, "/deal/0/hands"),
    "other rules": (_rules, "/rules_hash"),
    "another hash of the rules": (_put("rules_hash", "00" * 32), "/rules_hash"),
    "rules that are none": (_put("rules", {}), "/rules"),
    "another game": (_put("game", "chess"), "/game"),
    "another schema": (_put("schema", 3), "/schema"),
    "fewer seats": (_put("seats", ["a", "b"]), "/deal/0"),
    "another starter": (_put("starter", 7), "/starter"),
    "a move left out": (_move_gone, "/moves/2/version"),
    "two moves exchanged": (_moves_swapped, "/moves/0"),
    "a move of another seat": (_other_seat, "/moves/0"),
    "an event left out": (_event_gone, "/moves/0/events"),
    "an event added": (_event_added, "/moves/0/events"),
    "a loser's points": (_round_cheaper, "/moves/"),
    "the last move cut off": (_cut, "/moves"),
    "other totals": (_put("totals", [0, 0, 0]), "/totals"),
    "another outcome": (_put("outcome", {"winners": [0, 1, 2], "totals": [0, 0, 0], "reason": "rounds"}), "/outcome"),
    "no outcome": (_put("outcome", None), "/outcome"),
    "a field too many": (_put("signature", "x"), "/signature"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_every_tampering_is_found_where_it_is(record: Any, what: str) -> None:
    tamper, where = TAMPERINGS[what]
    changed = deepcopy(record)
    tamper(changed)
    with pytest.raises(Divergence) as found:
        checked(changed)
    assert found.value.where.startswith(where), str(found.value)


@pytest.mark.parametrize("record", ["rummy"], indirect=True)
def test_an_arrangement_that_the_rules_do_not_make_is_found(record: Any) -> None:
    """A loser's grouping with fewer loose cards, points and all: the groups are checked by the rules."""
    changed = deepcopy(record)
    move, grouping = next(
        (move, result["grouping"])
        for move in changed["moves"]
        for event in move["events"]
        for result in event.get("results", ())
        if result["grouping"] and len(result["grouping"]["loose"]) > 3
    )
    grouping["groups"].append(
        {"kind": "pure_sequence", "cards": grouping["loose"][:3], "stands_for": grouping["loose"][:3]}
    )
    del grouping["loose"][:3]
    with pytest.raises(Divergence) as found:
        checked(changed)
    assert found.value.where == f"/moves/{changed['moves'].index(move)}/events"


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b'{"schema": 1, "schema": 1}', b"null", b"\xff"])
def test_what_is_no_record(text: bytes) -> None:
    with pytest.raises(Divergence):
        verify(text)


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "service", "replay", *arguments], cwd=ROOT, input=given, capture_output=True, timeout=60
    )


def test_one_is_not_counted_as_many(here: Service, tmp_path: Path) -> None:
    table = here.create("swoop", seed=SEED, starter=0)
    assert table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=1).status_code == 201
    said = run("-", given=table.app.get(f"{table.path}/record").data).stdout.decode()
    assert said.startswith("swoop, 2 seats, 1 round, 1 move: all agrees")


def test_the_command_line(record: Any, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    good = run(str(file))
    assert (good.returncode, good.stderr) == (0, b"")
    assert f"{len(record['moves'])} moves: all agrees" in good.stdout.decode()
    assert record["commitment"] in good.stdout.decode()
    assert run("-", given=file.read_bytes()).stdout == good.stdout
    record = {**record, "totals": [0, 0, 0]}
    bad = run("-", given=json.dumps(record).encode())
    assert bad.returncode == 1
    assert b"diverges at /totals" in bad.stderr
    missing = run(str(tmp_path / "none"))
    assert missing.returncode == 1
    assert b"No such file" in missing.stderr


def test_a_replay_needs_no_solver() -> None:
    code = "import sys, service.use_cases.replay; print([name for name in ('ortools', 'flask', 'redis') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr

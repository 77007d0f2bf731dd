"""Lists and ids: an owner learns nothing of others, lists by status look at their own, what former releases left goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.stores import names, sqlite_file
from service.stores.contract import Done, GameStore, Known
from service.stores.errors import Denied, Expired, NotFound
from service.stores.readers import Holder, Owner
from service.stores.redis_index import RedisIndex
from tests.servers import Server, running, server_or_skip
from tests.service.stores.conftest import Ground, redis_ground, sqlite_ground
from tests.service.stores.games import NEW, all_ids, asked, create, play


def test_the_cursor_counts_nobody_elses_games(tmp_path: Path) -> None:
    """In Redis it is the time of an own game."""
    places = []
    for others in (0, 5):
        store = sqlite_ground(tmp_path / str(others)).store()
        for _ in range(3):
            create(store)
            for _ in range(others):
                create(store, "another app")
        places.append(store.games("app", None, None, 1).after)
    assert places == [3, 3]


def test_a_key_makes_the_same_game_in_every_process_and_another_one_in_every_store(
    ground: Ground, tmp_path: Path
) -> None:
    first = ground.store().create("app", NEW, asked("k"), b"")
    again = ground.store().create("app", NEW, asked("k"), b"")
    elsewhere = sqlite_ground(tmp_path / "elsewhere").store().create("app", NEW, asked("k"), b"")
    assert isinstance(again, Known)
    assert again.id == first.id
    assert elsewhere.id != first.id  # the name and the key do not tell it


def test_only_who_may_know_of_a_game_is_given_it(ground: Ground) -> None:
    store, brief = ground.store(), ground.store(live=1)
    id, gone = create(store), create(brief)
    assert store.load(id, (), Owner("app")).tokens == store.load(id, (), Holder("0", "aa")).tokens == NEW.tokens
    with pytest.raises(NotFound):
        store.load(id, (), Owner("another app"))
    for holder in (Holder("0", "bb"), Holder("1", "aa"), Holder("owner", "app")):
        with pytest.raises(Denied) as denied:
            store.load(id, (), holder)
        assert denied.value.info == NEW.info
    for by in (Owner("app"), Owner("another app"), Holder("0", "bb")):
        with pytest.raises(NotFound):
            store.load("0" * 32, (), by)
        with pytest.raises(Expired):
            store.load(gone, (), by)


def test_lists_by_status_use_their_index(tmp_path: Path) -> None:
    store = sqlite_ground(tmp_path).store()
    create(store)
    with closing(sqlite3.connect(tmp_path / "data" / "games.sqlite3")) as connection:
        for narrowed, index in (
            ("AND status = 'over'", "games_by_status"),
            ("AND status != 'deleted'", "games_by_place"),
        ):
            query = f"EXPLAIN QUERY PLAN SELECT id FROM games WHERE owner = 'a' {narrowed} AND place < 9 AND expires > 1 ORDER BY place DESC LIMIT 2"
            plan = " ".join(row[3] for row in connection.execute(query))
            assert f"USING INDEX {index}" in plan
            assert "TEMP B-TREE" not in plan


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as started:
        yield started


@pytest.fixture
def redis_store(server: Server) -> Iterator[GameStore]:
    server.ask("FLUSHALL")
    ground = redis_ground(server.url)
    yield ground.store()
    ground.close()


def index(server: Server, status: str) -> list[str]:
    with server.client() as client:
        return [id.decode() for key in client.keys(f"*{{games:app}}:{status}") for id in client.zrange(key, 0, -1)]


def test_a_match_that_ends_changes_its_index(server: Server, redis_store: GameStore) -> None:
    ids = [create(redis_store) for _ in range(3)]
    play(redis_store, ids[1], 1, "over")
    assert (index(server, "live"), index(server, "over")) == ([ids[0], ids[2]], [ids[1]])
    assert all_ids(redis_store, "app", limit=1) == ids[::-1]


def test_a_process_that_dies_while_a_match_ends_leaves_it_in_its_lists(
    server: Server, redis_store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [create(redis_store) for _ in range(3)]
    with monkeypatch.context() as patched:
        patched.setattr(RedisIndex, "finished", lambda *_: None)
        play(redis_store, ids[1], 1, "over")
    assert ids[1] in index(server, "live")
    assert all_ids(redis_store, "app", limit=1) == ids[::-1]  # once, though it stands in both
    assert all_ids(redis_store, "app", "over") == [ids[1]]
    assert all_ids(redis_store, "app", "live") == [ids[2], ids[0]]
    assert ids[1] not in index(server, "live")


def test_a_match_that_did_not_end_after_all_is_not_listed_as_over(server: Server, redis_store: GameStore) -> None:
    id = create(redis_store)
    with pytest.raises(Exception, match="version 1"):
        play(redis_store, id, 7, "over")
    assert index(server, "over") == [id]
    assert all_ids(redis_store, "app", "over") == []
    assert all_ids(redis_store, "app") == all_ids(redis_store, "app", "live") == [id]


def test_the_index_of_a_former_release_is_taken_over(
    server: Server, redis_store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.stores.redis_index.BATCH", 2)
    ids = [create(redis_store) for _ in range(5)]
    play(redis_store, ids[3], 1, "over")
    gone = "f" * 32
    with server.client() as client:  # as it was
        (live,) = client.keys("*{games:app}:live")
        (over,) = client.keys("*{games:app}:over")
        former = live.replace(b"{games:app}:live", b"games:app")
        client.zunionstore(former, [live, over])
        client.zadd(former, {gone: 1})
        client.delete(live, over)
    assert all_ids(redis_store, "app", limit=2) == ids[::-1]
    assert all_ids(redis_store, "app", "over") == [ids[3]]
    with server.client() as client:
        assert not client.exists(former)
    assert gone not in index(server, "live")


def old_file(file: Path) -> list[str]:
    """A file as schema 1 had it, with two games of one owner and one of another's."""
    tables = sqlite_file.TABLES
    place = tables.index(",\n    place INTEGER"), tables.index("\n);")
    former = tables[: place[0]] + tables[place[1] :] + "CREATE INDEX games_by_owner ON games (owner, seq);"
    ids = [names.digest(str(number)) for number in range(3)]
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"{former} PRAGMA user_version = 1;")
        for id, owner in zip(ids, ("app", "another app", "app"), strict=True):
            row = [id, owner, 1, "live", 1, 1, None, 2**53, 2**53, 2**53, b"info", b"state 1", '{"0": "aa"}']
            seq = connection.execute(
                "INSERT INTO games (id, owner, version, status, created, changed, deadline, expires, buried, removable, info,"
                " blob, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            ).lastrowid
            connection.execute("INSERT INTO events VALUES (?, 1, 1, ?)", [seq, b"[1]"])
        connection.commit()
    return ids


def test_a_file_of_a_former_release_goes_on(tmp_path: Path) -> None:
    ids = old_file(tmp_path / "data" / "games.sqlite3")
    ground = sqlite_ground(tmp_path)
    stores = [ground.store(), ground.store()]
    assert isinstance(play(stores[0], ids[0], 1), Done)
    new = create(stores[1])
    assert all_ids(stores[1], "app", limit=1) == [new, ids[2], ids[0]]
    assert all_ids(stores[0], "another app") == [ids[1]]
    assert stores[0].load(ids[2]).tokens == {"0": "aa"}
    first = stores[0].create("app", NEW, asked("k"), b"")
    assert stores[1].create("app", NEW, asked("k"), b"").id == first.id
    ground.close()
    with closing(sqlite3.connect(tmp_path / "data" / "games.sqlite3")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (sqlite_file.SCHEMA,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data" / "games.sqlite3"
    old_file(file)
    with monkeypatch.context() as patched:
        patched.setitem(sqlite_file.UPGRADES, 1, (*sqlite_file.UPGRADES[1], "INSERT INTO nowhere VALUES (1);"))
        store = sqlite_ground(tmp_path).store()
        with pytest.raises(Exception, match="nowhere"):
            store.ready()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert "place" not in [row[1] for row in connection.execute("PRAGMA table_info(games)")]
    assert sqlite_ground(tmp_path).store().ready() == ()

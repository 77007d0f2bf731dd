"""What every store promises of one game (service/stores/contract.py): create, load, commit, grant, delete, expiry."""

from __future__ import annotations

import time

import pytest

from service.stores.contract import Change, Done, Game, GameStore, Known, NewGame, Request
from service.stores.errors import Expired, KeyReused, NotFound, Stale
from tests.service.stores.conftest import Ground
from tests.service.stores.games import BINARY, NEW, all_ids, asked, change, create, play


def test_a_created_game_is_loaded_as_it_was_given(store: GameStore) -> None:
    before = store.now()
    new = NewGame(info=BINARY, blob=BINARY, events=BINARY, tokens={"0": "aa"}, deadline=before + 5000)
    done = store.create("app", new, Request.fresh(), b"")
    game = store.load(done.id)
    assert isinstance(done, Done)
    assert before <= done.at <= store.now()
    assert game == Game(
        id=done.id, owner="app", version=1, status="live", created=done.at, changed=done.at, deadline=before + 5000,
        info=BINARY, blob=BINARY, tokens={"0": "aa"}, answers={}, now=game.now,
    )  # fmt: skip
    assert done.at <= game.now <= store.now()
    assert [(entry.version, entry.at, entry.events) for entry in store.events(done.id, 0, 10).entries] == [
        (1, done.at, BINARY)
    ]


def test_a_commit_moves_one_version_on(store: GameStore) -> None:
    id = create(store)
    done = store.commit(id, 1, Change(BINARY, b"[2]", "over", None), Request.fresh(), b"")
    game = store.load(id)
    assert isinstance(done, Done)
    assert (done.id, done.version) == (id, 2)
    assert (game.version, game.status, game.blob, game.changed, game.deadline) == (2, "over", BINARY, done.at, None)
    assert (game.info, game.tokens) == (NEW.info, NEW.tokens)
    assert [entry.events for entry in store.events(id, 0, 10).entries] == [b"[1]", b"[2]"]


def test_a_deadline_comes_and_goes(store: GameStore) -> None:
    id = create(store)
    store.commit(id, 1, change("a", deadline=1234567890123), Request.fresh(), b"")
    assert store.load(id).deadline == 1234567890123
    store.commit(id, 2, change("b"), Request.fresh(), b"")
    assert store.load(id).deadline is None


@pytest.mark.parametrize("version", [0, 1, 3, 99])
def test_another_version_is_stale_and_changes_nothing(store: GameStore, version: int) -> None:
    id = create(store)
    play(store, id, 1)
    before = store.load(id)
    with pytest.raises(Stale) as stale:
        play(store, id, version)
    assert stale.value.version == 2
    after = store.load(id)
    assert (after.version, after.blob, after.changed) == (before.version, before.blob, before.changed)
    assert len(store.events(id, 0, 10).entries) == 2


def test_a_token_is_replaced_and_nothing_else(store: GameStore) -> None:
    id = create(store)
    done = store.grant(id, "0", "cc", asked("k"), b"new token")
    again = store.grant(id, "0", "dd", asked("k"), b"")
    assert isinstance(done, Done)
    assert isinstance(again, Known)
    assert (done.version, again.answer.version, again.answer.data) == (1, 1, b"new token")
    game = store.load(id)
    assert game.tokens == {"0": "cc", "spectator": "bb"}
    assert (game.version, game.blob) == (1, NEW.blob)
    with pytest.raises(KeyReused):
        store.grant(id, "0", "ee", asked("k", b"other"), b"")


def test_a_deleted_game_is_gone(store: GameStore) -> None:
    id, kept = create(store), create(store)
    store.delete(id)
    calls = (
        lambda: store.load(id),
        lambda: play(store, id, 1),
        lambda: store.events(id, 0, 10),
        lambda: store.grant(id, "0", "cc", Request.fresh(), b""),
        lambda: store.delete(id),
    )
    for call in calls:
        with pytest.raises(NotFound):
            call()
    assert all_ids(store, "app") == [kept]


def test_an_unknown_game_is_not_found(store: GameStore) -> None:
    for id in ("nothing", "", "{}", "\ud800", "0" * 32, "0" * 31 + "\n"):
        with pytest.raises(NotFound):
            store.load(id)


def test_a_game_expires_is_told_of_and_is_forgotten(ground: Ground) -> None:
    store = ground.store(live=400, tombstone=500)
    id = create(store)
    time.sleep(0.25)
    play(store, id, 1)  # renews
    time.sleep(0.25)
    assert store.load(id).version == 2
    time.sleep(0.25)
    for call in (
        lambda: store.load(id),
        lambda: play(store, id, 2),
        lambda: store.events(id, 0, 9),
        lambda: store.delete(id),
    ):
        with pytest.raises(Expired) as expired:
            call()
        assert expired.value.owner == "app"
    assert all_ids(store, "app") == []
    time.sleep(0.45)
    with pytest.raises(NotFound):
        store.load(id)


def test_a_match_that_is_over_lives_by_another_time(ground: Ground) -> None:
    store = ground.store(live=200, over=60_000)
    id, live = create(store), create(store)
    play(store, id, 1, "over")
    time.sleep(0.25)
    assert store.load(id).status == "over"
    with pytest.raises(Expired):
        store.load(live)
    assert all_ids(store, "app") == [id]


def test_a_store_that_is_there_is_ready(store: GameStore) -> None:
    store.ready()
    assert abs(store.now() - time.time() * 1000) < 2000

"""What a store remembers in one process, and that it is never taken for the truth (service/stores/memory.py)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.stores import memory
from service.stores.contract import Done, Game, GameStore, Known, Request, Seen
from service.stores.errors import NotFound, Stale
from tests.service.stores.conftest import Ground
from tests.service.stores.games import NEW, asked, change, create, play

TOKEN = ("0", NEW.tokens["0"])


def recalled(store: GameStore, id: str) -> Game:
    game = store.remembered(id)
    assert game is not None
    return game


def test_nothing_is_remembered_of_a_game_that_was_not_here(ground: Ground) -> None:
    id = create(ground.store())
    assert ground.store().remembered(id) is None
    assert ground.store().remembered("no-such-game") is None


def test_what_was_read_or_changed_is_remembered(ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    loaded = store.load(id)
    assert recalled(store, id) == loaded
    for version in (1, 2):
        seen = Seen(NEW.info, recalled(store, id).blob, TOKEN)
        store.commit(id, version, change(f"b{version}", deadline=77), asked(f"k{version}"), b"answer", seen)
        remembered, truth = recalled(store, id), ground.store().load(id)
        assert remembered.answers == {}
        assert replace(remembered, now=0) == replace(truth, now=0)
    store.load(id, [asked("k1").key])
    assert recalled(store, id).answers == {}, "an answer is forgotten in time, and nothing here would notice"


def test_a_change_on_what_is_out_of_date_fails(ground: Ground) -> None:
    store, other = ground.store(), ground.store()
    id = create(store)
    store.load(id)
    play(other, id, 1)
    remembered = recalled(store, id)
    assert remembered.version == 1
    with pytest.raises(Stale) as told:
        store.commit(id, 1, change("a"), Request.fresh(), b"", Seen(NEW.info, remembered.blob, None))
    assert told.value.version == 2
    assert other.load(id).blob == b"state 2"


def test_a_change_on_a_version_that_was_lost_and_made_anew_fails(ground: Ground) -> None:
    """After a fail-over the same version may have come about by another move."""
    store = ground.store()
    id = create(store)
    play(store, id, 1)
    for blob in (b"state 2 that was lost", b"", b"state 22"):
        with pytest.raises(Stale) as told:
            store.commit(id, 2, change("a"), Request.fresh(), b"", Seen(NEW.info, blob, None))
        assert told.value.version == 2
    with pytest.raises(Stale):
        store.commit(id, 2, change("a"), Request.fresh(), b"", Seen(b"of another game", b"state 2", None))
    done = store.commit(id, 2, change("a"), Request.fresh(), b"", Seen(NEW.info, b"state 2", None))
    assert isinstance(done, Done)
    assert done.version == 3


def test_who_has_lost_its_token_changes_nothing_and_is_told_nothing(ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    seen = Seen(NEW.info, NEW.blob, TOKEN)
    assert isinstance(store.commit(id, 1, change("a"), asked("k"), b"answer", seen), Done)
    assert isinstance(store.commit(id, 1, change("a"), asked("k"), b"answer", seen), Known)
    ground.store().grant(id, "0", "cc", Request.fresh(), b"")
    for token in (TOKEN, ("1", "aa"), ("0", "")):
        for key in ("k", "new"):
            with pytest.raises(Stale):
                store.commit(id, 2, change("b"), asked(key), b"", Seen(NEW.info, b"a", token))
    assert isinstance(store.commit(id, 1, change("a"), asked("k"), b"", Seen(NEW.info, b"a", ("0", "cc"))), Known)
    assert store.load(id).version == 2


def test_what_is_gone_is_found_to_be(ground: Ground) -> None:
    store = ground.store()
    id = create(store)
    store.load(id)
    ground.store().delete(id)
    with pytest.raises(NotFound):
        store.commit(id, 1, change("a"), Request.fresh(), b"", Seen(NEW.info, recalled(store, id).blob, None))


def test_a_known_request_teaches_nothing(ground: Ground) -> None:
    store, other = ground.store(), ground.store()
    id = create(store)
    store.load(id)
    seen = Seen(NEW.info, NEW.blob, None)
    other.commit(id, 1, change("a"), asked("k"), b"", seen)
    assert isinstance(store.commit(id, 1, change("a"), asked("k"), b"", seen), Known)
    assert recalled(store, id).version == 1, "what became of the game since is not known here"


def test_the_oldest_are_forgotten(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "ROOM", 2)
    store = ground.store()
    ids = [create(store) for _ in range(3)]
    for id in ids:
        store.load(id)
    assert [store.remembered(id) is not None for id in ids] == [False, True, True]

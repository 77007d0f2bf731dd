"""Long polls of an app are counted over all processes: those of a killed one only for a while, and without Redis each counts alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from service.callers.places import Places
from service.callers.redis_counts import WAITING, RedisCounts
from service.stores.errors import StoreUnavailable
from service.stores.redis_script import Script
from tests.servers import Server, running, server_or_skip, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as started:
        yield started


def test_alone() -> None:
    places = Places(None)
    assert [places.take("a", 2) for _ in range(3)] == [True, True, False]
    assert places.take("b", 2)
    assert places.take("a", None)
    for _ in range(2):
        places.give("a")
    assert [places.take("a", 2) for _ in range(2)] == [True, False]


def test_two_processes_count_together(server: Server) -> None:
    first, second = (Places(RedisCounts(server.url, "together:"), pause=None) for _ in range(2))
    assert all(first.take("a", 5) for _ in range(4))
    assert second.take("a", 5)  # as it believes
    first.share()
    second.share()
    assert not second.take("a", 5)
    assert second.take("b", 5)
    assert first.take("a", 5)
    first.share(all=True)
    assert not first.take("a", 7 - 1)
    for _ in range(5):
        first.give("a")
    first.share()
    second.share(all=True)
    assert [second.take("a", 5) for _ in range(5)] == [True] * 4 + [False]


def test_processes_share_by_themselves(server: Server) -> None:
    first, second = (Places(RedisCounts(server.url, "themselves:")) for _ in range(2))
    assert second.take("a", 4)
    assert all(first.take("a", 4) for _ in range(3))

    def full() -> bool:
        if may := second.take("a", 4):
            second.give("a")
        return not may

    wait_for(full, "the second to learn of the first's")
    for _ in range(3):
        first.give("a")
    wait_for(lambda: not full(), "the second to learn that they are gone")


def test_what_a_killed_process_told_is_forgotten(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = RedisCounts(server.url, "killed:")
    assert counts.waiting("a", "killed", 7) == 0
    assert counts.waiting("a", "other", 1) == 7
    late = Script.of(WAITING.text.replace("redis.call('TIME')[1]", "redis.call('TIME')[1] + 11"))
    monkeypatch.setattr("service.callers.redis_counts.WAITING", late)
    assert counts.waiting("a", "other", 1) == 0
    with server.client() as client:
        assert client.hkeys("killed:waiting:a") == [b"other"]
        assert 0 < client.ttl("killed:waiting:a") <= 20


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["take", "give", "share"])), max_size=40))
def test_what_is_told_in_the_end_is_what_waits(steps: list[tuple[int, str]]) -> None:
    told: dict[str, int] = {}

    class Together:
        def waiting(self, name: str, process: str, count: int) -> int:
            told[process] = count
            return sum(told.values()) - count

    places = [Places(Together(), pause=None) for _ in range(3)]
    own = [0, 0, 0]
    for number, step in steps:
        if step == "share":
            places[number].share()
        elif step == "give" and own[number]:
            places[number].give("a")
            own[number] -= 1
        elif step == "take" and places[number].take("a", 9):
            own[number] += 1
    for place in places:
        place.share()
    assert sum(told.values()) == sum(own)
    for place in places:
        place.share(all=True)
    here = places[0]
    if own[0]:
        assert here.take("a", sum(own)) is False
        assert here.take("a", sum(own) + 1)


class Away:
    def __init__(self) -> None:
        self.here = True

    def waiting(self, name: str, process: str, count: int) -> int:
        if not self.here:
            raise StoreUnavailable("nobody answers")
        return 100


def test_without_redis_each_process_counts_for_itself_and_says_so_once() -> None:
    away = Away()
    places = Places(away, pause=None)
    assert places.take("a", 5)
    places.share()
    assert not places.take("a", 5)
    away.here = False
    with capture_logs() as logs:
        for _ in range(2):
            places.share(all=True)
            assert places.take("a", 5)
        assert [line["event"] for line in logs] == ["limits_unshared"]
        away.here = True
        places.share(all=True)
    assert not places.take("a", 5)

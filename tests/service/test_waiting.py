"""Those who wait for news of a game (service/http/long_polls.py): who is told, and who is asked again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

from service.http.long_polls import NOTE, WAITS, Wait, Waiters, answered
from service.stores.contract import GONE, GameStore
from tests.servers import wait_for

GAME, OTHER = "a" * 32, "b" * 32


class Silent:
    """A store that tells nothing by itself."""

    def listen(
        self, watched: Callable[[], Mapping[str, int]], told: Callable[[Mapping[str, int] | None], None]
    ) -> None:
        pass


def waiters(limit: int = 10) -> Waiters:
    return Waiters(cast(GameStore, Silent()), limit)


def test_who_waits_is_told_of_later_versions_of_its_game_only() -> None:
    places = waiters()
    watch = places.enter(GAME, 3)
    assert watch is not None
    for news in ({OTHER: 9}, {GAME: 3}, {GAME: 2}):
        places.tell(news)
        assert not watch.changed.is_set()
    places.tell({GAME: 4})
    assert watch.changed.is_set()
    assert places.watched() == {}


def test_a_game_that_is_gone_and_what_was_missed_are_news_for_all() -> None:
    for news in ({GAME: GONE}, None):
        places = waiters()
        found = [places.enter(GAME, version) for version in (1, 99)]
        places.tell(news)
        assert all(watch is not None and watch.changed.is_set() for watch in found)


def test_the_lowest_version_seen_is_watched_for() -> None:
    places = waiters()
    places.enter(GAME, 7)
    places.enter(GAME, 5)
    places.enter(OTHER, 1)
    assert places.watched() == {GAME: 5, OTHER: 1}


def test_places_are_given_back_and_there_are_only_so_many() -> None:
    places = waiters(2)
    found = [places.enter(GAME, 1) for _ in range(3)]
    assert found[2] is None
    assert found[0] is not None
    places.leave(GAME, found[0])
    assert places.enter(GAME, 1) is not None
    places.close()
    assert found[0].changed.is_set()
    assert places.enter(OTHER, 1) is None


class App:
    """Answers a call with the version there is; those who have seen it may wait."""

    def __init__(self) -> None:
        self.places = waiters(100)
        self.version = 1
        self.asked = 0
        self.noted: list[int] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        self.asked += 1
        watch = self.places.enter(GAME, self.version)
        assert watch is not None
        if self.version == 1:
            environ[WAITS] = Wait(watch, 20, lambda: self.places.leave(GAME, watch))
            environ[NOTE] = self.noted.append
            environ["HTTP_X_REQUEST_ID"] = environ["id"]
        else:
            self.places.leave(GAME, watch)
        start("200 OK", [("X-Request-Id", environ["HTTP_X_REQUEST_ID"])])
        return [b"%d" % self.version]


def test_of_equal_calls_the_first_is_asked_again_and_each_keeps_its_id() -> None:
    app = App()
    said: list[tuple[str, str, bytes]] = []

    def call(number: int) -> None:
        whose = f"token {number % 2}"
        environ = {"id": f"r{number}", "HTTP_AUTHORIZATION": whose, "PATH_INFO": "/events", "QUERY_STRING": "wait=20"}
        heads: list[Any] = []
        chunks: Any = answered(app, environ, lambda *head: heads.append(head))
        body = b"".join(chunks)
        chunks.close()
        said.append((f"r{number}", dict(heads[0][1])["X-Request-Id"], body))

    callers = [threading.Thread(target=call, args=(number,)) for number in range(20)]
    for caller in callers:
        caller.start()
    wait_for(lambda: app.asked == 20, "all to wait")
    app.version = 2
    app.places.tell({GAME: 2})
    for caller in callers:
        caller.join(10)
    assert [(mine, body) for _, mine, body in sorted(said)] == [(id, b"2") for id, _, _ in sorted(said)]
    assert app.asked == 22
    assert app.noted == [200] * 20

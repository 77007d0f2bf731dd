"""Those who wait for news of a game (service/http/long_polls.py): who is told, and who is asked again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from service.http.bodies import ON_READ
from service.http.fan_out import LINE, Headers
from service.http.long_polls import NOTE, WAITS, Wait, Waiters, Watch, answered
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
        assert not watch.changed
    places.tell({GAME: 4})
    assert watch.changed
    assert places.watched() == {}


def test_a_game_that_is_gone_and_what_was_missed_are_news_for_all() -> None:
    for news in ({GAME: GONE}, None):
        places = waiters()
        found = [places.enter(GAME, version) for version in (1, 99)]
        places.tell(news)
        assert all(watch is not None and watch.changed for watch in found)


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
    assert found[0].changed
    assert places.enter(OTHER, 1) is None


class App:
    """Answers a call with the version there is; those who have seen it may wait. Asked again, it may fail, or find that nothing is new."""

    def __init__(self, again: str = "200 OK", *, news: bool = True) -> None:
        self.places = waiters(100)
        self.version = 1
        self.again = again
        self.news = news
        self.joined: list[str] = []  # the ids of those who have begun to wait
        self._asked: list[str] = []
        self.noted: list[int] = []

    @property
    def asked(self) -> int:
        return len(self._asked)

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        self._asked.append(environ["id"])
        watch = self.places.enter(GAME, self.version)
        assert watch is not None
        if self.version == 1 or not self.news:

            def join(*given: Any) -> Any:
                alike = watch.join(*given)
                self.joined.append(environ["id"])
                return alike

            environ[WAITS] = Wait(cast(Watch, SimpleNamespace(join=join)), 20, lambda: self.places.leave(GAME, watch))
            environ[NOTE] = self.noted.append
            environ["HTTP_X_REQUEST_ID"] = environ["id"]
        else:
            self.places.leave(GAME, watch)
        start("200 OK" if self.version == 1 else self.again, [("X-Request-Id", environ["HTTP_X_REQUEST_ID"])])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [b"%d" % self.version]


class Line:
    """A caller's line, and what it has heard."""

    def __init__(self) -> None:
        self.heard = b""

    def form(self) -> None:
        return None

    def write(self, status: str, headers: Headers, body: Iterable[bytes]) -> bytes:
        del status
        return b"X-Request-Id: " + dict(headers)["X-Request-Id"].encode() + b"\r\n\r\n" + b"".join(body)

    def send(self, data: bytes) -> None:
        self.heard += data


class Callers:
    """So many callers who wait, of two kinds in turn, and what each was answered: by the app, or by its line."""

    def __init__(
        self, app: App, count: int, kinds: tuple[dict[str, str], dict[str, str]], *, lines: bool = True
    ) -> None:
        self.said: dict[str, bytes] = {}
        self.lines = {f"r{number}": Line() for number in range(count)}
        self._app = app
        self._threads = [
            threading.Thread(target=self._call, args=(id, kinds[number % 2], lines))
            for number, id in enumerate(self.lines)
        ]
        for caller in self._threads:
            caller.start()
        wait_for(lambda: len(app.joined) == count, "all to wait")

    def _call(self, id: str, kind: dict[str, str], lent: bool) -> None:
        environ = {"id": id, "REQUEST_METHOD": "GET", "PATH_INFO": "/events", "QUERY_STRING": "wait=20", **kind}
        heads: list[Any] = []
        chunks: Any = answered(
            self._app, environ | ({LINE: self.lines[id]} if lent else {}), lambda *head: heads.append(head)
        )
        body = b"".join(chunks)
        chunks.close()
        if heads:
            self.said[id] = b"X-Request-Id: " + dict(heads[0][1])["X-Request-Id"].encode() + b"\r\n\r\n" + body
        else:
            self.said[id] = self.lines[id].heard

    def join(self) -> None:
        for caller in self._threads:
            caller.join(10)
            assert not caller.is_alive()


def told(app: App, count: int, *kinds: dict[str, str], lines: bool = True) -> Callers:
    """The callers, once they have been answered news."""
    callers = Callers(app, count, (kinds[0], kinds[-1]), lines=lines)
    app.version = 2
    app.places.tell({GAME: 2})
    callers.join()
    return callers


TOKENS = {"HTTP_AUTHORIZATION": "token 0"}, {"HTTP_AUTHORIZATION": "token 1"}


def test_of_equal_calls_one_is_asked_again_and_each_keeps_its_id() -> None:
    app = App()
    callers = told(app, 20, *TOKENS)
    assert callers.said == {id: b"X-Request-Id: %s\r\n\r\n2" % id.encode() for id in callers.lines}
    assert all(line.heard for line in callers.lines.values())
    assert app.asked == 22
    assert app.noted == [200] * 20
    assert app.places.watched() == {}


@pytest.mark.parametrize("name", ["HTTP_AUTHORIZATION", "PATH_INFO", "QUERY_STRING", "REQUEST_METHOD"])
def test_calls_that_differ_are_asked_apart(name: str) -> None:
    app = App()
    values = {"PATH_INFO": ("/a/events", "/b/events"), "REQUEST_METHOD": ("GET", "HEAD")}.get(name, ("1", "2"))
    callers = told(app, 4, *({name: value} for value in values))
    assert app.asked == 6
    bodies = [callers.said[f"r{number}"].partition(b"\r\n\r\n")[2] for number in range(4)]
    assert bodies == [b"2", b"" if name == "REQUEST_METHOD" else b"2"] * 2


def test_without_a_line_each_is_asked() -> None:
    app = App()
    callers = told(app, 6, *TOKENS, lines=False)
    assert callers.said == {id: b"X-Request-Id: %s\r\n\r\n2" % id.encode() for id in callers.lines}
    assert app.asked == 12


def test_what_is_no_success_is_for_the_one_alone_who_was_asked() -> None:
    app = App("410 Gone")
    callers = told(app, 4, *TOKENS)
    assert not any(line.heard for line in callers.lines.values())
    assert app.asked == 4 + 2 + 4
    assert app.noted == [410] * 4


def test_those_for_whom_nothing_is_new_wait_on() -> None:
    app = App(news=False)
    callers = Callers(app, 4, TOKENS)
    app.version = 2
    app.places.tell({GAME: 2})
    wait_for(lambda: len(app.joined) == 8, "all to wait again")
    assert app.asked == 4 + 2 + 4
    assert callers.said == {}
    app.news, app.version = True, 3
    app.places.tell(None)
    callers.join()
    assert callers.said == {id: b"X-Request-Id: %s\r\n\r\n3" % id.encode() for id in callers.lines}
    assert app.places.watched() == {}


def test_the_server_need_not_read_on_while_a_call_for_news_stands_in_line() -> None:
    """It closed the connection after the answer where it took the line for a slow caller."""
    read: list[bool] = []

    def app(environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        assert read == [True]
        assert ON_READ not in environ
        start_response("200 OK", [])
        return [b""]

    environ = {"QUERY_STRING": "after=1", "PATH_INFO": "/v1/games/one/events", ON_READ: lambda: read.append(True)}
    assert list(answered(app, environ, lambda *_: None)) == [b""]

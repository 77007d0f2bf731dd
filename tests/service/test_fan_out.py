"""Equal calls that wait are answered alike, byte for byte as each would be by itself (service/http/fan_out.py, service/server/line.py)."""

from __future__ import annotations

import json
import socket
import struct
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from gunicorn import util
from gunicorn.config import Config
from gunicorn.http import get_parser, wsgi

from service.http.fan_out import AT_A_STRETCH, LINE, Alike, Answer, Call, Headers
from service.server.line import ServerLine
from tests.servers import wait_for
from tests.service.process import Process, serving

BODY = b'{"events":[{"type":"drew"}],"version":2}'
HEADERS = [
    ("Content-Type", "application/json"),
    ("Content-Length", str(len(BODY))),
    ("ETag", '"v2"'),
    ("X-Request-Id", "of-the-one-who-was-asked"),
    ("X-Content-Type-Options", "nosniff"),
]
REQUESTS = [
    "GET / HTTP/1.1\r\nHost: x\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n",
    "GET / HTTP/1.0\r\n",
    "GET / HTTP/1.0\r\nConnection: keep-alive\r\n",
    "HEAD / HTTP/1.1\r\nHost: x\r\n",
]


class Caller:
    """A caller whose request has been read."""

    def __init__(self, request: str, id: str, counted: Headers, *, alive: bool = True) -> None:
        self.server, self.socket = socket.socketpair()
        self.server.setblocking(False)  # as gevent has them
        self.socket.sendall(request.encode() + b"\r\n")
        address = ("127.0.0.1", 1)
        req = next(get_parser(Config(), self.server, address))
        self.resp, self.environ = wsgi.create(req, self.server, address, address, Config())
        self.line = ServerLine(self.resp, SimpleNamespace(_sock=self.server), SimpleNamespace(alive=alive))
        self.id, self.counted = id, counted
        self.environ |= {LINE: self.line, "HTTP_X_REQUEST_ID": id}
        self.call = Call(self.environ, counted)

    def by_itself(self, headers: Headers, body: list[bytes]) -> bytes:
        """What the server writes where the call is answered by itself."""
        own = [(name, self.id if name == "X-Request-Id" else value) for name, value in headers]
        self.resp.start_response("200 OK", own + self.counted)
        self.line.answer(body)
        return bytes(self.line.rest)

    def close(self) -> None:
        self.server.close()
        self.socket.close()


def tell(callers: list[Caller], body: list[bytes], headers: Headers = HEADERS) -> None:
    """Answer all of them together."""

    def ask(environ: dict[str, Any]) -> tuple[Answer, bool]:
        asked.append(environ["HTTP_X_REQUEST_ID"])
        return ("200 OK", headers, body), True

    asked: list[str] = []
    alike = Alike(ask)
    for caller in callers:
        alike.add(caller.call)
    alike.begin()
    assert alike.done.wait(10)
    assert asked == [callers[0].id]
    assert [caller.call.told for caller in callers] == ["200 OK"] * len(callers)


@pytest.mark.parametrize("alive", [True, False], ids=["serving", "draining"])
@pytest.mark.parametrize("limited", [True, False])
def test_told_together_all_hear_what_each_would_by_itself(
    monkeypatch: pytest.MonkeyPatch, *, alive: bool, limited: bool
) -> None:
    monkeypatch.setattr(util, "http_date", lambda: "Thu, 01 Jan 1970 00:00:00 GMT")

    def crowd() -> list[Caller]:
        return [
            Caller(
                request,
                f"id-{number}",
                [("RateLimit-Policy", '"requests";q=9;w=10'), ("RateLimit", f'"requests";r={number};t=1')]
                if limited
                else [],
                alive=alive,
            )
            for number, request in enumerate(REQUESTS * 2)
        ]

    together, apart = crowd(), crowd()
    tell(together, [BODY])
    for one, other in zip(together, apart, strict=True):
        heard = one.socket.recv(65536)
        assert heard == other.by_itself(HEADERS, [BODY])
        assert (one.line.closes, one.line.rest) == (other.line.closes, b"")
        assert heard.partition(b"\r\n\r\n")[2] == (b"" if one.environ["REQUEST_METHOD"] == "HEAD" else BODY)
        one.close()
        other.close()


def test_who_takes_slowly_or_has_gone_holds_nobody_up() -> None:
    body = b"x" * 2_000_000
    headers = [*HEADERS[2:], ("Content-Length", str(len(body)))]
    callers = [Caller(REQUESTS[0], f"id-{number}", []) for number in range(2 * AT_A_STRETCH)]
    callers[1].socket.close()
    tell(callers, [body], headers)
    assert callers[1].line.rest[-len(body) :] == body
    assert 0 < len(callers[2].line.rest) < len(body)
    assert (taken(callers[2]) + callers[2].line.rest).endswith(b"\r\n\r\n" + body)
    for caller in callers:
        caller.close()


def taken(caller: Caller) -> bytes:
    """What is on the way to the caller."""
    caller.server.close()
    data = b""
    while more := caller.socket.recv(65536):
        data += more
    return data


class Watcher:
    """A connection that waits for news of a game."""

    def __init__(self, served: Process, game: str, token: str, query: str, id: str) -> None:
        address = urlsplit(served.url)
        self.id = id
        self.socket = socket.create_connection((address.hostname, address.port), timeout=10)
        self.ask(
            f"/v1/games/{game}/events?{query}",
            f"X-Request-Id: {id}\r\n" + (token and f"Authorization: Bearer {token}\r\n"),
        )

    def ask(self, path: str, headers: str = "") -> None:
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())

    def answer(self) -> tuple[list[str], bytes]:
        """The head, without the date, and the body."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.socket.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        length = next(int(line.partition(": ")[2]) for line in lines if line.startswith("Content-Length"))
        while len(body) < length:
            body += self.socket.recv(65536)
        return [line for line in lines if not line.startswith("Date: ")], body


def test_each_viewer_sees_its_own_and_connections_stay(tmp_path: Path) -> None:
    """Whoever waits beside others of its kind hears what one of its kind hears who waits alone; and nothing of what other kinds do."""
    with serving(tmp_path) as served, ExitStack() as stack:
        made = served.ask("/v1/games", {"game": "rummy", "seats": ["a", "b"]})
        tokens = {"app": "", "spectator": made["spectator_token"]}
        tokens |= {name: made["seats"][number]["token"] for number, name in enumerate("ab")}
        told = {}
        for name, token in tokens.items():
            eyes = "&seat=referee" if name == "app" else ""
            queries = [f"after=1&wait=20&include=view{eyes}"] * 3 + [f"after=1&include=view&wait=20{eyes}"]
            told[name] = [
                Watcher(served, made["id"], token, query, f"{name}{number}") for number, query in enumerate(queries)
            ]
        gone = [Watcher(served, made["id"], tokens["a"], "after=1&wait=20&include=view", "gone") for _ in range(2)]
        for watcher in (*(each for kind in told.values() for each in kind), *gone):
            stack.callback(watcher.socket.close)
        wait_for(lambda: f"\ncardref_waiters {4 * 4 + 2}.0" in served.ask("/metrics"), "all to wait")
        gone[0].socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it is reset
        for watcher in gone:
            watcher.socket.close()
        draw = json.dumps({"seat": made["view"]["turn"], "move": {"type": "draw", "from": "stock"}}).encode()
        headers = {"Content-Type": "application/json", "If-Match": '"v1"'}
        urllib.request.urlopen(
            urllib.request.Request(f"{served.url}/v1/games/{made['id']}/moves", draw, headers)
        ).close()
        bodies = {}
        for name, watchers in told.items():
            answers = [watcher.answer() for watcher in watchers]
            assert len({body for _, body in answers}) == 1
            for watcher, (head, _) in zip(watchers, answers, strict=True):
                assert [line for line in head if line != f"X-Request-Id: {watcher.id}"] == [
                    line for line in answers[-1][0] if line != f"X-Request-Id: {watchers[-1].id}"
                ]
                assert f"X-Request-Id: {watcher.id}" in head
            bodies[name] = json.loads(answers[0][1])
        assert {body["version"] for body in bodies.values()} == {2}
        views = {name: body["view"] for name, body in bodies.items() if name != "app"}
        assert {name: view["viewer"] for name, view in views.items()} == {"spectator": None, "a": 0, "b": 1}
        assert [name for name, body in bodies.items() if "view" not in body] == ["app"]
        assert [name for name, body in bodies.items() if body["events"][0]["card"]] == [
            "app",
            "ab"[made["view"]["turn"]],
        ]
        for watcher in told["a"]:
            watcher.ask("/healthz")
            assert watcher.answer()[1] == b'{"status":"alive"}'
        wait_for(lambda: "\ncardref_waiters 0.0" in served.ask("/metrics"), "all to be gone")

"""Equal calls that wait for the same news: asked again once, written once, and sent to each by one who walks along their lines.

To wake a thousand callers and let each write its answer takes a worker three times as long as that, and the last one waits for all.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Protocol

from service.process import native

LINE = "cardref.line"  # in the environ, where the server lends it: the caller's line
AT_A_STRETCH = 32  # answers that are sent before other callers get their turn
_ID = secrets.token_hex(16)  # stands for the request's id in what is written once

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Answer = tuple[str, Headers, list[bytes]]


class Line(Protocol):
    """The way to a caller, past the app."""

    def form(self) -> Hashable:
        """What else than status, headers and body decides on how an answer is written now; it is written so afterwards."""

    def write(self, status: str, headers: Headers, body: Iterable[bytes]) -> bytes:
        """The answer as the server would write it for this call."""

    def send(self, data: bytes) -> None:
        """Send as much of the answer as can be sent at once; the server sends the rest when the app returns, whose answer it passes over."""


class Call:
    """A call that waits. `counted`: headers of its own, besides its id."""

    __slots__ = ("_counted", "_id", "environ", "line", "told")

    def __init__(self, environ: Environ, counted: Headers) -> None:
        self.environ = environ
        self.line: Line | None = environ.get(LINE)
        self.told = ""  # with which status, once it has been sent its answer
        self._id = environ["HTTP_X_REQUEST_ID"].encode("latin-1")
        self._counted = b"".join(f"\r\n{name}: {value}".encode("latin-1") for name, value in counted)

    def tell(self, status: str, pieces: tuple[bytes, bytes, bytes]) -> None:
        """Send it the answer, with what is its own between the pieces."""
        assert self.line is not None, "only calls with a line are told"
        start, end, body = pieces
        self.line.send(b"".join((start, self._id, end, self._counted, b"\r\n\r\n", body)))
        self.told = status


class Alike:
    """Calls that would be answered alike."""

    __slots__ = ("_ask", "_calls", "done")

    def __init__(self, ask: Callable[[Environ], tuple[Answer, bool]]) -> None:
        """`ask`: what a call is answered now, and whether that is for all that are equal."""
        self.done = threading.Event()  # each has been told, or has to ask for itself
        self._ask = ask
        self._calls: dict[Call, None] = {}

    def add(self, call: Call) -> None:
        """Let the call be told with the others, if the server lends its line."""
        if call.line is not None:
            self._calls[call] = None

    def remove(self, call: Call) -> None:
        """It waits no longer."""
        self._calls.pop(call, None)

    def begin(self) -> None:
        """There is news: tell all. Where there is one call, it does that by itself."""
        if len(self._calls) > 1:
            native.start(self._tell_all)
        else:
            self.done.set()

    def _tell_all(self) -> None:
        try:
            environ = next((dict(call.environ) for call in self._calls), None)
            if environ is not None:
                answer, for_all = self._ask(environ)
                if for_all:
                    self._send(*answer)
        finally:
            self.done.set()

    def _send(self, status: str, headers: Headers, body: list[bytes]) -> None:
        marked = [(name, _ID if name == "X-Request-Id" else value) for name, value in headers]
        written: dict[Hashable, tuple[bytes, bytes, bytes]] = {}
        sent = 0
        while self._calls:
            call = next(iter(self._calls))  # the one that has waited for longest
            self.remove(call)
            assert call.line is not None, "only calls with a line are added"
            form = call.line.form()
            if form not in written:
                written[form] = _pieces(call.line.write(status, marked, body))
            call.tell(status, written[form])
            sent += 1
            if sent % AT_A_STRETCH == 0:
                native.give_way()


def _pieces(answer: bytes) -> tuple[bytes, bytes, bytes]:
    """What stands before the id, from there to the head's end, and the body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    start, _, end = head.partition(_ID.encode())
    return start, end, body

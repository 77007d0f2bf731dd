"""An HTTP client that knows what to do when there is no answer: send the same request again with the same key."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import orjson

PATIENCE = 60.0  # seconds until a request must be settled; servers restart in the meantime
PAUSE = 0.05  # between two tries: far less than Retry-After asks for, to put the service to the test
TIMEOUT = 15.0


class Fault(Exception):
    """The service did what it must not do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def json(self) -> Any:
        """The body read."""
        return orjson.loads(self.body)

    @property
    def is_improper(self) -> bool:
        """Whether it is one that nobody may ever get: a 500, or a 503 that does not say when to try again."""
        return self.status >= 500 and not (self.status == 503 and self.headers.get("retry-after", "").isdigit())

    @property
    def essence(self) -> tuple[int, bytes, str | None]:
        """What a repeat must give again."""
        return self.status, self.body, self.headers.get("etag")


class Account:
    """What all clients of a scenario have seen, added up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.seen: Counter[str] = Counter()
        self.slowest = 0.0
        self.faults: list[str] = []

    def note(self, what: str, seconds: float = 0.0) -> None:
        """One more of `what`; `seconds`: how long it took."""
        with self._lock:
            self.seen[what] += 1
            self.slowest = max(self.slowest, seconds)

    def fault(self, what: str) -> None:
        """Something that must not be."""
        with self._lock:
            self.faults.append(what)


class Client:
    """One connection to the service at a port, opened again whenever it breaks; for one thread."""

    def __init__(self, port: int, account: Account, token: str | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self._port, self._token = port, token
        self.account = account

    def holding(self, token: str) -> Client:
        """Another client of the same service, with this token."""
        return Client(self._port, self.account, token)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer | None:
        """The answer; None if there was none. Notes what came; a 5xx that is no proper 503 is a fault."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self._token is not None:
            given["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            given["Content-Type"] = "application/json"
        started = time.monotonic()
        try:
            self._connection.request(method, path, None if body is None else orjson.dumps(body), given)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self.account.note("no answer")
            return None
        answer = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, content)
        self.account.note(str(answer.status), time.monotonic() - started)
        if answer.is_improper:
            self.account.fault(f"{method} {path}: {answer.status} {content!r}")
        return answer

    def settle(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer, once the service is there and able to give one. The request must be one that may be repeated."""
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.call(method, path, body, **headers)
            if answer is not None and answer.status != 503:
                return answer
            if time.monotonic() > until:
                raise Fault(f"{method} {path}: not settled in {PATIENCE:.0f} s")
            time.sleep(PAUSE)

    def read(self, path: str) -> Any:
        """The JSON of a GET."""
        answer = self.settle("GET", path)
        if answer.status != 200:
            raise Fault(f"GET {path}: {answer.status} {answer.body!r}")
        return answer.json

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

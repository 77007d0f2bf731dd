"""The app called in process, with a new store for each world."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask, got_request_exception

from bench.fuzz_http.calls import KEYS, Answer, Call
from bench.fuzz_http.values import written
from service import create_app
from service.callers.limits import Limits
from service.config import Settings
from service.stores.lifetimes import Lifetimes
from tests.service.hosted.tables import Clock

UNLIMITED = Limits(requests=None, solves=None)
PATIENCE = 30.0  # seconds after which a call is given up
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class App:
    """The app without a server. Its solver starts no processes, so that all the work of a call is seen."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="cardref-fuzz-", dir=_MEMORY)
        self._faults: list[str] = []
        self._blocks = 0
        self.store = self._new_store()
        self.app: Flask = create_app(Settings(log="errors", api_keys=KEYS, solvers=1, limits=UNLIMITED), self.store)
        got_request_exception.connect(self._note, self.app)
        signal.signal(signal.SIGALRM, _give_up)

    def renew(self) -> None:
        """An empty store."""
        self.store.close()
        self.store = self._new_store()
        self.app.config["STORE"] = self.store

    def later(self, seconds: float) -> None:
        """Let time pass for the store."""
        self.store.pass_seconds(seconds)

    def close(self) -> None:
        """Remove what is on the disk."""
        self.store.close()
        self._folder.cleanup()

    def _new_store(self) -> Clock:
        for old in Path(self._folder.name).iterdir():
            old.unlink()
        self._blocks += 1
        return Clock(Path(self._folder.name) / f"{self._blocks}.sqlite3", lifetimes=Lifetimes())

    def _note(self, sender: Flask, exception: BaseException, **more: Any) -> None:
        trace = exception.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        self._faults.append(f"{type(exception).__name__}: {exception}"[:120] + where)

    def send(self, call: Call) -> Answer:
        """The answer, with the processor time that all threads took for it."""
        self._faults.clear()
        told: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], error: object = None, /) -> Callable[[bytes], object]:
            told.extend((status, headers))
            return told.append

        environ = _environ(call)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        started = time.process_time()
        try:
            chunks = self.app.wsgi_app(environ, start)
            body = b"".join(chunks)
            if (close := getattr(chunks, "close", None)) is not None:
                close()
        except Exception as fault:  # noqa: BLE001 - whatever leaves the app is a finding
            return Answer(0, {}, b"", fault=f"left the app: {type(fault).__name__}: {fault}"[:200])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        seconds = time.process_time() - started
        headers = {name.lower(): value for name, value in told[1]}
        return Answer(int(told[0][:3]), headers, body, seconds, next(iter(self._faults), ""))


def _give_up(number: int, frame: object) -> None:
    raise TimeoutError(f"no answer in {PATIENCE:.0f} s")


def _environ(call: Call) -> dict[str, Any]:
    """The call as a server hands it to the app."""
    body = written(call.body)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": call.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": urllib.parse.unquote_to_bytes(call.path.encode("utf-8", "surrogatepass")).decode("latin1"),
        "QUERY_STRING": _wire(call.query),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "HTTP_HOST": "127.0.0.1:8000",
    }
    if body or call.method == "POST":
        environ["CONTENT_LENGTH"] = str(len(body))
    for name, value in call.headers:
        key = name.upper().replace("-", "_")
        key = key if key.startswith("CONTENT_TYPE") else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{_wire(value)}" if key in environ and key != "HTTP_HOST" else _wire(value)
    return environ


def _wire(text: str) -> str:
    """Text as WSGI has it: each byte a character."""
    return text.encode("utf-8", "surrogatepass").decode("latin1")

"""What views need of the app they run in."""

from __future__ import annotations

import socket
from functools import partial
from typing import Any

from flask import Request, current_app, g
from flask.globals import request_ctx

from service.callers.auth import App
from service.callers.keys import Apps, KeyRing
from service.callers.places import Places
from service.callers.rates import Rates
from service.config import Settings
from service.http.long_polls import Waiters
from service.solving.admission import Asker
from service.solving.batches import Solvers
from service.solving.solver import Solver
from service.stores.contract import GameStore
from solver.solve import Method


def current_request() -> Request:
    """The request itself: Flask's `request` looks it up anew at every use."""
    return request_ctx.request


def authorization() -> str | None:
    """What the request says of who is calling, if it says anything."""
    return current_request().headers.get("Authorization")


def settings() -> Settings:
    """The app's settings."""
    found: Settings = current_app.config["SETTINGS"]
    return found


def apps() -> Apps:
    """The apps that may call, as they are now."""
    ring: KeyRing = current_app.config["KEYS"]
    return ring.apps


def rates() -> Rates:
    """What each app has left of what it may ask for."""
    found: Rates = current_app.config["RATES"]
    return found


def places() -> Places:
    """How many long polls of each app wait."""
    found: Places = current_app.config["PLACES"]
    return found


def solver(asked: Method = "auto") -> Solver:
    """The solver for this call, which asks for a proof; the settings may ask for the model always."""
    method: Method = "cp-sat" if "cp-sat" in (asked, settings().solver) else "auto"
    return Solver(method, current_app.config["AUDIT"], g.request_id, solvers(), _one)


def solvers() -> Solvers:
    """What solves many hands at once."""
    found: Solvers = current_app.config["SOLVERS"]
    return found


def asker(kind: str) -> Asker:
    """Who asks the solver for work of a kind: the app, or else the address."""
    environ, caller = current_request().environ, g.get("caller")
    name = caller.name if isinstance(caller, App) else ""
    return Asker((kind, name or environ.get("REMOTE_ADDR")), partial(_hung_up, environ.get("gunicorn.socket")))


_one = partial(asker, "one")  # asked for by few calls


def _hung_up(connection: Any) -> bool:
    """Whether the caller has closed the connection; False where that cannot be seen."""
    raw = getattr(connection, "_sock", connection)  # gevent's would wait for something to come
    if raw is None:
        return False
    try:
        return not raw.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def waiters() -> Waiters:
    """Those who wait for news of a game."""
    found: Waiters = current_app.config["WAITERS"]
    return found


def store() -> GameStore:
    """Where the hosted games are kept."""
    found: GameStore = current_app.config["STORE"]
    return found

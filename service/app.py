"""The app is put together here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from flask import Flask, Response
from flask.globals import request_ctx

from service.callers.places import Places
from service.callers.rates import Rates
from service.callers.redis_counts import RedisCounts
from service.config import Settings
from service.http import errors, pipeline
from service.http.headers import nothing
from service.http.long_polls import Waiters, answered
from service.play import pages as play
from service.process import metrics
from service.process.cores import cores
from service.routes import OPERATIONS
from service.site import pages
from service.solving.audit import Audit
from service.solving.batches import Solvers, places_for
from service.stores.contract import GameStore
from service.stores.lifetimes import SECOND, Lifetimes
from service.stores.opening import open_store
from service.use_cases.readiness import Readiness


class _App(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view is a coroutine; Flask would look into each again at every request."""
        return func

    def make_default_options_response(self) -> Response:
        """`Allow`, and nothing else: Flask's own calls nothing HTML."""
        routes = request_ctx.url_adapter
        assert routes is not None, "a request has been routed"
        return nothing({"Allow": ", ".join(sorted(routes.allowed_methods()))})

    def wsgi_app(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Callers wait outside of Flask, where nothing is held for them."""
        environ["PATH_INFO"] = (
            environ["PATH_INFO"] or "/"
        )  # of an absolute address without a path (RFC 9112 section 3.2.2)
        return answered(super().wsgi_app, environ, start_response)

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Flask would write the exception's text, which may quote a hand; `service.http.errors` logs what may be known."""


def create_app(settings: Settings | None = None, store: GameStore | None = None) -> Flask:
    """The WSGI app under these settings (default: those of an empty environment). Raises ValueError for a store that
    cannot be what the settings say; none is connected to before it is used."""
    settings = settings or Settings()
    app = _App("cardref", static_folder=None)
    app.config["SETTINGS"] = settings
    app.config["AUDIT"] = Audit(settings.audit)
    app.config["STORE"] = store or store_of(settings)
    app.config["READINESS"] = Readiness()
    app.config["KEYS"] = settings.key_ring()
    counts = RedisCounts(settings.store) if settings.store and store is None else None
    app.config["RATES"] = Rates(counts)
    app.config["PLACES"] = Places(counts)
    app.config["WAITERS"] = Waiters(app.config["STORE"], settings.waiters)
    app.config["DRAINING"] = threading.Event()  # set once the process has been told to end
    ending = app.config["ENDING"] = threading.Event()  # … and takes no more calls
    processes = settings.solvers or cores()
    app.config["SOLVERS"] = Solvers(processes, places_for(processes), ending)
    app.url_map.merge_slashes = False
    errors.install(app)
    pipeline.mount(app, OPERATIONS)
    pages.mount(app)
    play.mount(app)
    return app


def store_of(settings: Settings) -> GameStore:
    """The store that the settings name. Raises ValueError for one that cannot be; it is not connected to yet."""
    return open_store(
        settings.store or None,
        settings.data,
        lifetimes=Lifetimes(live=settings.live_ttl * SECOND, over=settings.over_ttl * SECOND),
        replicas=int(settings.durability == "durable"),
        accept_loss=settings.accept_loss,
        note=metrics.note_store,
    )

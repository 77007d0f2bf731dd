"""The app is put together here."""

from __future__ import annotations

from types import TracebackType

from flask import Flask

from service import errors, http
from service.config import Settings
from service.routes import OPERATIONS


class _App(Flask):
    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Flask would write the exception's text, which may quote a hand; `service.errors` logs what may be known."""


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI app under these settings (default: those of an empty environment)."""
    app = _App("cardref", static_folder=None)
    app.config["SETTINGS"] = settings or Settings()
    app.url_map.merge_slashes = False
    errors.install(app)
    http.mount(app, OPERATIONS)
    return app

"""The HTTP service: thin routes over the engine and the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from service.config import Settings
    from service.stores.contract import GameStore


def create_app(settings: Settings | None = None, store: GameStore | None = None) -> Flask:
    """The WSGI app: see `service.app.create_app`.

    Nothing is imported before it is called: a replay needs neither Flask nor OR-Tools, and the metrics of several workers
    add up only if their folder is named before prometheus_client is imported.
    """
    from service import app

    return app.create_app(settings, store)

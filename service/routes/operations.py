"""What runs the service and what documents it: health, metrics, the spec, the docs pages. None of it needs a key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from flask import Response, current_app

from service.contract import openapi
from service.http.context import apps, current_request, store
from service.http.operation import Operation, Reply
from service.play import pages
from service.problems.refusals import Refusal
from service.process import metrics
from service.site import files
from service.stores.notices import Notice

_TAG = "Operations"


@dataclass(frozen=True, slots=True)
class Home:
    """What this is, and where it is described."""

    service: str
    version: str
    docs: str
    openapi: str
    play: Annotated[str, "Pages to look at what the service does."]
    keys: Annotated[bool, "Whether calls under /v1 need a key."]


@dataclass(frozen=True, slots=True)
class Liveness:
    """The process answers."""

    status: Literal["alive"] = "alive"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Calls can be served."""

    status: Literal["ready"]
    warnings: tuple[Notice, ...] | None = field(default=None, metadata={"omit": True})


def _home() -> Reply[Home] | Response:
    """People, whose browsers like HTML better than JSON, get a page."""
    likes = current_request().accept_mimetypes
    if likes["text/html"] > likes["application/json"]:
        return pages.page("front.html")
    home = Home("cardref", openapi.VERSION, "/docs", "/openapi.yaml", "/play", keys=bool(apps().keys))
    return Reply(home, headers={"Vary": "Accept"})


def _ready() -> Readiness:
    if current_app.config["DRAINING"].is_set():
        raise Refusal("store_unavailable", "The process is about to end.")
    notices = current_app.config["READINESS"].check(store())
    return Readiness("ready", notices or None)


def _metrics() -> Response:
    try:
        text, content_type = metrics.exposition()
    except metrics.Unreadable:
        raise Refusal("store_unavailable", "The counts cannot be read.") from None
    return Response(text, content_type=content_type)


def _spec() -> Response:
    return Response(openapi.text(_operations()), content_type="application/yaml")


def _docs() -> Response:
    return files.asset("reference.html")


def _operations() -> tuple[Operation, ...]:
    return tuple(current_app.config["OPERATIONS"].values())


def _get(name: str, path: str, view: Any, summary: str, answer: Any, **more: Any) -> Operation:
    return Operation(name=name, method="GET", path=path, view=view, summary=summary, answer=answer, tag=_TAG, **more)


OPERATIONS = (
    _get(
        "describeService",
        "/",
        _home,
        "What this is, and where it is described",
        Home,
        description="As JSON, and as a page for those who accept HTML sooner than JSON.",
    ),
    _get("checkHealth", "/healthz", Liveness, "Whether the process is alive", Liveness),
    _get(
        "checkReadiness",
        "/readyz",
        _ready,
        "Whether calls can be served",
        Readiness,
        description="The store takes changes and keeps them. `warnings`: what should be known of it all the same.",
        errors=("store_unavailable", "store_unsafe", "store_damaged"),
    ),
    _get(
        "readMetrics",
        "/metrics",
        _metrics,
        "Metrics for Prometheus",
        str,
        media_type="text/plain",
        errors=("store_unavailable",),
    ),
    _get("readSpecification", "/openapi.yaml", _spec, "This description", str, media_type="application/yaml"),
    _get(
        "readDocs",
        "/docs",
        _docs,
        "This description as a page, to read, to search and to try",
        str,
        media_type="text/html",
    ),
)

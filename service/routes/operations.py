"""What runs the service and what documents it: health, metrics, the spec, the docs pages. None of it needs a key."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, get_args

from flask import Response, current_app

from service import metrics, openapi
from service.context import store
from service.hints import As
from service.http import Operation
from service.problems import Refusal
from service.site import files
from service.stores.notices import NoticeCode

_TAG = "Operations"
_STATUS = Annotated[Any, As({"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]})]

_READY = Annotated[
    Any,
    As(
        {
            "type": "object",
            "properties": {
                "status": {"type": "string"},
                "warnings": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"code": {"enum": [*get_args(NoticeCode)]}, "sentence": {"type": "string"}},
                        "required": ["code", "sentence"],
                    },
                },
            },
            "required": ["status"],
        }
    ),
]

_TEXTS = ("service", "version", "docs", "openapi")
_HOME = Annotated[
    Any,
    As({"type": "object", "properties": {name: {"type": "string"} for name in _TEXTS}, "required": [*_TEXTS]}),
]


def _home() -> dict[str, str]:
    return {"service": "cardref", "version": openapi.VERSION, "docs": "/docs", "openapi": "/openapi.yaml"}


def _alive() -> dict[str, str]:
    return {"status": "alive"}


def _ready() -> dict[str, Any]:
    if current_app.config["DRAINING"].is_set():
        raise Refusal("store_unavailable", "The process is about to end.")
    notices = current_app.config["READINESS"].check(store())
    return {"status": "ready", **({"warnings": [asdict(notice) for notice in notices]} if notices else {})}


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


def _get(path: str, view: Any, summary: str, answer: Any, **more: Any) -> Operation:
    return Operation(method="GET", path=path, view=view, summary=summary, answer=answer, tag=_TAG, **more)


OPERATIONS = (
    _get("/", _home, "What this is, and where it is described", _HOME),
    _get("/healthz", _alive, "Whether the process is alive", _STATUS),
    _get(
        "/readyz",
        _ready,
        "Whether calls can be served",
        _READY,
        description="The store takes changes and keeps them. `warnings`: what should be known of it all the same.",
        errors=("store_unavailable", "store_unsafe", "store_damaged"),
    ),
    _get("/metrics", _metrics, "Metrics for Prometheus", str, media_type="text/plain", errors=("store_unavailable",)),
    _get("/openapi.yaml", _spec, "This description", str, media_type="application/yaml"),
    _get("/docs", _docs, "This description as a page, to read, to search and to try", str, media_type="text/html"),
)

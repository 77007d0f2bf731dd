"""The addresses of the documentation that are no calls of the contract: files, and what leads to them. None of it needs a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask, Response, current_app

from service.http.context import apps
from service.site import files, reference

ERRORS = "/docs/guides/errors.html"  # each code of a problem is an anchor there


def mount(app: Flask) -> None:
    """Add the addresses to an app that has its operations."""
    for path, view in _VIEWS.items():
        app.add_url_rule(path, f"docs_{view.__name__.strip('_')}", view, methods=["GET"])


def _described() -> Response:
    operations = tuple(current_app.config["OPERATIONS"].values())
    content, etag = reference.packed(operations, keyed=bool(apps().keys))
    return files.packed(content, "application/json", etag)


def _errors() -> Response:
    """Where the `type` of a problem leads. Browsers keep the part behind # when they are led on."""
    return _led_to(ERRORS)


def _guides() -> Response:
    return _led_to("/docs/guides/")


def _front() -> Response:
    return files.guide("")


def _led_to(path: str) -> Response:
    response = Response(status=302, headers={"Location": path}, content_type="text/plain; charset=utf-8")
    response.autocorrect_location_header = False
    return response


_VIEWS: Mapping[str, Callable[..., Response]] = {
    "/docs/reference.json": _described,
    "/docs/errors": _errors,
    "/docs/guides": _guides,
    "/docs/guides/": _front,
    "/docs/guides/<path:name>": files.guide,
    "/docs/assets/<path:name>": files.asset,
}

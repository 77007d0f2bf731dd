"""The addresses of the pages and of what they load. None of it needs a key: the pages ask for one where the calls do."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response
from werkzeug.exceptions import NotFound

from service.site import files

ASSETS = Path(__file__).parent / "assets"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PAGES: Mapping[str, str] = {"/play": "lab.html", "/play/replay": "replay.html", "/play/rules": "rules.html"}


class _File(NamedTuple):
    mimetype: str
    small: bytes
    etag: str


def mount(app: Flask) -> None:
    """Add the addresses to an app."""
    for path, name in _PAGES.items():
        app.add_url_rule(path, f"play_{Path(name).stem}", page, defaults={"name": name}, methods=["GET"])
    app.add_url_rule("/play/assets/<name>", "play_assets", asset, methods=["GET"])


def page(name: str) -> Response:
    """A page, under a policy that lets nothing in from elsewhere and nothing inline run."""
    response = asset(name)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.vary.add("Accept")
    return response


def asset(name: str) -> Response:
    """A file, compressed for those who take that; it may be kept, if it is asked each time whether it is still so. Raises NotFound."""
    file = _files().get(name)
    if file is None:
        raise NotFound
    return files.packed(file.small, file.mimetype, file.etag)


@cache
def _files() -> Mapping[str, _File]:
    """Every file, read and compressed once."""
    found = {}
    for place in ASSETS.iterdir():
        content = place.read_bytes()
        etag = hashlib.sha256(content).hexdigest()[:16]
        found[place.name] = _File(_TYPES[place.suffix], gzip.compress(content, mtime=0), etag)
    return found

"""Files as answers: the reference's page and scripts, which lie here, and the guides, which are built from docs/*.md.

The scripts of others lie compressed, in a folder that bears their version: whoever has such a file never needs to ask for it again.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from flask import Response, request
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

from service.config import ROOT
from service.http.headers import unless_kept

ASSETS = Path(__file__).parent / "assets"
GUIDES = ROOT / "build" / "guides"

# Everything comes from here. Scalar and Furo style elements in place, so that much is let through; no script stands in a page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
NOT_BUILT = """\
The guides have not been built here.

`make run` builds them before it starts the service; `make guides` builds them alone. Until then they can be read as
text in the folder docs/, and the reference of all calls is at /docs.
"""


def asset(name: str) -> Response:
    """A file of the reference. Raises NotFound."""
    return _file(ASSETS, name)


def guide(name: str) -> Response:
    """A file of the guides, ``""`` being the first page; where they have not been built, 404 with what to do. Raises NotFound."""
    if not (GUIDES / "index.html").is_file():
        return Response(NOT_BUILT, 404, content_type="text/plain; charset=utf-8")
    return _file(GUIDES, name or "index.html")


def packed(content: bytes, mimetype: str, etag: str) -> Response:
    """What has been compressed, as it is for those who take that, else unpacked."""
    taken = request.accept_encodings["gzip"] > 0
    response = _answer(content if taken else gzip.decompress(content), mimetype, etag if taken else f"{etag}-plain")
    if taken:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return response


def _file(folder: Path, name: str) -> Response:
    """A file as it lies there, or compressed under a name of its own. Raises NotFound."""
    place = safe_join(str(folder), name)
    if place is None:
        raise NotFound
    file, mimetype = Path(place), _TYPES.get(Path(name).suffix, "text/plain")
    small = file.with_name(f"{file.name}.gz")
    if small.is_file():
        response = packed(small.read_bytes(), mimetype, small.relative_to(folder).parts[0])
        response.headers["Cache-Control"] = _FOR_EVER
        return response
    if not file.is_file():
        raise NotFound
    content = file.read_bytes()
    response = _answer(content, mimetype, hashlib.sha256(content).hexdigest()[:16])
    if mimetype == "text/html":
        response.headers["Content-Security-Policy"] = POLICY
    return response


def _answer(content: bytes, mimetype: str, etag: str) -> Response:
    """What may be kept, if it is asked each time whether it is still so."""
    response = Response(content, mimetype=mimetype)
    response.headers["Cache-Control"] = _ASK_AGAIN
    return unless_kept(response, etag)

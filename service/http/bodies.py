"""Bodies of requests, read whole: what can be said of them before anyone knows who calls."""

from __future__ import annotations

from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from service.json.strict import BadJson
from service.problems.refusals import Refusal

ON_READ = "cardref.on-read"  # in the environ, where the server wants it: what to call once the request is read whole


def read_body(call: Request, limit: int, *, wanted: bool) -> bytes | BadJson:
    """The body, of at most `limit` bytes, or what is wrong with one that is not there whole: that is said later, after 401
    and 404. Raises RequestEntityTooLarge, and the refusal ``unsupported_media_type`` where a body is `wanted` or is there."""
    call.max_content_length = limit + 1  # a chunked body that is longer is cut off there, without an error
    body: bytes | BadJson
    try:
        body = call.get_data(cache=False)
    except (ParseException, ClientDisconnected):  # the server reads a chunked body no sooner than we do
        body = BadJson("the body's chunks are malformed, or end before the last one")
    else:
        if len(body) > limit:
            raise RequestEntityTooLarge
        if len(body) < (call.content_length or 0):
            body = BadJson("the body ends, or stands still, before all of it is there that Content-Length announces")
    if (body or wanted) and not _is_plain_json(call):
        raise Refusal("unsupported_media_type")
    return body


def _is_plain_json(call: Request) -> bool:
    if call.headers.get("Content-Encoding", "identity") != "identity":
        return False
    if call.content_type == "application/json":
        return True
    charset = call.mimetype_params.get("charset", "utf-8").lower()
    return call.mimetype == "application/json" and charset in ("utf-8", "utf8")

"""HTTP itself: what is refused before anyone looks at what is asked, by the server's parser or by us, whatever worker reads it."""

from __future__ import annotations

import os
import re
from typing import Any

from flask import Flask, Request, g
from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidHeader,
    InvalidHTTPVersion,
    InvalidRequestLine,
    InvalidRequestMethod,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)

from service.http import errors
from service.http.headers import EVERYWHERE
from service.problems.codes import PROBLEMS
from service.problems.refusals import Refusal
from service.process import metrics

SERVER = "cardref"  # in the header `Server`: not what we are made of

_FIRST_LINE = "the first line is no request in HTTP/1.0 or HTTP/1.1"
_MALFORMED = {
    LimitRequestLine: "the address is too long",
    LimitRequestHeaders: "there are too many headers, or one is too long",
    ExpectationFailed: "Expect can only be 100-continue",
    InvalidRequestLine: _FIRST_LINE,
    InvalidRequestMethod: _FIRST_LINE,
    InvalidHTTPVersion: _FIRST_LINE,
}
_OTHERWISE = "a header or a chunk is malformed"
_OURS = (InvalidResponseHeader, InvalidResponseHeaderName)
_VERSION = re.compile(r"HTTP/[0-9]+(\.[0-9]+)?")
# RFC 3986 section 3.2.2: an address in brackets or a name, and a port.
_HOST = re.compile(r"(?:\[[0-9A-Za-z:.~!$&'()*+,;=_-]+\]|(?:[0-9A-Za-z.~!$&'()*+,;=_-]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?")
_TAKEN = ("HTTP/1.0", "HTTP/1.1")


def check(call: Request) -> None:
    """Refuse what the parser lets pass and HTTP/1.1 does not: 505, 501, and 400 without a Host that is one (RFC 9112 sections 2.3, 3.2, 6.1)."""
    environ = call.environ
    if environ["SERVER_PROTOCOL"] not in _TAKEN:
        raise Refusal("http_version_not_supported")
    if environ.get("HTTP_TRANSFER_ENCODING", "chunked").strip().lower() != "chunked":
        raise Refusal("not_implemented")
    host = environ.get("HTTP_HOST")
    if host is None:
        if environ["SERVER_PROTOCOL"] == "HTTP/1.1":
            raise Refusal("bad_request", "a request in HTTP/1.1 needs a Host header")
    elif not _HOST.fullmatch(host):
        raise Refusal("bad_request", "the Host header is no host, with or without a port")


def answer(app: Flask, fault: Exception) -> bytes | None:
    """The whole answer to what the parser could not read, after which the connection is closed; None if the fault is not the
    caller's. gunicorn would answer in HTML, and write the caller's bytes into the log."""
    if not isinstance(fault, ParseException) or isinstance(fault, _OURS):
        return None
    code, detail = _refusal(fault)
    with app.app_context():
        g.request_id = os.urandom(16).hex()
        response = errors.answer(errors.problem(code, detail), {"X-Request-Id": g.request_id, **EVERYWHERE})
    metrics.count_request("none", response.status_code, 0.0)
    response.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode() + response.get_data()


def _refusal(fault: ParseException) -> tuple[str, str]:
    """The code and the detail of the problem."""
    if isinstance(fault, UnsupportedTransferCoding) or _has_other_coding(fault):
        return "not_implemented", PROBLEMS["not_implemented"].sentence
    if _is_in_another_version(fault):
        return "http_version_not_supported", PROBLEMS["http_version_not_supported"].sentence
    return "bad_request", next((said for kind, said in _MALFORMED.items() if isinstance(fault, kind)), _OTHERWISE)


def _has_other_coding(fault: ParseException) -> bool:
    """Whether the body comes in a coding beside or in the place of `chunked`; one that is misused is just malformed."""
    if not isinstance(fault, InvalidHeader) or fault.hdr != "TRANSFER-ENCODING" or fault.req is None:
        return False
    said = ",".join(value for name, value in fault.req.headers if name == "TRANSFER-ENCODING")
    return any(coding.strip().lower() != "chunked" for coding in said.split(","))


def _is_in_another_version(fault: ParseException) -> bool:
    """Whether the first line ends in a version of HTTP that is not ours, such as HTTP/2's preface does."""
    if isinstance(fault, InvalidHTTPVersion):
        said: Any = fault.version  # two numbers, or a text that is not two digits
        return isinstance(said, tuple) or _VERSION.fullmatch(said) is not None
    last = fault.req.rpartition(" ")[2] if isinstance(fault, InvalidRequestLine) else ""
    return last not in _TAKEN and _VERSION.fullmatch(last) is not None

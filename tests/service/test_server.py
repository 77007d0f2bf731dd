"""The service as users start it: gunicorn, real sockets."""

from __future__ import annotations

import json
import socket
import urllib.request
from urllib.parse import urlsplit

import pytest

from tests.service.calls import HAND

CHUNKED = (
    b"POST /v1/rummy/groupings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
)


def exchange(url: str, request: bytes) -> tuple[bytes, bytes]:
    """What the server answers to raw bytes: head and body."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def chunked(size: int) -> bytes:
    body = json.dumps({"hand": HAND, "wild_rank": "7"}).encode()
    body += b" " * (size - len(body))
    pieces = [body[at : at + 4096] for at in range(0, len(body), 4096)]
    return CHUNKED + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("target", [b"http://x", b"http://other?"])
def test_an_absolute_address_without_a_path_is_the_root(live_url: str, target: bytes) -> None:
    head, body = exchange(live_url, b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % target)
    assert head.startswith(b"HTTP/1.1 200")
    rooted = exchange(live_url, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert body == rooted[1]


def test_a_chunked_body(live_url: str) -> None:
    head, body = exchange(live_url, chunked(64 * 1024))
    assert head.startswith(b"HTTP/1.1 200")
    assert b'"points":50' in body


def test_a_chunked_body_over_the_limit(live_url: str) -> None:
    head, body = exchange(live_url, chunked(64 * 1024 + 1))
    assert head.startswith(b"HTTP/1.1 413")
    assert b'"code":"too_large"' in body


@pytest.mark.parametrize(
    "chunks", [b"zz\r\nabc\r\n0\r\n\r\n", b"-5\r\nabc\r\n0\r\n\r\n", b"3\r\nabcX0\r\n\r\n", b"3\r\nabc\r\n"]
)
def test_malformed_chunks(live_url: str, chunks: bytes) -> None:
    head, body = exchange(live_url, CHUNKED + chunks)
    assert head.startswith(b"HTTP/1.1 400")
    assert b'"code":"bad_json"' in body


def test_a_caller_cannot_say_where_the_service_is_mounted(live_url: str) -> None:
    for path, prefix in ((b"/healthz", b"/x"), (b"/v1/healthz", b"/v1")):
        head, _ = exchange(
            live_url, b"GET %s HTTP/1.1\r\nHost: x\r\nSCRIPT_NAME: %s\r\nConnection: close\r\n\r\n" % (path, prefix)
        )
        assert head.startswith(b"HTTP/1.1 200" if path == b"/healthz" else b"HTTP/1.1 404")


def test_metrics_add_up_over_workers(live_url: str) -> None:
    def count() -> int:
        with urllib.request.urlopen(f"{live_url}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        name = 'cardref_requests_total{operation="checkHealth",status="200"} '
        return sum(int(float(line.removeprefix(name))) for line in lines if line.startswith(name))

    before = count()
    for _ in range(40):
        urllib.request.urlopen(f"{live_url}/healthz").close()
    assert count() == before + 40


def test_who_calls_is_asked_before_what_is_wrong_with_the_body(live_url: str) -> None:
    """413, 415, 401, then 400: a body that is not there whole is no exception."""
    head, body = exchange(live_url, CHUNKED.replace(b"application/json", b"text/plain") + b"zz\r\n")
    assert head.startswith(b"HTTP/1.1 415")
    cut = b"POST /v1/games/%s/moves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    head, body = exchange(live_url, cut % b"none")
    assert head.startswith(b"HTTP/1.1 404")
    assert b'"code":"not_found"' in body

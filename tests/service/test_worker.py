"""The worker under callers who are silent, slow, or in a hurry (service/server/worker.py)."""

from __future__ import annotations

import json
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.server.worker import SLOW_SECONDS, TAKE_SECONDS
from tests.service.calls import HAND
from tests.service.process import Process, serving

THREADS = 2
BODY = json.dumps({"hand": HAND, "wild_rank": "7"}).encode()
HEAD = b"POST /v1/rummy/groupings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
WHOLE_CHUNKED = HEAD + b"Connection: close\r\nTransfer-Encoding: %s\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
HALVES = (
    HEAD,
    HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY[:20]),
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with serving(tmp_path_factory.mktemp("worker"), CARDREF_THREADS=str(THREADS)) as process:
        yield process


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connect(served: Process, opened: ExitStack) -> socket.socket:
    address = urlsplit(served.url)
    assert address.port
    return opened.enter_context(socket.create_connection(("127.0.0.1", address.port), timeout=3 * SLOW_SECONDS))


def answers(connection: socket.socket, count: int, *, more: bool = False) -> list[bytes]:
    """The bodies of so many answers, all of which must be 200; with `more`, others may follow."""
    found: list[bytes] = []
    data = b""
    while len(found) < count:
        head, end, rest = data.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]) if end else 0
        if end and len(rest) >= length:
            assert head.startswith(b"HTTP/1.1 200"), head
            found.append(rest[:length])
            data = rest[length:]
            continue
        came = connection.recv(65536)
        assert came, "closed before all was answered"
        data += came
    assert more or not data
    return found


def rest_of(connection: socket.socket) -> bytes:
    data = b""
    while more := connection.recv(65536):
        data += more
    return data


def test_silent_connections_keep_nobody_waiting(served: Process, opened: ExitStack) -> None:
    for _ in range(4 * THREADS):
        connect(served, opened)
    started = time.monotonic()
    assert served.ask("/healthz") == {"status": "alive"}
    assert time.monotonic() - started < 2  # five seconds before anyone else's turn, where threads wait for first bytes


def test_half_a_request_holds_a_thread_for_a_while_only(served: Process, opened: ExitStack) -> None:
    connections = [connect(served, opened) for _ in HALVES]
    for connection, half in zip(connections, HALVES, strict=True):
        connection.sendall(half)
    time.sleep(0.5)
    started = time.monotonic()
    assert served.ask("/healthz") == {"status": "alive"}
    assert time.monotonic() - started < 2 * SLOW_SECONDS + 2  # three halves, two threads
    _, body, chunks = (rest_of(connection) for connection in connections)
    assert b"400" in body.splitlines()[0]
    assert b"before all of it is there" in body
    assert b"400" in chunks.splitlines()[0]


def test_hundreds_who_drip_keep_nobody_waiting(served: Process, opened: ExitStack) -> None:
    slow = [connect(served, opened) for _ in range(300)]
    for number, connection in enumerate(slow):
        connection.sendall(HALVES[number % len(HALVES)])
    for byte in range(10):
        slow[byte].sendall(b"a")
        assert served.ask("/healthz") == {"status": "alive"}


def test_a_caller_who_is_busy_leaves_the_others_their_turn(served: Process, opened: ExitStack) -> None:
    """Requests sent ahead are there all at once; another's is answered before the last of them."""
    busy, other = connect(served, opened), connect(served, opened)
    busy.sendall(WHOLE * 200)
    answers(busy, 1, more=True)
    other.sendall(WHOLE)
    answers(other, 1)
    busy.setblocking(False)
    received = 0
    with suppress(BlockingIOError):
        while data := busy.recv(1 << 20):
            received += data.count(b"HTTP/1.1 200")
    assert received < 190


def test_a_long_wait_leaves_the_connection_usable(served: Process, opened: ExitStack) -> None:
    game = served.ask("/v1/games", {"game": "rummy", "seats": ["a", "b"]})
    connection = connect(served, opened)
    wait = SLOW_SECONDS + 2
    connection.sendall(f"GET /v1/games/{game['id']}/events?after=1&wait={wait} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    started = time.monotonic()
    (answer,) = answers(connection, 1)
    assert json.loads(answer) == {"game": "rummy", "events": [], "version": 1}
    assert time.monotonic() - started > SLOW_SECONDS
    connection.sendall(WHOLE)
    assert json.loads(answers(connection, 1)[0])["points"] == 50


def test_callers_who_do_not_close_keep_nobody_waiting(served: Process, opened: ExitStack) -> None:
    """Nor are they cut off: what they sent too much does not cost them the answer."""
    left = WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
    connections = [connect(served, opened) for _ in range(20)]
    for connection in connections:
        connection.sendall(left + b"x" * 1000)
    started = time.monotonic()
    assert served.ask("/healthz") == {"status": "alive"}
    assert time.monotonic() - started < 2
    for connection in connections:
        assert rest_of(connection).endswith(b"}")


def test_those_who_linger_count_and_give_way_to_newcomers(tmp_path: Path, opened: ExitStack) -> None:
    """More connections than a worker takes, and than the usual limit of files allows; none of the kept ones is lost."""
    left = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 4096 else max(soft, 4096), hard))  # for our own ends
    with serving(tmp_path, CARDREF_THREADS=str(THREADS)) as few:
        (worker,) = few.workers()
        kept = [connect(few, opened) for _ in range(900)]
        for connection in kept:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            answers(connection, 1)
        for _ in range(400):
            connection = connect(few, opened)
            connection.sendall(left)
            assert rest_of(connection).startswith(b"HTTP/1.1 200")
        for connection in kept:
            connection.sendall(left)
            assert rest_of(connection).startswith(b"HTTP/1.1 200")
        assert few.workers() == [worker]


def test_callers_who_take_no_answer_are_given_up(served: Process, opened: ExitStack) -> None:
    for _ in range(THREADS):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.enter_context(connection)
        connection.connect(("127.0.0.1", urlsplit(served.url).port))
        connection.sendall(b"GET /docs HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
    time.sleep(1)
    started = time.monotonic()
    assert served.ask("/healthz") == {"status": "alive"}
    assert time.monotonic() - started < 4 * TAKE_SECONDS  # one for what fits in, one for what does not


def test_requests_one_after_the_other_on_one_connection(served: Process, opened: ExitStack) -> None:
    connection = connect(served, opened)
    for number in range(60):
        connection.sendall(WHOLE)
        (answer,) = answers(connection, 1)
        assert json.loads(answer)["points"] == 50
        if number % 20 == 19:
            time.sleep(0.05)  # longer than a thread stays


def test_requests_sent_ahead(served: Process, opened: ExitStack) -> None:
    connection = connect(served, opened)
    connection.sendall(WHOLE * 5)
    assert [json.loads(answer)["points"] for answer in answers(connection, 5)] == [50] * 5


def test_more_callers_than_threads(served: Process, opened: ExitStack) -> None:
    connections = [connect(served, opened) for _ in range(5 * THREADS)]
    for _ in range(5):
        for connection in connections:
            connection.sendall(WHOLE)
        for connection in connections:
            assert len(answers(connection, 1)) == 1


@pytest.mark.parametrize(
    ("request_bytes", "detail"),
    [
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", "the address is too long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 9000 + b"\r\n\r\n", "there are too many headers, or one is too long"),
        (b"GET / HTTP/1.1\r\n" + b"A: x\r\n" * 200 + b"\r\n", "there are too many headers, or one is too long"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}", "Expect can only be 100-continue"),
        (b"\x16\x03\x01 hello\r\n\r\n", "the first line is no request in HTTP/1.0 or HTTP/1.1"),
        (b"GET /\r\n\r\n", "the first line is no request in HTTP/1.0 or HTTP/1.1"),
        (b"GET / tea HTTP/1.1\r\nHost: x\r\n\r\n", "the first line is no request in HTTP/1.0 or HTTP/1.1"),
        (b"G#T / HTTP/1.1\r\nHost: x\r\n\r\n", "the first line is no request in HTTP/1.0 or HTTP/1.1"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer s3cret\x00\r\n\r\n", "a header or a chunk is malformed"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nbad header: x\r\n\r\n", "a header or a chunk is malformed"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "a header or a chunk is malformed"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", "a header or a chunk is malformed"),
        (b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", "a request in HTTP/1.1 needs a Host header"),
        *(
            (b"GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % host, "the Host header is no host, with or without a port")
            for host in (b"[", b"a b", b"a/b", b"x:port", b"u@x", b"%zz", b"[::1", b"x:1:2")
        ),
    ],
)  # fmt: skip
def test_what_is_no_http_is_refused_like_everything_else(
    served: Process, opened: ExitStack, request_bytes: bytes, detail: str
) -> None:
    problem = problem_of(served, opened, request_bytes, 400)
    assert (problem["code"], problem["detail"]) == ("bad_request", detail)


@pytest.mark.parametrize("version", ["2.0", "2", "3.0", "0.9", "7.7", "1.2", "1.9", "11.1"])
def test_other_versions_of_http(served: Process, opened: ExitStack, version: str) -> None:
    request = f"GET /healthz HTTP/{version}\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    assert problem_of(served, opened, request, 505)["code"] == "http_version_not_supported"


def test_the_preface_of_http_2(served: Process, opened: ExitStack) -> None:
    assert problem_of(served, opened, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505)["code"] == "http_version_not_supported"


@pytest.mark.parametrize("coding", ["tea", "gzip", "identity", "gzip, chunked", "chunked;q=1", "identity, chunked"])
def test_other_codings_of_a_body(served: Process, opened: ExitStack, coding: str) -> None:
    request = WHOLE_CHUNKED % (coding.encode(), len(BODY), BODY)
    assert problem_of(served, opened, request, 501)["code"] == "not_implemented"


def test_chunks_and_a_request_without_host_in_http_1_0(served: Process, opened: ExitStack) -> None:
    connection = connect(served, opened)
    connection.sendall(WHOLE_CHUNKED % (b"Chunked", len(BODY), BODY))
    assert rest_of(connection).endswith(b"}")
    connection = connect(served, opened)
    connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
    assert b" 200 OK\r\n" in rest_of(connection)


def problem_of(served: Process, opened: ExitStack, request: bytes, status: int) -> Any:
    """The problem that answers the bytes; the connection is closed."""
    connection = connect(served, opened)
    connection.sendall(request)
    head, _, body = rest_of(connection).partition(b"\r\n\r\n")
    problem = json.loads(body)
    assert head.split(b" ")[1] == str(status).encode()
    assert b"Content-Type: application/problem+json" in head
    assert f"X-Request-Id: {problem['request_id']}".encode() in head
    assert b"X-Content-Type-Options: nosniff" in head
    assert b"gunicorn" not in head
    assert problem["status"] == status
    return problem


def test_nothing_says_what_the_server_is_made_of(served: Process, opened: ExitStack) -> None:
    connection = connect(served, opened)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = rest_of(connection).lower()
    assert b"gunicorn" not in answer
    assert b"server: cardref\r\n" in answer
    assert b"x-content-type-options: nosniff" in answer

"""The end of the process: whoever is being served is answered, and nothing is left to be told."""

from __future__ import annotations

import http.client
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.hands import hands
from service.server.worker import SLOW_SECONDS
from tests.conftest import free_port
from tests.servers import running, server_or_skip, wait_for
from tests.service.process import Process, serving, start

HANDS = [dealt.hand for dealt in hands("near", 300)]
ENDS = pytest.mark.parametrize("end", [Process.terminate, Process.interrupt], ids=["SIGTERM", "Ctrl-C"])


def rest_of_output(served: Process) -> bytes:
    assert served.process.stdout is not None
    return served.process.stdout.read().partition(b"}'\n\n")[2]  # after the line to try


def ends_while_one_waits(end: Callable[[Process], None], folder: Path, **given: str) -> None:
    with serving(folder, CARDREF_WORKERS="2", **given) as served, ThreadPoolExecutor(2) as pool:
        game = served.ask("/v1/games", {"game": "swoop", "seats": ["a", "b"]})["id"]
        polls = [pool.submit(served.ask, f"/v1/games/{game}/events?after=1&wait=20") for _ in range(2)]
        time.sleep(1)
        started = time.monotonic()
        end(served)
        assert [poll.result(10) for poll in polls] == [{"game": "swoop", "events": [], "version": 1}] * 2
        assert served.process.wait(10) == 0
        assert time.monotonic() - started < 2
        assert rest_of_output(served) == b""


@ENDS
def test_who_waits_is_answered_at_once(end: Callable[[Process], None], tmp_path: Path) -> None:
    ends_while_one_waits(end, tmp_path)


@ENDS
def test_who_waits_for_a_game_in_redis_is_answered_at_once(end: Callable[[Process], None], tmp_path: Path) -> None:
    with running(server_or_skip(), tmp_path / "redis", "appendonly yes") as server:
        ends_while_one_waits(end, tmp_path, CARDREF_STORE=server.url)


@ENDS
def test_what_was_begun_is_finished(end: Callable[[Process], None], tmp_path: Path) -> None:
    with serving(tmp_path, CARDREF_SOLVER="cp-sat", CARDREF_SOLVERS="1") as served, ThreadPoolExecutor(1) as pool:
        batch = pool.submit(served.ask, "/v1/rummy/groupings/batch", {"hands": HANDS, "wild_rank": "7"})
        time.sleep(0.3)
        assert not batch.done()
        end(served)
        assert len(batch.result(60)["results"]) == len(HANDS)
        assert served.process.wait(10) == 0
        assert rest_of_output(served) == b""


def test_readiness_says_so_while_calls_still_come(tmp_path: Path) -> None:
    with serving(tmp_path, CARDREF_DRAIN_SECONDS="2") as served:
        address = urlsplit(served.url)
        kept = http.client.HTTPConnection(address.netloc)
        statuses = []
        for _ in range(2):
            kept.request("GET", "/readyz")
            answer = kept.getresponse()
            statuses.append((answer.status, answer.read()[:9]))
            if len(statuses) == 1:
                served.terminate()
                time.sleep(0.3)
        kept.close()
        assert [status for status, _ in statuses] == [200, 503]
        assert served.process.wait(10) == 0


def test_connections_are_closed_in_their_next_answer_while_new_ones_are_taken(tmp_path: Path) -> None:
    with serving(tmp_path, CARDREF_DRAIN_SECONDS="2") as served:
        netloc = urlsplit(served.url).netloc
        kept = http.client.HTTPConnection(netloc)
        kept.request("GET", "/healthz")
        before = kept.getresponse()
        before.read()
        served.terminate()
        time.sleep(0.3)
        kept.request("GET", "/healthz")
        after = kept.getresponse()
        assert [before.headers["Connection"], after.headers["Connection"]] == ["keep-alive", "close"]
        assert after.read() == b'{"status":"alive"}'
        assert served.ask("/healthz") == {"status": "alive"}  # on a new one
        assert served.process.wait(10) == 0


def test_who_waits_does_so_to_the_end_of_the_drain(tmp_path: Path) -> None:
    with serving(tmp_path, CARDREF_DRAIN_SECONDS="1") as served, ThreadPoolExecutor(1) as pool:
        game = served.ask("/v1/games", {"game": "swoop", "seats": ["a", "b"]})["id"]
        poll = pool.submit(served.ask, f"/v1/games/{game}/events?after=1&wait=20")
        time.sleep(0.5)
        served.terminate()
        time.sleep(0.4)
        assert not poll.done()
        assert poll.result(10)["events"] == []
        assert served.process.wait(10) == 0


def test_a_connection_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        address = urlsplit(served.url)
        with socket.create_connection((address.hostname, address.port)):
            time.sleep(6)  # gunicorn gives it up to five seconds of a thread, then sets it aside
            served.terminate()
            assert served.process.wait(3) == 0


def test_half_a_request_is_waited_for_briefly(tmp_path: Path) -> None:
    """What is sent of it at once is answered; who sends no more holds up no end for as long as slow callers may take."""
    half, rest = (
        b"POST /v1/swoop/plays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Le",
        b"ngth: 2\r\n\r\n{}",
    )
    with serving(tmp_path) as served, ExitStack() as opened:
        address = urlsplit(served.url)
        late, silent, bodiless = (
            opened.enter_context(socket.create_connection((address.hostname, address.port), timeout=10))
            for _ in range(3)
        )
        for connection in (late, silent, bodiless):
            connection.sendall(half)
        bodiless.sendall(rest[:-1])
        time.sleep(0.5)
        served.terminate()
        time.sleep(0.5)
        late.sendall(rest)
        assert late.recv(9999).startswith(b"HTTP/1.1 422 ")
        assert served.process.wait(SLOW_SECONDS - 3) == 0


def catches_the_word_to_end(pid: int) -> bool:
    """Whether the process has a handler for SIGTERM, which Python gives it none for."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return bool(int(status["SigCgt"], 16) & 1 << (signal.SIGTERM - 1))


@ENDS
@pytest.mark.parametrize("seconds", [0, 0.5])
def test_a_start_that_is_broken_off_says_nothing(
    seconds: float, end: Callable[[Process], None], tmp_path: Path
) -> None:
    process = start(tmp_path, CARDREF_PORT=str(free_port()))
    wait_for(lambda: catches_the_word_to_end(process.pid), "the start to begin")
    time.sleep(seconds)
    end(Process(process, ""))
    output, _ = process.communicate(timeout=20)
    assert output == b""
    assert process.returncode in (0, 128 + signal.SIGTERM, 128 + signal.SIGINT)

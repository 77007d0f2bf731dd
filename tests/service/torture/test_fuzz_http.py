"""Short forms of `make fuzz-http` and `make soak`, and that the first notices what it is to find."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.fuzz_http.blocks import run_block
from bench.fuzz_http.calls import Answer, Call, World
from bench.fuzz_http.inside import App
from bench.fuzz_http.minimal import smallest
from bench.fuzz_http.runs import over_http
from bench.fuzz_http.verdict import Finding, wrong
from bench.soak.__main__ import Wish, soak
from bench.torture.service import ground
from service.routes import OPERATIONS
from tests.servers import server_or_skip

PROBLEM = {"content-type": "application/problem+json", "x-request-id": "a"}
PLAIN = {"content-type": "application/json", "x-request-id": "a"}
GET = Call("GET", "/v1/rules")


def wrong_but_for_time(findings: Iterable[Finding]) -> list[str]:
    """How long a call takes is for the long run: here other tests run beside it."""
    return [str(finding) for finding in findings if not finding.kind.startswith("slower")]


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    app = App()
    yield app
    app.close()


def test_there_is_a_valid_call_of_every_route(app: App) -> None:
    app.renew()
    world = World(app.send, random.Random(1), app.later)
    for operation in OPERATIONS:
        answer = app.send(world.valid(operation))
        # a round that is still being played is well asked to end
        assert answer.status == operation.status or operation.path.endswith("/rounds"), (operation.name, answer.body)


@pytest.mark.torture
@pytest.mark.parametrize("number", range(4))
def test_no_mutant_of_a_call_is_answered_as_none_may_be(app: App, number: int) -> None:
    app.renew()
    done = run_block(app.send, "--seed 1", number, later=app.later)
    assert wrong_but_for_time(done.findings) == []
    # what few mutants come to, such as 413, depends on how many routes there are
    assert {200, 201, 400, 401, 404, 405, 409, 415, 422} <= set(done.statuses)


@pytest.mark.torture
def test_nor_is_one_over_http() -> None:
    total = over_http(1, [0])
    assert wrong_but_for_time(total.findings.values()) == []
    assert total.mutants == 500


def test_a_block_is_the_same_each_time(app: App) -> None:
    def statuses() -> dict[int, int]:
        app.renew()
        return run_block(app.send, "--seed 2", 7, 100, app.later).statuses

    assert statuses() == statuses()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(200, PLAIN, b"{}"), ""),
        (Answer(404, PROBLEM, b'{"status": 404, "code": "not_found"}'), ""),
        (Answer(503, {**PROBLEM, "retry-after": "1"}, b'{"status": 503, "code": "undecided"}'), ""),
        (Answer(503, PROBLEM, b'{"status": 503, "code": "undecided"}'), "503 without retry-after"),
        (Answer(503, {**PROBLEM, "retry-after": "1"}, b'{"status": 503}'), "status 503"),
        (Answer(500, PROBLEM, b'{"status": 500, "code": "internal"}'), "status 500"),
        (Answer(500, PROBLEM, b"{}", fault="KeyError: 'a'"), "KeyError: 'a'"),
        (Answer(301, PLAIN, b"{}"), "status 301"),
        (Answer(404, {**PROBLEM, "content-type": "text/html"}, b""), "404 of the type 'text/html'"),
        (Answer(404, PROBLEM, b'{"status": 400, "code": "not_found"}'), "404 whose problem says 400 not_found"),
        (Answer(404, PROBLEM, b'{"status": 404, "code": "nope"}'), "404 whose problem says 404 nope"),
        (Answer(405, PROBLEM, b'{"status": 405, "code": "method_not_allowed"}'), "405 without allow"),
        (Answer(200, {"x-request-id": "a", "content-type": "text/html"}, b"<p>"), "200 of the type 'text/html'"),
        (Answer(200, PLAIN, b"{"), "200 that is no JSON"),
        (Answer(200, PLAIN, b"{}", seconds=0.6), "slower than 0.5 s"),
    ],
)
def test_what_is_noticed(answer: Answer, kind: str) -> None:
    assert wrong(GET, answer) == kind


def test_what_is_found_is_made_small() -> None:
    def shows(call: Call) -> bool:
        return isinstance(call.body, dict) and "b" in call.body.get("a", ())

    headers = (("If-Match", "x"), ("Content-Type", "application/json"))
    found = smallest(Call("POST", "/", "a=b", headers, {"a": ["c", "b", {"d": 1}], "e": [[]]}), shows)
    assert found == Call("POST", "/", "", (), {"a": ["b"]})


@pytest.mark.torture
def test_many_play_watch_and_ask_at_the_same_time(tmp_path: Path) -> None:
    server_or_skip()
    with ground("redis", tmp_path) as here:
        measured: Any = asyncio.run(soak(here, Wish(seconds=3, moves=50, games=10, watchers=4, groupings=10)))
    assert dict(measured.wrong) == {}
    assert 0 < measured.statuses["move 201"] <= 151
    assert 0 < measured.statuses["grouping 200"] <= 31
    assert measured.statuses["news 200"] > 0
    assert len(measured.lines()) == 7

"""The client in Python: whole matches over lines that break, every rule of sending again, games followed over a restart."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cardref_client._async_client
import cardref_client._client
import cardref_client._retrying
import httpx
import pytest
from cardref_client import AsyncCardref, Cardref, Illegal, Position, Refused, StaleVersion, Unanswered

from engine.games import GAMES
from tests.clients.front import UNAVAILABLE, failing
from tests.clients.programs import KEY, SMALL_KEY
from tests.conftest import free_port
from tests.service.process import Process, serving

TABLES: dict[str, Any] = {
    "rummy": {"game": "rummy", "seats": ["Ann", "Ben", "Cleo"], "rules": {"preset": "indian", "max_turns": 5}},
    "swoop": {"game": "swoop", "seats": ["Ann", "Ben", "Cleo"], "rules": {"limit": 150, "max_plies": 15}},
}
IMPOSSIBLE: Any = {"rummy": {"type": "discard", "card": "2C"}, "swoop": {"type": "play", "hand": [], "guards": []}}


@pytest.fixture(scope="module")
def broken(served: Process) -> Iterator[str]:
    """The service behind a front that cuts connections."""
    with failing(served.url, cut=True) as front:
        yield front


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses, where a front fails so often that those one should make would take long."""
    monkeypatch.setattr(cardref_client._retrying, "LEAST", 0.01)


@pytest.fixture
def app(served: Process) -> Iterator[Cardref]:
    with Cardref(served.url, KEY) as client:
        yield client


def chosen(position: Position) -> Any:
    """To declare where that wins, else what is listed first but for packing."""
    moves = [move for move in position.moves or () if move["type"] != "pack"]
    return next((move for move in moves if move["type"] == "declare"), moves[0])


def check(game: str, record: Any, last: list[Position], told: list[Any]) -> None:
    """A match to its end: each move made once, and everyone has heard of it all."""
    versions = [move["version"] for move in record["moves"]]
    assert versions == list(range(2, len(versions) + 2))
    assert {position.version for position in last} == {versions[-1]}
    assert record["game"] == game
    assert record["outcome"]["winners"]
    assert list(dict.fromkeys(event["version"] for event in told)) == [1, *versions]
    assert told[-1]["type"] == "match_over"


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_over_connections_that_are_cut(broken: str, game: str) -> None:
    with Cardref(broken, KEY) as app, ThreadPoolExecutor(5) as threads:
        table = app.create_game({**TABLES[game], "starter": 0})
        id = table["id"]
        seats = [app.as_caller(seat["token"]) for seat in table["seats"]]
        watcher = app.as_caller(table["spectator_token"])
        told = threads.submit(lambda: list(watcher.follow(id)))
        playing = [threads.submit(seat.play, id, chosen) for seat in seats]
        for position in app.watch(id):
            if position.view["phase"] == "round_over":
                app.deal_round(id, version=position.version)
        check(game, app.get_record(id), [each.result(60) for each in playing], told.result(60))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("game", GAMES)
def test_the_same_asynchronously(broken: str, game: str) -> None:
    async def match() -> None:
        async with AsyncCardref(broken, KEY) as app, asyncio.TaskGroup() as tasks:
            table = await app.create_game({**TABLES[game], "starter": 0})
            id = table["id"]
            seats = [app.as_caller(seat["token"]) for seat in table["seats"]]
            watcher = app.as_caller(table["spectator_token"])

            async def follow() -> list[Any]:
                return [event async for event in watcher.follow(id)]

            told = tasks.create_task(follow())
            playing = [tasks.create_task(seat.play(id, chosen)) for seat in seats]
            async for position in app.watch(id):
                if position.view["phase"] == "round_over":
                    await app.deal_round(id, version=position.version)
            check(game, await app.get_record(id), [await each for each in playing], await told)

    asyncio.run(match())


@pytest.mark.parametrize("game", GAMES)
def test_refusals_are_errors_that_say_why(app: Cardref, game: str) -> None:
    table = app.create_game({**TABLES[game], "starter": 0})
    ann = app.as_caller(table["seats"][0]["token"])
    with pytest.raises(StaleVersion) as stale:
        ann.make_move(table["id"], {"move": IMPOSSIBLE[game]}, version=99)
    assert stale.value.version == 1
    with pytest.raises(Illegal) as illegal:
        ann.make_move(table["id"], {"move": IMPOSSIBLE[game]}, version=1)
    assert illegal.value.violation
    assert illegal.value.violation["code"] == illegal.value.code
    seat_by_name: Any = {"move": IMPOSSIBLE[game], "seat": "first"}  # which the types do not let pass
    with pytest.raises(Refused, match="422 invalid_request"):
        ann.make_move(table["id"], seat_by_name, version=1)
    app.delete_game(table["id"])
    with pytest.raises(Refused, match="404 not_found"):
        ann.get_game(table["id"])


def test_a_move_that_comes_too_late_is_thought_over(app: Cardref) -> None:
    """Between what a player sees and its move the app moves for it: the player is shown the game anew."""
    table = app.create_game({**TABLES["rummy"], "starter": 0})
    id, seen = table["id"], []

    def late(position: Position) -> Any:
        seen.append((position.version, position.view["phase"]))
        if len(seen) == 1:
            app.make_move(id, {"seat": 0, "move": {"type": "draw", "from": "stock"}}, version=1)
        if len(seen) == 2:
            app.make_move(id, {"seat": None, "move": {"type": "abort"}}, version=2)
        return chosen(position)

    last = app.as_caller(table["seats"][0]["token"]).play(id, late)
    assert seen == [(1, "draw"), (2, "discard")]
    assert (last.version, last.over) == (3, True)


def test_an_apps_limit_is_told_at_once_to_those_without_patience(served: Process) -> None:
    with Cardref(served.url, SMALL_KEY, patience=0) as app:
        app.create_game(TABLES["swoop"])
        with pytest.raises(Refused, match="429 rate_limited"):
            app.create_game(TABLES["swoop"])


def test_a_game_is_followed_over_a_restart_of_the_service(tmp_path: Path) -> None:
    port = str(free_port())
    heard = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        with serving(tmp_path, CARDREF_PORT=port) as first:
            app = Cardref(first.url)
            table = app.create_game({**TABLES["rummy"], "starter": 0})
            id = table["id"]

            def follow() -> list[tuple[int, str]]:
                told = []
                for event in app.as_caller(table["seats"][1]["token"]).follow(id):
                    told.append((event["version"], event["type"]))
                    heard.set()
                return told

            told = threads.submit(follow)
            assert heard.wait(30)
            app.make_move(id, {"seat": 0, "move": {"type": "draw", "from": "stock"}}, version=1)
        with serving(tmp_path, CARDREF_PORT=port):
            app.make_move(id, {"seat": None, "move": {"type": "abort"}}, version=2)
            assert told.result(30) == [(1, "dealt"), (2, "drew"), (3, "aborted")]
            assert [event["version"] for event in app.follow(id, after=1)] == [2, 3]
            assert list(app.follow(id, after=3)) == []
        app.close()


class Stub:
    """A service that answers by a list, and what it was sent."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, content=answer.content, headers=answer.headers)  # each is read once

    @property
    def keys(self) -> set[str]:
        return {request.headers["Idempotency-Key"] for request in self.requests}


def problem(status: int, code: str, **more: Any) -> httpx.Response:
    body = {**UNAVAILABLE, "status": status, "code": code}
    return httpx.Response(status, json=body, headers={"Content-Type": "application/problem+json", **more})


def made(version: int = 2) -> httpx.Response:
    return httpx.Response(201, json={"game": "rummy", "version": version, "events": []})


Sent = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def sent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Sent:
    """A move that is sent to a stub, without a pause in fact."""

    def sync(stub: Stub, call: str = "make_move", patience: float = 30, **given: Any) -> Any:
        monkeypatch.setattr(cardref_client._client, "sleep", stub.slept.append)
        with httpx.Client(transport=httpx.MockTransport(stub)) as http:
            return getattr(Cardref("http://service", "s0.token", patience=patience, http=http), call)("G", **given)

    def asynchronous(stub: Stub, call: str = "make_move", patience: float = 30, **given: Any) -> Any:
        async def sleep(seconds: float) -> None:
            stub.slept.append(seconds)

        monkeypatch.setattr(cardref_client._async_client, "sleep", sleep)

        async def send() -> Any:
            async with httpx.AsyncClient(transport=httpx.MockTransport(stub)) as http:
                client = AsyncCardref("http://service/", "s0.token", patience=patience, http=http)
                return await getattr(client, call)("G", **given)

        return asyncio.run(send())

    return sync if request.param == "sync" else asynchronous


MOVE: dict[str, Any] = {"body": {"move": {"type": "pack"}}, "version": 1}


def test_a_call_is_sent_as_the_contract_has_it(sent: Sent) -> None:
    stub = Stub(made())
    assert sent(stub, include=["view", "legal_moves"], request_id="r-1", **MOVE)["version"] == 2
    (request,) = stub.requests
    assert (request.method, str(request.url)) == ("POST", "http://service/v1/games/G/moves?include=view%2Clegal_moves")
    assert request.content == b'{"move": {"type": "pack"}}'
    named = {name: request.headers[name] for name in ("Authorization", "If-Match", "X-Request-Id", "Content-Type")}
    assert list(named.values()) == ["Bearer s0.token", '"v1"', "r-1", "application/json"]
    assert len(stub.keys.pop()) == 36


def test_nothing_in_a_name_ends_a_part_of_the_path(sent: Sent) -> None:
    stub = Stub(httpx.Response(204))
    assert sent(stub, "get_rummy_preset") is None
    with httpx.Client(transport=httpx.MockTransport(stub)) as http:
        stub.answers.append(httpx.Response(200, json={}))
        Cardref("http://service", http=http).get_rummy_preset("a/../b?c")
    assert stub.requests[-1].url.raw_path == b"/v1/rules/rummy/a%2F..%2Fb%3Fc"


@pytest.mark.parametrize(
    "lost",
    [
        httpx.ConnectError("refused"),
        httpx.ReadError("cut"),
        httpx.ReadTimeout("late"),
        httpx.RemoteProtocolError("no answer"),
        problem(503, "store_unavailable", **{"Retry-After": "1"}),
        problem(503, "not_durable", **{"Retry-After": "1"}),
        problem(429, "rate_limited", **{"Retry-After": "1"}),
        httpx.Response(502, text="<h1>Bad gateway</h1>"),
        httpx.Response(504, text="<h1>Gateway time-out</h1>"),
    ],
    ids=lambda lost: f"{lost.status_code} {lost.text[:0]}" if isinstance(lost, httpx.Response) else type(lost).__name__,
)
def test_what_may_have_been_made_is_sent_again_under_one_key(sent: Sent, lost: Any) -> None:
    stub = Stub(lost, lost, made(7))
    assert sent(stub, **MOVE)["version"] == 7
    assert len(stub.keys) == 1
    assert len({(request.content, request.headers["If-Match"]) for request in stub.requests}) == 1
    least = 1 if isinstance(lost, httpx.Response) and "Retry-After" in lost.headers else 0.05
    assert len(stub.slept) == 2
    assert all(least <= seconds <= 1 for seconds in stub.slept)


@pytest.mark.parametrize(
    "answer",
    [
        problem(503, "store_damaged", **{"Retry-After": "1"}),
        problem(503, "undecided", **{"Retry-After": "1"}),
        problem(410, "lost"),
        problem(422, "key_reused"),
        problem(500, "internal_error"),
        problem(409, "not_your_turn"),
        problem(412, "stale_version"),
    ],
    ids=lambda answer: answer.json()["code"],
)
def test_what_would_be_refused_again_is_not_sent_again(sent: Sent, answer: httpx.Response) -> None:
    stub = Stub(answer)
    with pytest.raises(Refused) as refused:
        sent(stub, **MOVE)
    assert refused.value.code == answer.json()["code"]
    assert refused.value.problem == answer.json()
    assert len(stub.requests) == 1


def test_patience_ends_and_the_key_is_told_for_later(sent: Sent) -> None:
    stub = Stub(httpx.ReadError("cut"))
    with pytest.raises(Unanswered) as lost:
        sent(stub, patience=0, idempotency_key="mine", **MOVE)
    assert lost.value.idempotency_key == "mine"
    assert isinstance(lost.value.__cause__, httpx.ReadError)
    stub = Stub(problem(503, "store_unsafe", **{"Retry-After": "60"}))
    with pytest.raises(Refused, match="503 store_unsafe") as refused:
        sent(stub, **MOVE)
    assert {refused.value.idempotency_key} == stub.keys
    assert stub.slept == []


def test_pauses_grow_up_to_five_seconds(sent: Sent) -> None:
    stub = Stub(*[httpx.ReadError("cut")] * 12, made())
    random.seed(1)
    sent(stub, **MOVE)
    assert all(0.05 * 2**n <= seconds <= 0.1 * 2**n for n, seconds in enumerate(stub.slept[:6]))
    assert all(2.5 <= seconds <= 5 for seconds in stub.slept[6:])


def test_a_game_that_an_unanswered_call_deleted_is_deleted(sent: Sent) -> None:
    assert sent(Stub(httpx.ReadError("cut"), problem(404, "not_found")), "delete_game") is None
    with pytest.raises(Refused, match="404"):
        sent(Stub(problem(404, "not_found")), "delete_game")


def log(version: int, events: list[dict[str, Any]], **more: Any) -> httpx.Response:
    return httpx.Response(200, json={"game": "rummy", "version": version, "events": events, **more})


def test_a_game_is_watched_through_empty_looks_long_logs_and_lost_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many waiters: asked again a second later. A log in parts: one position. A version that is lower: the game's."""
    on, over = {"view": {"phase": "draw"}}, {"view": {"phase": "match_over"}}
    stub = Stub(
        log(9, [], **on),  # does not wait: the match may be over
        log(9, [], **on),  # may not wait: too many do
        log(1009, [{"version": 1009}]),  # cut by `limit`
        log(1010, [{"version": 1010}], **on),
        log(1004, [], **on),
        log(1005, [{"version": 1005}], **over),
    )
    monkeypatch.setattr(cardref_client._client, "sleep", stub.slept.append)
    with httpx.Client(transport=httpx.MockTransport(stub)) as http:
        client = Cardref("http://service", "spectator.token", http=http)
        found = [(each.version, len(each.events), each.over) for each in client.watch("G", after=9)]
    assert found == [(1010, 2, False), (1004, 0, False), (1005, 1, True)]
    assert stub.slept == [1]
    assert [request.url.params["after"] for request in stub.requests] == ["9", "9", "9", "1009", "1010", "1004"]
    assert {request.url.params["include"] for request in stub.requests} == {"view"}
    assert [request.url.params["wait"] for request in stub.requests] == ["0", *["20"] * 5]

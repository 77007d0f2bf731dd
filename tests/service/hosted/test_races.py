"""Many at once: one version, one success; one key, one effect. The short form of what `make torture` does in full."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.service.hosted.tables import DRAW, SEED, Service, Table

CLIENTS = 64
ROUNDS = 8


def at_once(count: int, call: Callable[[int], Any]) -> list[Any]:
    """What `count` calls answer that start at the same moment; a 503, which a slow disk may cause, is sent again, as
    clients do."""
    gate = threading.Barrier(count)

    def one(number: int) -> Any:
        gate.wait()
        until = time.monotonic() + 60
        while (answer := call(number)).status_code == 503 and time.monotonic() < until:
            time.sleep(int(answer.headers["Retry-After"]))
        return answer

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def next_move(table: Table) -> tuple[int, Any]:
    state = table.state()
    seat = state["turn"]
    return seat, DRAW if state["phase"] == "draw" else {"type": "discard", "card": state["seats"][seat]["hand"][-1]}


def test_of_many_moves_on_one_version_one_is_made(service: Service) -> None:
    table = service.create(seed=SEED, starter=0)
    for version in range(1, ROUNDS + 1):
        seat, move = next_move(table)
        body = {"seat": seat, "move": move}
        answers = at_once(
            CLIENTS,
            lambda number, body=body, version=version: table.app.post(
                f"{table.path}/moves", body, match=version, key=f"{version}/{number}"
            ),
        )
        assert Counter(answer.status_code for answer in answers) == {201: 1, 412: CLIENTS - 1}
        assert {answer.json["version"] for answer in answers} == {version + 1}
    log = table.app.get(f"{table.path}/events").json
    assert [event["version"] for event in log["events"]] == list(range(1, ROUNDS + 2))


def test_a_request_sent_many_times_at_once_is_carried_out_once(service: Service) -> None:
    table = service.create(seed=SEED, starter=0)
    for version in range(1, ROUNDS + 1):
        seat, move = next_move(table)
        body = {"seat": seat, "move": move}
        answers = at_once(
            CLIENTS // 4,
            lambda _, body=body, version=version: table.app.post(
                f"{table.path}/moves", body, match=version, key=f"{version}"
            ),
        )
        assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
        assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
        assert table.version() == version + 1


def test_a_create_sent_many_times_at_once_makes_one_game(service: Service) -> None:
    body = {"game": "swoop", "seats": ["a", "b"], "turn_seconds": 60}
    answers = at_once(CLIENTS // 4, lambda _: service.shop.post("/v1/games", body, key="k"))
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
    assert len(service.shop.get("/v1/games").json["games"]) == 1


def test_one_timeout_takes_one_turn(service: Service) -> None:
    """Two that watch the clock call at the same moment: the second finds another version."""
    table = service.create(seed=SEED, starter=0, turn_seconds=1)
    threading.Event().wait(1.1)
    answers = at_once(8, lambda number: table.app.post(f"{table.path}/timeouts", match=1, key=f"{number}"))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: 7}
    assert table.version() == 2

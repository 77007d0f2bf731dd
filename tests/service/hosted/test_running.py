"""What those who run the service see: readiness, metrics, faults of the store, logs that keep secrets."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from service.problems.codes import PROBLEMS
from service.stores.errors import Damaged, Lost, NotDurable, StoreUnavailable, Unsafe
from service.stores.notices import Notice
from service.use_cases import readiness
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, SEED, Service
from tests.service.process import ROOT


def failing(fault: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise fault

    return fail


def test_ready_as_long_as_the_store_is_and_the_process_goes_on(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "SECONDS", 0.0)
    nobody = service.as_(None)
    assert nobody.get("/readyz").json["status"] == "ready"
    with monkeypatch.context() as patched:
        patched.setattr(service.store, "ready", failing(StoreUnavailable("gone")))
        answer = nobody.get("/readyz")
        refused(answer, 503, "store_unavailable")
        assert answer.headers["Retry-After"] == "1"
        assert nobody.get("/healthz").status_code == 200
    service.app.config["DRAINING"].set()
    refused(nobody.get("/readyz"), 503, "store_unavailable")
    assert nobody.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("fault", "code"), [(StoreUnavailable("x"), "store_unavailable"), (NotDurable("x"), "not_durable")]
)
def test_a_store_that_fails_is_a_503_to_be_tried_again(
    here: Service, monkeypatch: pytest.MonkeyPatch, fault: Exception, code: str
) -> None:
    table = here.create(seed=SEED, starter=0)
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "commit", failing(fault))
        answer = table.move(DRAW, key="k")
        refused(answer, 503, code)
        assert answer.headers["Retry-After"] == "1"
    with monkeypatch.context() as patched:
        for name in ("load", "create", "games", "grant", "events", "delete"):
            patched.setattr(here.store, name, failing(fault))
        for method, path, body in (
            ("GET", table.path, None),
            ("POST", "/v1/games", {"game": "swoop", "seats": ["a", "b"]}),
            ("GET", "/v1/games", None),
            ("POST", f"{table.path}/seats/0/token", None),
            ("GET", f"{table.path}/events", None),
            ("DELETE", table.path, None),
        ):
            refused(table.app.call(method, path, body), 503, code)
    assert table.move(DRAW, key="k").status_code == 201


@pytest.mark.parametrize(
    ("fault", "code"), [(Unsafe("set it so"), "store_unsafe"), (Damaged("the file is damaged"), "store_damaged")]
)
def test_a_store_that_somebody_has_to_mend_is_not_to_be_tried_at_once(
    here: Service, monkeypatch: pytest.MonkeyPatch, fault: Exception, code: str
) -> None:
    table = here.create(seed=SEED, starter=0)
    monkeypatch.setattr(here.store, "commit", failing(fault))
    monkeypatch.setattr(here.store, "ready", failing(fault))
    answer = table.move(DRAW, key="k")
    assert refused(answer, 503, code)["detail"] == PROBLEMS[code].sentence
    assert answer.headers["Retry-After"] == "60"
    answer = here.as_(None).get("/readyz")
    assert refused(answer, 503, code)["detail"] == str(fault)  # whoever runs the service is told what to do
    assert answer.headers["Retry-After"] == "60"


def test_a_half_game_is_lost_for_everyone_at_the_table_and_counted(
    here: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = here.create(seed=SEED, starter=0)
    before = here.as_(None).get("/metrics").text.count('code="lost"')
    for name in ("commit", "events"):
        monkeypatch.setattr(here.store, name, failing(Lost("half")))
    refused(table.move(DRAW), 410, "lost")
    refused(table.app.get(f"{table.path}/events"), 410, "lost")
    assert before == 0
    assert 'cardref_store_errors_total{code="lost"} 2.0' in here.as_(None).get("/metrics").text


def test_readiness_is_looked_at_once_a_second(here: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(here.store, "ready", lambda: (looks.append(1), Notice("not_persistent", "so it is"))[1:])
    told = {"status": "ready", "warnings": [{"code": "not_persistent", "sentence": "so it is"}]}
    for _ in range(9):
        assert here.as_(None).get("/readyz").json == told
    assert len(looks) < 9


def counted(service: Service) -> dict[tuple[str, str], float]:
    text = service.as_(None).get("/metrics").text
    return {
        (sample.labels["game"], sample.labels["outcome"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "cardref_moves_total"
    }


def test_moves_are_counted_by_what_came_of_them(here: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once each, and the manual names them all."""
    before = counted(here)
    table = here.create(seed=SEED, starter=0)
    table.move(DRAW, key="k")
    table.seats[0].post(f"{table.path}/moves", {"move": DRAW}, key="k", match=1)
    table.move(DRAW)
    table.move(DRAW, match=1)
    table.seats[0].post(f"{table.path}/moves", {"move": DRAW})
    table.seats[0].post(f"{table.path}/moves", {"move": DRAW, "seat": 1}, match=2)
    table.app.post(f"{table.path}/timeouts", match=2)
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "commit", failing(StoreUnavailable("gone")))
        table.app.post(f"{table.path}/moves", {"move": {"type": "abort"}}, match=2)
    grown = {name[1]: value - before.get(name, 0) for name, value in counted(here).items() if name[0] == "rummy"}
    row = re.search(r"^\| `cardref_moves_total.*", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
    assert row
    assert {outcome: times for outcome, times in grown.items() if times} == dict.fromkeys(
        re.findall(r"`(\w+)`", row[0]), 1
    )


def test_logs_hold_no_secrets(here: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with capture_logs() as lines:
        table = here.create(seed=SEED, starter=0, turn_seconds=60)
        state = table.state()
        table.move(DRAW, key="the-key")
        table.move({"type": "discard", "card": "ZZ"})
        monkeypatch.setattr(here.store, "load", failing(RuntimeError(f"a bug that quotes {SEED}")))
        assert table.app.get(table.path).status_code == 500
        monkeypatch.setattr(here.store, "load", failing(StoreUnavailable("the file is locked")))
        assert table.app.get(table.path).status_code == 503
    assert {line["event"] for line in lines} == {"bug", "store"}
    written = json.dumps(lines)
    seats = table.created["seats"]
    told = [table.created["spectator_token"], *(seat["token"] for seat in seats), "the-key", SEED, "shop-key"]
    assert not [secret for secret in told if secret in written]
    assert not [card for seat in state["seats"] for card in seat["hand"] if f'"{card}"' in written]

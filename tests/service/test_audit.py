"""The audit: a fault of the search shows, whoever asks; and nobody waits for it, whatever happens to it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from bench.hands import hands
from engine.cards import FACES, Card
from engine.errors import Undecided
from engine.rummy.rules import HOUSE
from service import create_app
from service.config import Settings
from service.process import metrics
from service.solving import audit
from service.solving.audit import ROOM, Audit
from service.solving.batches import NOBODY, Solvers
from service.solving.solver import Check, Solver
from solver import limits
from solver.problem import Problem
from tests.servers import wait_for
from tests.service.calls import GROUPINGS, HAND, answered
from tests.service.process import Process, serving

LOSER = {"winner": 0, "seats": [{}, {"hand": HAND}], "wild_rank": "7", "rules": {"decks": 2}}
DECLARABLE = ["4S", "5S", "6S", "TD", "JD", "QD", "KD", "2C", "3C", "JK", "8H", "8D", "8C"]
WRONG_GROUPS = {"groups": [DECLARABLE[:4], DECLARABLE[4:8], DECLARABLE[8:]], "wild_rank": "7"}


class Blind:
    """A search that finds nothing."""

    states = 0

    def __init__(self, given: Problem, *rest: Any, **how: Any) -> None:
        self.slots = range(len(given.faces))

    def foldable(self) -> range:
        return self.slots

    def best(self, below: int) -> None:
        return None


class Heard:
    """What the audit counts and logs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.results: Counter[str] = Counter()
        self.lines: list[dict[str, Any]] = []
        monkeypatch.setattr(metrics, "count_audit", lambda result: self.results.update([result]))
        monkeypatch.setattr(audit, "_log", self)

    def error(self, event: str, **fields: Any) -> None:
        self.lines.append({"event": event, **fields})


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    return Heard(monkeypatch)


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[tuple[FlaskClient, Audit]]:
    """An app all of whose answers are proved again, as fast as may be."""
    app = create_app(Settings(log="errors", data=tmp_path, solvers=2))
    app.config["AUDIT"] = Audit(1, busy=1)
    yield app.test_client(), app.config["AUDIT"]
    app.config["AUDIT"].end()


def ask(client: FlaskClient, what: str) -> None:
    """Calls that ask the solver something."""
    if what == "grouping":
        answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7"})
    elif what == "fourteen":
        answered(client, GROUPINGS, {"hand": [*HAND, "9S"], "wild_rank": "7", "rules": "indian"})
    elif what == "batch":
        answered(client, f"{GROUPINGS}/batch", {"hands": [HAND, [*HAND, "9S"], ["1C"]], "wild_rank": "7"})
    elif what == "score":
        answered(client, "/v1/rummy/scores", LOSER)
    elif what == "declaration":
        answered(client, "/v1/rummy/declarations", WRONG_GROUPS)
    else:
        state = answered(client, "/v1/rummy/deals", {"seats": 2, "starter": 0, "seed": "ab" * 32}, 201)["state"]
        move = {"state": state, "seat": 0, "move": {"type": "draw", "from": "stock"}}
        state = answered(client, "/v1/rummy/transitions", move)["state"]
        answered(client, "/v1/rummy/legal-moves", {"state": state, "seat": 0})


CALLS = {"grouping": 1, "fourteen": 1, "batch": 2, "score": 1, "declaration": 1, "folds": 1}


@pytest.mark.parametrize("what", CALLS)
def test_what_is_right_is_agreed_to(audited: tuple[FlaskClient, Audit], heard: Heard, what: str) -> None:
    client, auditor = audited
    ask(client, what)
    auditor.wait()
    assert heard.results == {"agreed": CALLS[what]}
    assert not heard.lines


@pytest.mark.parametrize("what", ["grouping", "batch", "score", "declaration"])
def test_a_search_that_finds_nothing_is_caught(
    audited: tuple[FlaskClient, Audit], heard: Heard, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, auditor = audited
    monkeypatch.setattr(limits, "Search", Blind)
    ask(client, what)
    auditor.wait()
    assert heard.results == {"disagreed": CALLS[what]}
    for line in heard.lines:
        assert line["event"] == "audit_disagreed"
        assert line["said"] != line["proved"]
        assert len(line["rules_hash"]) == 64
        assert len(line["request_id"]) == 32
        assert not set(json.dumps(line).replace('"', " ").split()) & set(FACES)


@pytest.mark.parametrize("what", ["best", "declaration", "folds"])
def test_so_is_what_it_tells_the_engine(heard: Heard, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As games ask, hosted or not: what a loser pays, a declaration, the winning folds."""
    auditor = Audit(1, busy=1)
    solver = Solver("auto", auditor, "of a test", Solvers(1, places=2), lambda: NOBODY)
    hand = [Card(face) for face in (HAND if what == "best" else DECLARABLE)]
    hand += [Card("9H")] if what == "folds" else []
    getattr(solver, what)(hand, None, HOUSE)
    auditor.wait()
    assert heard.results == {"agreed": 1}
    monkeypatch.setattr(limits, "Search", Blind)
    getattr(solver, what)(hand, None, HOUSE)
    getattr(Solver("cp-sat", auditor, "of a test", Solvers(1, places=2), lambda: NOBODY), what)(hand, None, HOUSE)
    auditor.wait()
    auditor.end()
    assert heard.results == {"agreed": 1, "disagreed": 1}
    assert not set(str(heard.lines).replace("'", " ").split()) & set(FACES)


def test_what_the_model_was_asked_for_is_not_proved_again(audited: tuple[FlaskClient, Audit], heard: Heard) -> None:
    client, auditor = audited
    answered(client, GROUPINGS, {"hand": HAND, "wild_rank": "7", "proof": "cp-sat"})
    auditor.wait()
    assert not heard.results


def test_the_share_decides() -> None:
    draws = iter([0.0, 0.009, 0.01, 0.5, 0.999])
    some = Audit(0.01, draw=lambda: next(draws))
    assert [some.wants() for _ in range(5)] == [True, True, False, False, False]
    assert not any(Audit(0).wants() for _ in range(100))
    assert all(Audit(1).wants() for _ in range(100))


def check(prove: Any) -> Check:
    return Check("grouping", HOUSE, "of a test", {"points": 1}, prove)


def test_more_than_may_wait_are_dropped_and_nobody_waits(heard: Heard) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> dict[str, int]:
        begun.set()
        assert go_on.wait(20)
        return {"points": 1}

    auditor = Audit(1, busy=1)
    auditor.add(check(slow))
    assert begun.wait(20)
    for _ in range(ROOM + 3):
        auditor.add(check(lambda: {"points": 1}))
    assert heard.results == {"dropped": 3}
    go_on.set()
    auditor.wait()
    assert heard.results == {"dropped": 3, "agreed": ROOM + 1}
    auditor.end()


def test_nothing_ends_the_thread_but_the_end(heard: Heard) -> None:
    def undecided() -> dict[str, int]:
        raise Undecided("that")

    def broken() -> dict[str, int]:
        raise KeyError("KH")

    auditor = Audit(1, busy=1)
    for prove in (undecided, broken, lambda: {"points": 2}, lambda: {"points": 1}):
        auditor.add(check(prove))
    auditor.wait()
    assert heard.results == {"undecided": 1, "disagreed": 2, "agreed": 1}
    assert [(line.get("error"), line.get("proved")) for line in heard.lines] == [
        ("KeyError", None),
        (None, {"points": 2}),
    ]
    assert "KH" not in str(heard.lines)
    auditor.end()
    assert auditor._thread is not None
    assert not auditor._thread.is_alive()


def test_in_workers_that_are_forked_and_told_to_end(tmp_path: Path) -> None:
    """Each worker has a thread of its own, and ends although answers wait for it."""
    with serving(tmp_path, CARDREF_WORKERS="2", CARDREF_AUDIT="1") as served:
        for dealt in hands("near", 40):
            served.ask(GROUPINGS, {"hand": list(dealt.hand), "wild_rank": dealt.wild_rank})
        served.ask(f"{GROUPINGS}/batch", {"hands": [HAND] * 200, "wild_rank": "7"})
        wait_for(lambda: "agreed" in audits(served), "an answer that was proved again")
        assert audits(served).keys() == {"agreed", "dropped"}
        served.terminate()
        assert served.process.wait(20) == 0
        assert served.process.stdout is not None
        assert "audit_disagreed" not in served.process.stdout.read().decode()


def audits(served: Process) -> dict[str, float]:
    """What came of audits so far, by the metrics of all workers."""
    families = text_string_to_metric_families(served.ask("/metrics"))
    samples = (sample for family in families for sample in family.samples)
    return {sample.labels["result"]: sample.value for sample in samples if sample.name == "cardref_audits_total"}

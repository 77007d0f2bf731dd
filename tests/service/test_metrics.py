"""Counting, and that nothing which befalls it reaches a caller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from tests.servers import wait_for
from tests.service.calls import GROUPINGS, HAND
from tests.service.process import ROOT, Process, serving


def answered(text: str) -> float:
    families = text_string_to_metric_families(text)
    samples = (sample for family in families for sample in family.samples)
    return sum(sample.value for sample in samples if sample.name == "cardref_requests_total")


def two_workers(served: Process, but: Collection[int] = ()) -> set[int]:
    """The two workers, once there are two, and not the same two as `but`."""
    wait_for(lambda: len(found := set(served.workers())) == 2 and found != but, "two workers")
    return set(served.workers())


def test_a_worker_that_ends_takes_nothing_along(tmp_path: Path) -> None:
    with serving(tmp_path, CARDREF_WORKERS="2") as served:
        for number in range(2):
            before, count = two_workers(served), answered(served.ask("/metrics"))
            os.kill(served.workers()[number], signal.SIGTERM)
            two_workers(served, before)
            for _ in range(40):
                assert served.ask(GROUPINGS, {"hand": HAND, "wild_rank": "7"})["points"] == 50
            assert answered(served.ask("/metrics")) >= count + 40


SPOILT = """
import os, shutil, sys
from structlog.testing import capture_logs
from service import create_app

client = create_app().test_client()
assert client.get("/healthz").status_code == 200
shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"])
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
with capture_logs() as lines:
    statuses = [client.get(path).status_code for path in ("/healthz", "/v1/rules", "/nowhere", "/healthz", "/metrics")]
assert statuses == [200, 200, 404, 200, 503], statuses
assert [line["event"] for line in lines if line["event"] != "request"] == ["counts_lost"], lines
os._exit(0)
"""


def test_counters_that_are_gone_spoil_no_answer(tmp_path: Path) -> None:
    """The folder vanishes, as a clean-up of /tmp may do it, and a worker is forked that knows only the name."""
    counters = tmp_path / "counters"
    counters.mkdir()
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(counters)}
    done = subprocess.run(
        [sys.executable, "-c", SPOILT], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr

"""A short form of each scenario of `make torture`."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from bench.torture.__main__ import SCENARIOS
from bench.torture.nginx import HOW_TO_INSTALL, find_nginx
from tests.needs import without
from tests.servers import server_or_skip

RUNS = [(name, store) for name in SCENARIOS for store in importlib.import_module(f"bench.torture.{name}").STORES]


@pytest.mark.torture
@pytest.mark.parametrize(("name", "store"), RUNS)
def test_nothing_goes_wrong(name: str, store: str, tmp_path: Path) -> None:
    server_or_skip()
    if name == "restarts" and find_nginx() is None:
        without(f"no nginx here: {HOW_TO_INSTALL}")
    scenario = importlib.import_module(f"bench.torture.{name}")
    findings = list(scenario.run(store, tmp_path, scenario.SHORT, int))
    assert findings
    assert [(finding.scenario, finding.wrong) for finding in findings if finding.wrong] == []

"""A browser, the service with and without keys, and records of whole matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.service.hosted.tables import LIFETIMES, SEED, Clock, Service
from tests.service.hosted.test_record import QUICK_RULES, whole_match
from tests.service.site.browser import browser
from tests.service.site.conftest import guides, served  # noqa: F401  # fixtures: the pages link to the guides

Record = dict[str, Any]


@pytest.fixture(scope="module")  # as long as it lasts, no test of this process can run a loop of its own
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """A match of each game as its record tells it: turns run out, a declaration fails, the stock is shuffled again."""
    found = {}
    for game, rules in QUICK_RULES.items():
        store = Clock(tmp_path_factory.mktemp(game) / "games.sqlite3", lifetimes=LIFETIMES)
        table = Service(store).create(game, 3, seed=SEED, turn_seconds=60, rules=rules)
        whole_match(table, random.Random(7))
        found[game] = table.app.get(f"{table.path}/record").json
    return found

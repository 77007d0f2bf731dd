"""Generated requests, right and wrong, for every call of openapi.yaml: what is answered is what is described.

A longer run against a running service: ``schemathesis run http://127.0.0.1:8000/openapi.yaml --request-timeout 30
--exclude-checks positive_data_acceptance``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service import create_app
from service.config import Settings

FOLDER = TemporaryDirectory(prefix="cardref-test-")  # at import, for the calls to test are read from the description
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.yaml", create_app(Settings(log="errors", data=Path(FOLDER.name))))


@pytest.fixture(scope="module", autouse=True)
def _folder() -> Iterator[None]:
    yield
    FOLDER.cleanup()


@SCHEMA.parametrize()
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
def test_what_is_answered_is_what_is_described(case: Any) -> None:
    if str((case.query or {}).get("wait")) in map(str, range(21)):
        case.query["wait"] = 0  # an event that nobody makes need not be waited for
    # a value may fit its schema and be impossible (five copies of a card, a state that no game can reach): 422
    case.call_and_validate(excluded_checks=[positive_data_acceptance])

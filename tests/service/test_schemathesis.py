"""Generated requests, right and wrong, for every call of openapi.yaml: what is answered is what is described.

A longer run against a running service: ``schemathesis run http://127.0.0.1:8000/openapi.yaml --request-timeout 30
--exclude-checks positive_data_acceptance,negative_data_rejection``.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from service import create_app
from service.config import Settings
from service.contract.openapi import document
from service.routes import OPERATIONS

CALLS = [
    f"{method.upper()} {path}"
    for path, calls in document(OPERATIONS)["paths"].items()
    if path != "/openapi.yaml"  # which is described as the text that it is, and would be read as YAML
    for method in calls
]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Any:
    load_all_checks()
    app = create_app(Settings(log="errors", data=tmp_path_factory.mktemp("data")))
    return schemathesis.openapi.from_wsgi("/openapi.yaml", app)


def check(case: Any) -> None:
    if str((case.query or {}).get("wait")) in map(str, range(21)):
        case.query["wait"] = 0  # an event that nobody makes need not be waited for
    # a value may fit its schema and be impossible (five copies of a card, a state that no game can reach): 422
    excluded = [positive_data_acceptance]
    if case.operation.path.endswith("/batch"):
        excluded.append(negative_data_rejection)  # a hand that cannot be read is answered by a problem in its place
    case.call_and_validate(excluded_checks=excluded)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_answered_is_what_is_described(described: Any, call: str) -> None:
    method, path = call.split()
    # Made here, where they are sent: `parametrize` of the description makes all of them in every process that collects tests.
    test = build_operation_test(
        config=described.config,
        operation=described[path][method],
        test_func=check,
        given_kwargs={},
        feedback=FeedbackSources(constants_value_source=make_constants_value_source(described)),
        explicit_settings=settings(max_examples=4, suppress_health_check=list(HealthCheck)),
    )
    test()

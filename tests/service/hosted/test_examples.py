"""The examples of openapi.yaml for hosted games, sent in one sitting: they are answered as shown, as their schemas say."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from service.http import headers
from service.http.operation import Operation
from tests.service.described import SPEC, check, followed, shown
from tests.service.hosted.sitting import GAMES, Sitting
from tests.service.hosted.tables import Clock, Service


def fits(operation: Operation, response: TestResponse) -> None:
    """The answer is one that the spec knows, headers and all, and it has no field that the spec does not know."""
    described = followed(
        SPEC["paths"][operation.path][operation.method.lower()]["responses"][str(response.status_code)]
    )
    schema = next(iter(described["content"].values()))["schema"]
    check(schema, response.json)
    assert described["headers"].keys() - {"Idempotent-Replayed", *headers.LIMITS} <= set(response.headers.keys())
    whole = followed(schema)
    if "discriminator" in whole:
        whole = followed({"$ref": whole["discriminator"]["mapping"][response.json["game"]]})
    assert response.json.keys() <= whole["properties"].keys()


def test_the_examples_of_hosted_games(here: Service, clocked: Clock) -> None:
    def look(operation: Operation, response: TestResponse, number: int | None) -> None:
        fits(operation, response)
        if number is not None:
            example = operation.examples[number]
            assert shown(response.json) == shown(example.answer), f"{operation.name}: make examples"

    sitting = Sitting(here, clocked, look)
    sitting.swoop()
    sitting.rummy()
    wanted: dict[str, Any] = {name: len(call.examples) - 1 for name, call in GAMES.items() if call.method != "DELETE"}
    assert sitting.shown == wanted

"""``python -m tests.service.renew_examples``: what service/contract/examples.json asks is sent, and what is answered is written there."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from werkzeug.test import TestResponse

from service import create_app
from service.config import Settings
from service.contract.examples import FILE
from service.http.operation import Operation
from service.routes import OPERATIONS
from tests.service.described import shown
from tests.service.hosted.sitting import Sitting
from tests.service.hosted.tables import LIFETIMES, Clock, Service


def main() -> None:
    """Renew every answer; what differs from call to call stays as it was where the rest has not changed."""
    examples = json.loads(FILE.read_text(encoding="utf-8"))

    def look(operation: Operation, response: TestResponse, number: int | None) -> None:
        if number is not None:
            example = examples[operation.name][number]
            if shown(example["answer"]) != shown(response.json):
                example["answer"] = response.json

    with TemporaryDirectory() as folder:
        client = create_app(Settings(log="errors", data=Path(folder), solvers=1)).test_client()
        for operation in OPERATIONS:
            for number, example in enumerate(operation.examples if operation.tag != "Games" else ()):
                look(operation, client.open(operation.path, method=operation.method, json=example.asked), number)
        store = Clock(Path(folder) / "games.sqlite3", lifetimes=LIFETIMES)
        sitting = Sitting(Service(store), store, look)
        sitting.swoop()
        sitting.rummy()
        store.close()
    FILE.write_text(written(examples), encoding="utf-8")


def written(examples: dict[str, list[dict[str, Any]]]) -> str:
    """The examples as JSON, a line for each request and each answer."""
    calls = []
    for name, of_call in examples.items():
        parts = [
            "    {\n"
            + ",\n".join(f"      {json.dumps(key)}: {json.dumps(each[key], ensure_ascii=False)}" for key in each)
            + "\n    }"
            for each in of_call
        ]
        calls.append(f"  {json.dumps(name)}: [\n" + ",\n".join(parts) + "\n  ]")
    return "{\n" + ",\n".join(calls) + "\n}\n"


if __name__ == "__main__":
    main()

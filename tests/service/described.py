"""What openapi.yaml says, and whether values are as it says."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from service.contract import openapi
from service.routes import OPERATIONS

SPEC: dict[str, Any] = openapi.document(OPERATIONS)
CHANGING = {"id", "token", "spectator_token", "created", "changed", "deadline", "at", "request_id"}


def check(schema: Any, value: Any) -> None:
    """The value fits the schema; the message is short, for the whole description would be in the error's own."""
    whole = {**schema, "components": SPEC["components"]}
    found = Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(value)
    assert [f"{error.json_path}: {error.message[:300]}" for error in found] == []


def followed(value: Any) -> Any:
    """What a reference leads to; anything else is itself."""
    if "$ref" not in value:
        return value
    kind, name = value["$ref"].split("/")[-2:]
    return SPEC["components"][kind][name]


def shown(value: Any) -> Any:
    """An answer without what differs from call to call."""
    if isinstance(value, dict):
        return {
            name: "…" if name in CHANGING and isinstance(each, str) else shown(each) for name, each in value.items()
        }
    return [shown(each) for each in value] if isinstance(value, list) else value

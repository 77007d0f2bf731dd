"""A declared call: what its route, its checks and its description in openapi.yaml are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from marshmallow import Schema

T = TypeVar("T")

KIBIBYTE = 1024

BODY_LIMIT = 64 * KIBIBYTE

BATCH_LIMIT = 1024 * KIBIBYTE


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A view's answer where it is more than a value: another status, or headers."""

    value: T
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example for the spec and its test: what is sent, and what is answered."""

    summary: str
    asked: Any
    answer: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation:
    """One call of the contract. `name`, unique among all, is the spec's operationId and the operation of metrics and log.
    `errors` are the codes besides those that every call can give.

    `guess` finds what `guard` most likely would, for less, or None. The view may succeed on it; where it refuses, the call is
    decided again on what `guard` finds.
    """

    name: str
    method: str
    path: str
    view: Callable[..., Any]
    summary: str
    answer: Any
    body: Schema | None = None
    query: Schema | None = None
    status: int = 200
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)  # the path's: their schemas, as `As` takes them
    errors: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    limit: int = BODY_LIMIT
    guard: Callable[..., Any] | None = None
    guess: Callable[..., Any] | None = None
    hands_in: Callable[[Any], int] | None = None  # how many hands a body, or without one a query, asks to be solved
    tag: str = ""
    media_type: str = "application/json"
    asked_headers: tuple[str, ...] = ()  # those of `service.http.headers` that mean something here
    answer_headers: tuple[str, ...] = ()

    @property
    def needs_caller(self) -> bool:
        """Whether it is asked who calls: everywhere in /v1. The rest runs the service and documents it."""
        return f"{self.path}/".startswith("/v1/")

    @property
    def needs_app(self) -> bool:
        """Whether an app key is asked for, unless the operation's guard finds out who calls."""
        return self.needs_caller and self.guard is None

    @property
    def security(self) -> tuple[dict[str, list[str]], ...]:
        """Whose bearer tokens are taken, as the spec says it."""
        if not self.needs_caller:
            return ()
        return ({"app": []}, {"table": []}) if self.guard else ({"app": []},)

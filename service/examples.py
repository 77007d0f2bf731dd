"""Worked examples of the stateless calls: what openapi.yaml shows, and what a test sends and compares."""

from __future__ import annotations

from service.http import Example

GROUPINGS: tuple[Example, ...] = ()
BATCHES: tuple[Example, ...] = ()
DECLARATIONS: tuple[Example, ...] = ()
ROUNDS: tuple[Example, ...] = ()
PLAYS: tuple[Example, ...] = ()
LEFT_OVER: tuple[Example, ...] = ()

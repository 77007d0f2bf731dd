"""A call before it is sent: what the generated methods say of it, and how it is written in HTTP."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `version`: the one it was decided on (`If-Match`); `keyed`: it may be sent again by its `key`; `reads`: what its answer is."""

    verb: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    version: int | None = None
    key: str | None = None
    keyed: bool = False
    request_id: str | None = None
    reads: Literal["json", "text", "bytes"] = "json"

    def parameters(self) -> dict[str, str]:
        """The query as HTTP has it: what is None is not sent, lists are parted by commas."""
        return {name: _written(value) for name, value in self.query.items() if value is not None}

    def headers(self, token: str | None) -> dict[str, str]:
        """The headers, to be made once for all attempts: where a key is taken and none was given, this call gets one of its own."""
        key = (self.key or str(uuid.uuid4())) if self.keyed else None
        named = {
            "Authorization": f"Bearer {token}" if token else None,
            "If-Match": f'"v{self.version}"' if self.version is not None else None,
            "Idempotency-Key": key,
            "X-Request-Id": self.request_id,
            "Content-Type": "application/json" if self.body is not None else None,
        }
        return {name: value for name, value in named.items() if value is not None}

    def content(self) -> bytes | None:
        """The body as it is sent. Raises TypeError or ValueError for what is no JSON."""
        return None if self.body is None else json.dumps(self.body, allow_nan=False).encode()


def quoted(part: str | int) -> str:
    """A part of a path; nothing in it can end the part."""
    return quote(str(part), safe="")


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int) else ",".join(map(str, value))

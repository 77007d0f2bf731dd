"""The description of the calls as the reference shows it: with samples that run, and asking for the keys that this service asks for."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

from service.contract import openapi
from service.http.operation import Operation
from service.site.samples import samples

Json = dict[str, Any]


def shown(operations: Sequence[Operation], keyed: bool) -> Json:
    """The OpenAPI document for the service as it runs: `keyed`, with keys for apps, or open to everybody.

    The contract's own leaves both possible. In open mode an app's calls have no token at all, so none is asked for where only
    an app calls; a seat's call may have the seat's token or none.
    """
    whole = openapi.document(operations)
    for operation in operations:
        call = whole["paths"][operation.path][operation.method.lower()]
        asked = [need for need in call["security"] if need and (keyed or "app" not in need)]
        call["security"] = asked if keyed or not asked else [{}, *asked]
        call["x-codeSamples"] = samples(operation, keyed)
    return whole


@lru_cache(maxsize=2)
def packed(operations: tuple[Operation, ...], keyed: bool) -> tuple[bytes, str]:
    """`shown` as compressed JSON, and its ETag."""
    text = orjson.dumps(shown(operations, keyed))
    return gzip.compress(text, mtime=0), hashlib.sha256(text).hexdigest()[:16]

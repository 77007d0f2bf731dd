"""The generated half of the client in TypeScript that openapi-typescript does not make: its calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tools.clients.calls import KEY, REQUEST_ID, VERSION, Method

_SIMPLE = {"integer": "number", "string": "string", "boolean": "boolean", "null": "null"}
_HEAD = """// The calls of the contract, one method each: made from openapi.yaml, not to be edited (`make clients`).
import type * as t from "./types.js";
import { quoted, type Call } from "./call.js";

/** Every call of the contract; how a call is sent is for a subclass to say. */
export abstract class Calls {
  /** The answer to a call. */
  abstract send(call: Call): Promise<unknown>;
"""


def calls(methods: Iterable[Method]) -> str:
    """The module of the calls."""
    return _HEAD + "".join(_method(each) for each in methods) + "}\n"


def _method(method: Method) -> str:
    said = "\n   *\n".join(f"   * {part}" for part in [method.summary + ".", *method.description.split("\n\n")] if part)
    path = re.sub(r"\{(\w+)\}", r"${quoted(\1)}", method.path)
    query = ", ".join(each.name if each.name.isidentifier() else json.dumps(each.name) for each in method.in_query)
    values = re.sub(r"(\w+)", r"\1: given.\1", query)
    options = list(_options(method))
    given = f"given: {{ {'; '.join(options)} }}" + (" = {}" if all("?:" in each for each in options) else "")
    parts = [f"{each.name}: {_type(each.schema)}" for each in method.in_path]
    parts += [f"body: {_named(method.body)}"] if method.body else []
    fields = [
        f'verb: "{method.verb}"',
        f"path: {'`' + path + '`' if method.in_path else json.dumps(path)}",
        *([f"query: {{ {values} }}"] if query else []),
        *(["body"] if method.body else []),
        *(["version: given.version"] if VERSION in method.headers else []),
        *(["key: given.idempotencyKey", "keyed: true"] if KEY in method.headers else []),
        *(["requestId: given.requestId"] if REQUEST_ID in method.headers else []),
        *([f'reads: "{method.reads}"'] if method.reads else []),
    ]
    answer = f"Promise<{_named(method.answer) if method.answer else 'void'}>"
    return f"""
  /**
{said}
   */
  {method.name}({", ".join([*parts, given])}): {answer} {{
    return this.send({{ {", ".join(fields)} }}) as {answer};
  }}
"""


def _options(method: Method) -> Iterator[str]:
    for each in method.in_query:
        yield f"{each.name}{'' if each.required else '?'}: {_type(each.schema)}"
    if VERSION in method.headers:
        yield "version: number"
    if KEY in method.headers:
        yield "idempotencyKey?: string"
    if REQUEST_ID in method.headers:
        yield "requestId?: string"


def _named(schema: str) -> str:
    return {"str": "string", "bytes": "Uint8Array"}.get(schema, f"t.{schema}")


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _named(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if values:
        return " | ".join(map(json.dumps, values))
    if isinstance(schema["type"], list):
        return " | ".join(_SIMPLE[each] for each in schema["type"])
    return f"({_type(schema['items'])})[]" if schema["type"] == "array" else _SIMPLE[schema["type"]]

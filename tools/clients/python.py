"""The generated half of the client in Python: its calls, and what is made of the asynchronous modules for callers that are not."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from tools.clients.calls import KEY, REQUEST_ID, VERSION, Method, Parameter, snake

_SYNC = {  # whole words, in the order in which they are replaced
    r"async (def|with|for)": r"\1",
    r"await ": "",
    r"Async(\w+)": r"\1",
    r"_async_(\w+)": r"_\1",
    r"__a(enter|exit)__": r"__\1__",
    r"aclose": "close",
    r"from anyio import": "from time import",
}
_SIMPLE = {"integer": "int", "string": "str", "boolean": "bool"}
_HEAD = '''"""The calls of the contract, one method each: made from openapi.yaml, not to be edited (`make clients`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

from cardref_client import types as t
from cardref_client._call import Call, quoted


class AsyncCalls(ABC):
    """Every call of the contract; how a call is sent is for a subclass to say."""

    @abstractmethod
    async def send(self, call: Call) -> Any:
        """The answer to a call."""
'''


def calls(methods: Iterable[Method]) -> str:
    """The module of the calls, for asynchronous callers."""
    return _HEAD + "".join(_method(each) for each in methods)


def synchronous(code: str) -> str:
    """A module for asynchronous callers as one for others."""
    for asynchronous, plain in _SYNC.items():
        code = re.sub(rf"\b{asynchronous}", plain, code)
    return code


def _method(method: Method) -> str:
    said = textwrap.fill(f"{method.summary}.", 110, subsequent_indent="        ")
    if method.description:
        parts = [part for part in method.description.split("\n\n") if part]
        said += "".join(
            f"\n\n{textwrap.fill(part, 110, initial_indent='        ', subsequent_indent='        ')}" for part in parts
        )
        said += "\n        "
    path = re.sub(r"\{(\w+)\}", r"{quoted(\1)}", method.path)
    query = "".join(f'"{each.name}": {each.name}, ' for each in method.in_query)
    fields = [
        f'"{method.verb}"',
        f'{"f" if method.in_path else ""}"{path}"',
        *([f"query={{{query}}}"] if query else []),
        *(["body=body"] if method.body else []),
        *(["version=version"] if VERSION in method.headers else []),
        *(["key=idempotency_key", "keyed=True"] if KEY in method.headers else []),
        *(["request_id=request_id"] if REQUEST_ID in method.headers else []),
        *([f'reads="{method.reads}"'] if method.reads else []),
    ]
    call = f"self.send(Call({', '.join(fields)}))"
    answer = _named(method.answer) if method.answer else "None"
    last = f"answer: {answer} = await {call}\n        return answer" if method.answer else f"await {call}"
    return f"""
    async def {snake(method.name)}({", ".join(_given(method))}) -> {answer}:
        \"\"\"{said}\"\"\"
        {last}
"""


def _given(method: Method) -> Iterator[str]:
    yield "self"
    yield from (f"{each.name}: {_type(each.schema)}" for each in method.in_path)
    if method.body:
        yield f"body: {_named(method.body)}"
    yield "*"
    yield from (_keyword(each) for each in method.in_query)
    if VERSION in method.headers:
        yield "version: int"
    if KEY in method.headers:
        yield "idempotency_key: str | None = None"
    if REQUEST_ID in method.headers:
        yield "request_id: str | None = None"


def _keyword(given: Parameter) -> str:
    return f"{given.name}: {_type(given.schema)}" + ("" if given.required else " | None = None")


def _named(schema: str) -> str:
    return schema if schema in ("str", "bytes") else f"t.{schema}"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _named(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if values:
        return f"Literal[{', '.join(map(repr, values))}]"
    if isinstance(schema["type"], list):
        return " | ".join("None" if each == "null" else _SIMPLE[each] for each in schema["type"])
    return f"Sequence[{_type(schema['items'])}]" if schema["type"] == "array" else _SIMPLE[schema["type"]]

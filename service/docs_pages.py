"""The pages at /docs: made on the server from the description and the list of errors, without scripts and without other hosts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from engine.games import GAMES
from service import headers
from service.problems import PROBLEMS

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

# Nothing is loaded but the style that stands in the page itself.
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_REFERENCE = "#/components/schemas/"
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
_SHORT_LIST = re.compile(r'\[\s+(?:"[^"\s]{1,2}",?\s+)+\]')  # cards stand in one line
_WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false"}


class Row(NamedTuple):
    """A line of a table: a header, a parameter or a field."""

    name: str
    kind: Markup
    text: str


def _json(value: Any) -> Markup:
    """A value as indented JSON; references to schemas are links."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    text = str(escape(_SHORT_LIST.sub(lambda found: f"[{' '.join(found[0][1:-1].split())}]", text)))
    return Markup(re.sub(rf"{_REFERENCE}(\w+)", r'<a href="#\1">\1</a>', text))  # noqa: S704  # it has been escaped


def _shell(value: Any) -> str:
    """A body as one word of a shell's command."""
    return shlex.quote(json.dumps(value, ensure_ascii=False))


def _prose(text: str) -> Markup:
    """A sentence, with what stands in backticks as code."""
    return Markup(re.sub("(``?)([^`]+)\\1", r"<code>\2</code>", str(escape(text))))  # noqa: S704  # it has been escaped


def _kind(schema: Mapping[str, Any]) -> Markup:
    """What a schema allows, in a few words; other schemas are links."""
    if name := schema.get("$ref", "").removeprefix(_REFERENCE):
        return Markup('<a href="#{0}">{0}</a>').format(name)
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return Markup(" / ").join(Markup("<code>{}</code>").format(json.dumps(value)) for value in values)
    if parts := schema.get("anyOf", schema.get("oneOf")):
        return Markup(" or ").join(dict.fromkeys(_kind(part) for part in parts))
    if schema.get("type") == "array" and "items" in schema:
        return Markup("list of {}").format(_kind(schema["items"]))
    kinds = schema.get("type", "any value")
    words = [_WORDS.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return escape(" or ".join(words) + _bounds(schema))


def _bounds(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return ""
    return f", {low} to {high}" if None not in (low, high) else f", from {low}" if high is None else f", up to {high}"


def _fields(schema: Mapping[str, Any], spec: Mapping[str, Any]) -> Iterator[Row]:
    """The fields of an object, a reference to one followed."""
    whole = spec["components"]["schemas"].get(schema.get("$ref", "").removeprefix(_REFERENCE), schema)
    for name, field in whole.get("properties", {}).items():
        needed = "required" if name in whole.get("required", ()) else "optional"
        if "default" in field:
            needed = f"default `{json.dumps(field['default'])}`"
        yield Row(name, _kind(field), f"{needed}. {field.get('description', '')}".strip())


def _headers(call: Mapping[str, Any], spec: Mapping[str, Any]) -> Iterator[Row]:
    """What a request says beside its body."""
    callers = [name for need in call["security"] for name in need]
    if callers:
        schemes = spec["components"]["securitySchemes"]
        text = " Or: ".join(schemes[name]["description"] for name in callers)
        yield Row("Authorization", Markup("<code>Bearer …</code>"), text)
    if "requestBody" in call:
        yield Row("Content-Type", Markup("<code>application/json</code>"), "required.")
    for parameter in call["parameters"]:
        if name := parameter.get("$ref", "").removeprefix("#/components/parameters/"):
            yield Row(
                name,
                Markup("<code>{}</code>").format(headers.FORMS[name]),
                spec["components"]["parameters"][name]["description"],
            )


def _curl(method: str, path: str, call: Mapping[str, Any]) -> str:
    """The start of an example's command, its address left out: {0}."""
    words = ["curl -s", *(["-X", method] if method != "GET" and "requestBody" not in call else [])]
    words.append("{0}" + re.sub(r"{(\w+)}", r"$\1", path))
    if any(parameter.get("$ref", "").endswith("/If-Match") for parameter in call["parameters"]):
        words.append("-H 'If-Match: \"v17\"'")
    return " ".join(words)


_environment = Environment(
    loader=FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {"as_json": _json, "shell": _shell, "prose": _prose, "kind": _kind}
_environment.globals |= {"fields_of": _fields, "headers_of": _headers, "curl": _curl}


def address(scheme: str, host: str) -> str:
    """How examples call the service that a page was asked of; a host that can be none is not repeated."""
    found = host if _HOST.fullmatch(host) else "localhost:8000"
    return f"https://{found}" if scheme == "https" else found


def api(description: Mapping[str, Any], here: str) -> str:
    """The page of all calls and schemas; examples call `here`."""
    return _environment.get_template("api.html").render(spec=description, here=here, style=_STYLE)


@cache
def errors() -> str:
    """The page of all codes; each is an anchor, to which the `type` of a problem leads."""
    first_in = {code: game.name for game in reversed([*GAMES.values()]) for code in game.violations}
    return _environment.get_template("errors.html").render(
        problems=PROBLEMS.values(), games=GAMES.values(), first_in=first_in, style=_STYLE
    )

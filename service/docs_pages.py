"""The pages at /docs: made on the server from the description and the list of errors, without scripts and without other hosts."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.games import GAMES
from service.errors import PROBLEMS

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

# Nothing is loaded but the style that stands in the page itself.
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_environment = Environment(
    loader=FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {"as_json": _json, "compact": _compact}


def api(description: Mapping[str, Any]) -> str:
    """The page of all calls and schemas."""
    return _environment.get_template("api.html").render(spec=description, style=_STYLE)


@cache
def errors() -> str:
    """The page of all codes; each is an anchor, to which the `type` of a problem leads."""
    first_in = {code: game.name for game in reversed([*GAMES.values()]) for code in game.violations}
    return _environment.get_template("errors.html").render(
        problems=PROBLEMS.values(), games=GAMES.values(), first_in=first_in, style=_STYLE
    )

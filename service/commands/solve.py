"""``python -m service solve HAND --wild 7``: the best grouping of a hand, for people (in colour, on a terminal) or as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

import orjson

from engine.errors import Invalid
from service.json.codec import write
from service.json.strict import BadJson, parse
from service.json.type_hints import Flaws
from service.schemas.fields import load
from service.schemas.rummy import GroupingShape
from service.schemas.rummy_answers import Grouping
from service.use_cases.rummy import solve

WRONG = 2  # the exit code of a question that is none, as of arguments that are none
_COLOURS = {"pure_sequence": "32", "impure_sequence": "36", "trio": "33", "loose": "31"}


def run(hand: str, wild: str | None, rules: str, *, as_json: bool) -> int:
    """Print the grouping; what is wrong with the question goes to standard error."""
    try:
        asked = _asked(
            {
                "hand": hand,
                "wild_rank": wild,
                "rules": parse(rules.encode("utf-8", "surrogateescape")) if "{" in rules else rules,
            }
        )
        found = solve(asked)
    except BadJson as wrong:
        print(f"cardref: --rules: {wrong}", file=sys.stderr)
        return WRONG
    except Invalid as wrong:
        for flaw in wrong.flaws:
            print(f"cardref: {flaw.pointer.lstrip('/')}: {flaw.detail}", file=sys.stderr)
        return WRONG
    print(orjson.dumps(write(found)).decode() if as_json else told(found, colour=_takes_colour()))
    return 0


def _asked(said: Any) -> Any:
    flaws = Flaws()
    asked = load(GroupingShape(), said, flaws)
    flaws.raise_any()
    return asked


def _takes_colour() -> bool:
    """Whether it is a terminal that people look at, who have not said that they want none (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def told(found: Grouping, *, colour: bool) -> str:
    """A grouping as lines: what it is worth, each group, what is loose."""
    can = {True: "can be declared", False: "cannot be declared", None: "not proved whether it can be declared"}
    lines = [f"{found.points} points, {can[found.declarable]}{'' if found.optimal else '; not proved to be the best'}"]
    if found.discard is not None:
        lines.append(_line("let go", [found.discard], "loose", colour))
    for group in found.groups:
        lines.append(_line(group.kind.replace("_", " "), group.cards, group.kind, colour))
        if "JK" in group.cards or list(map(str, group.cards)) != list(group.stands_for):
            lines[-1] += f"  (as {' '.join(group.stands_for)})"
    if found.loose:
        lines.append(_line("loose", found.loose, "loose", colour))
    return "\n".join(lines)


def _line(what: str, cards: Any, kind: str, colour: bool) -> str:
    text = " ".join(cards)
    return f"{what:<16}" + (f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if colour else text)

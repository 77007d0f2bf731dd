"""What has to be called before a call can be made as an example shows it, so that its samples run as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.http.operation import Operation

_SEED = "5e" * 32  # so that the examples' cards are dealt


@dataclass(frozen=True, slots=True)
class Answer:
    """A part of an earlier answer: which answer, the way to the part, and the name of the part."""

    of: str
    way: tuple[str | int, ...]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call: `token` is a seat's, None means the app's own key; `keep` names the answer for later steps."""

    method: str
    path: tuple[str | Answer, ...]
    body: Any = None
    token: Answer | None = None
    version: str = ""
    keep: str = ""
    seconds: int = 0  # to wait before it


ID = Answer("game", ("id",), "id")
ANN = Answer("game", ("seats", 0, "token"), "ann")
STATE = Answer("dealt", ("state",), "state")
HASH = Answer("dealt", ("state", "rules_hash"), "hash")

_PLAY: Mapping[str, Any] = {"type": "play", "hand": ["KH"], "guards": []}
_FIRST: Mapping[str, Any] = {"rummy": {"type": "draw", "from": "stock"}, "swoop": _PLAY}
_VALUES: Mapping[str, str | Answer] = {"id": ID, "n": "1", "game": "rummy", "preset": "house", "hash": HASH}
_ANNS = {  # what a player's own client calls
    "GET /v1/games/{id}",
    "GET /v1/games/{id}/legal-moves",
    "GET /v1/games/{id}/events",
    "POST /v1/games/{id}/moves",
}
_PICTURE = "?hand=4S,5S,6S,8H,8D,JK,2C,2C,KD,QH,9C,3D,AC&wild_rank=7"
_QUERIES: Mapping[str, str] = {
    "/v1/games/{id}/events": "?after=1",
    "/v1/rummy/groupings.svg": _PICTURE,
    "/v1/rummy/groupings.png": _PICTURE,
}


def recipe(operation: Operation) -> tuple[Step, ...]:
    """The calls that lead to this one, and the call itself at the end. Raises KeyError for a path whose parts are not known here."""
    path = _filled(operation.path)
    before = _before(operation, path)
    last = Step(
        method=operation.method,
        path=path,
        body=_body(operation),
        token=ANN if f"{operation.method} {operation.path}" in _ANNS else None,
        version=f"v{len(before)}" if "If-Match" in operation.asked_headers else "",
        seconds=2 if operation.path.endswith("/timeouts") else 0,
    )
    return (*before, last)


def _filled(path: str) -> tuple[str | Answer, ...]:
    """A path with values in its parts, and the query that its example has."""
    found: list[str | Answer] = []
    for number, part in enumerate(path.replace("{", "}").split("}")):
        found.append(_VALUES[part] if number % 2 else part)
    found[-1] = f"{found[-1]}{_QUERIES.get(path, '')}" if isinstance(found[-1], str) else found[-1]
    return tuple(part for part in found if part != "")


def _before(operation: Operation, path: tuple[str | Answer, ...]) -> tuple[Step, ...]:
    if ID in path:
        return (_created(operation), *_moved(operation))
    if HASH in path or (operation.path.rpartition("/")[2] in ("transitions", "legal-moves", "views")):
        game = "swoop" if "/swoop/" in operation.path else "rummy"
        return (Step(method="POST", path=(f"/v1/{game}/deals",), body=_DEAL, keep="dealt"),)
    return ()


_DEAL: Mapping[str, Any] = {"seats": 2, "seed": _SEED, "starter": 0}
_GAME: Mapping[str, Any] = {"game": "swoop", "seats": ["Ann", "Ben"], "seed": _SEED, "starter": 0}


def _created(operation: Operation) -> Step:
    more: Mapping[str, Mapping[str, Any]] = {
        "/v1/games/{id}/rounds": {"rules": {"limit": 500}},  # else one round is the whole match
        "/v1/games/{id}/timeouts": {"turn_seconds": 1},
    }
    return Step(method="POST", path=("/v1/games",), body={**_GAME, **more.get(operation.path, {})}, keep="game")


def _moved(operation: Operation) -> tuple[Step, ...]:
    """What has happened in the game: something to read, a round to follow, a match that is over."""
    moves: Mapping[str, Any] = {
        "/v1/games/{id}/events": {"seat": 0, "move": _PLAY},
        "/v1/games/{id}/rounds": {"seat": None, "move": {"type": "forfeit", "seat": 1}},
        "/v1/games/{id}/record": {"seat": None, "move": {"type": "abort"}},
    }
    body = moves.get(operation.path)
    made = Step(method="POST", path=("/v1/games/", ID, "/moves"), body=body, version="v1")
    return (made,) if body else ()


def _body(operation: Operation) -> Any:
    """What is sent: the first example, or what goes with the state that has just been dealt."""
    if operation.body is None:
        return None
    last = operation.path.rpartition("/")[2]
    game = "swoop" if "/swoop/" in operation.path else "rummy"
    dealt = {
        "deals": _DEAL,
        "transitions": {"state": STATE, "seat": 0, "move": _FIRST[game]},
        "legal-moves": {"state": STATE, "seat": 0},
        "views": {"state": STATE, "seat": 0},
    }
    if last in dealt and "/games" not in operation.path:
        return dealt[last]
    return operation.examples[0].asked

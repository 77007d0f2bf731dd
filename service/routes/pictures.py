"""Groupings as pictures, for chats and bug reports."""

from __future__ import annotations

import hashlib

from flask import Response

from service.http.context import apps, solver
from service.http.headers import unless_kept
from service.http.operation import Operation
from service.play import picture, raster
from service.schemas.pictures import PictureQuery, PictureShape
from service.schemas.rummy import GroupingRequest
from service.use_cases import rummy

_DAY = 86400
_POLICY = "default-src 'none'; frame-ancestors 'none'"
PNG_HANDS = 50  # hands that take as long to group as a picture takes to be drawn in dots


def _draw(asked: PictureQuery) -> Response:
    drawn, may_keep = _drawn(asked)
    return _answer(drawn.encode(), "image/svg+xml", may_keep, of=drawn)


def _draw_in_dots(asked: PictureQuery) -> Response:
    drawn, may_keep = _drawn(asked)
    answer = _answer(b"", "image/png", may_keep, of=f"png {drawn}")
    if answer.status_code != 304:
        asking = solver()  # its processes draw, for it would keep everybody else waiting here
        answer.data = asking.solvers.long(raster.png, drawn, asker=asking.asker())
    return answer


def _drawn(asked: PictureQuery) -> tuple[str, bool]:
    """The picture, and whether it is the last word on the hand."""
    wish = GroupingRequest(asked.hand, asked.wild_rank, asked.rules, proof="auto", alternatives=0)
    grouping = rummy.group(wish, solver(), at="?hand")
    return picture.drawn(grouping, asked.wild_rank, asked.rules), grouping.optimal


def _answer(body: bytes, content_type: str, may_keep: bool, of: str) -> Response:
    """The answer, or 304; `of`: what the body follows from."""
    response = Response(body, content_type=content_type)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = _kept() if may_keep else "no-store"
    response.headers["Vary"] = "Authorization"
    return unless_kept(response, hashlib.sha256(of.encode()).hexdigest()[:16])


def _kept() -> str:
    """The same hand has the same grouping; who had to show a key for it keeps it to itself."""
    return f"{'private' if apps().keys else 'public'}, max-age={_DAY}"


OPERATIONS = (
    Operation(
        name="drawGrouping",
        method="GET",
        path="/v1/rummy/groupings.svg",
        view=_draw,
        summary="Draw a hand as it is grouped best",
        description="The answer of `groupHand` as a picture without scripts: groups, what wildcards stand for, loose cards, points.",
        query=PictureShape(),
        hands_in=lambda asked: 1,
        answer=str,
        media_type="image/svg+xml",
        errors=("unknown_card", "unknown_rules", "impossible_hand"),
        tag="Rummy",
    ),
    Operation(
        name="drawGroupingAsPng",
        method="GET",
        path="/v1/rummy/groupings.png",
        view=_draw_in_dots,
        summary="Draw a hand as it is grouped best, in dots",
        description=f"The picture of `drawGrouping` as PNG, two dots for each of its units. It costs as much as {PNG_HANDS} hands.",
        query=PictureShape(),
        hands_in=lambda asked: PNG_HANDS,
        answer=bytes,
        media_type="image/png",
        errors=("unknown_card", "unknown_rules", "impossible_hand"),
        tag="Rummy",
    ),
)

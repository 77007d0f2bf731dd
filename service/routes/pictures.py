"""Groupings as pictures, for chats and bug reports."""

from __future__ import annotations

import hashlib

from flask import Response

from service.http.context import apps, solver
from service.http.headers import unless_kept
from service.http.operation import Operation
from service.play import picture
from service.schemas.pictures import PictureQuery, PictureShape
from service.schemas.rummy import GroupingRequest
from service.use_cases import rummy

_DAY = 86400
_POLICY = "default-src 'none'; frame-ancestors 'none'"


def _draw(asked: PictureQuery) -> Response:
    wish = GroupingRequest(asked.hand, asked.wild_rank, asked.rules, proof="auto", alternatives=0)
    grouping = rummy.group(wish, solver(), at="?hand")
    drawn = picture.drawn(grouping, asked.wild_rank, asked.rules).encode()
    response = Response(drawn, content_type="image/svg+xml")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = _kept() if grouping.optimal else "no-store"
    response.headers["Vary"] = "Authorization"
    return unless_kept(response, hashlib.sha256(drawn).hexdigest()[:16])


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
)

"""The stateless swoop calls."""

from __future__ import annotations

from service.contract import examples
from service.http.operation import Operation
from service.schemas.kinds import named
from service.schemas.swoop import IllegalPlay, LegalPlay, PlayShape, Scores, ScoreShape
from service.use_cases import swoop

_TAG = "Swoop"
_ERRORS = ("unknown_card", "unknown_rules", "impossible_hand")

OPERATIONS = (
    Operation(
        name="judgePlay",
        method="POST",
        path="/v1/swoop/plays",
        view=swoop.play,
        summary="Judge a play",
        description="Whether cards may be played and what that does to the table; how the table came about is not asked.",
        body=PlayShape(),
        answer=named("SwoopJudgedPlay", LegalPlay | IllegalPlay),
        errors=_ERRORS,
        examples=examples.of("judgePlay"),
        tag=_TAG,
    ),
    Operation(
        name="scoreSwoopRound",
        method="POST",
        path="/v1/swoop/scores",
        view=swoop.score,
        summary="Score a round",
        body=ScoreShape(),
        answer=Scores,
        errors=_ERRORS,
        examples=examples.of("scoreSwoopRound"),
        tag=_TAG,
    ),
)

"""The stateless rummy calls."""

from __future__ import annotations

import orjson
from flask import Response

from service.contract import examples
from service.http import errors
from service.http.context import asker, solver, solvers
from service.http.operation import BATCH_LIMIT, Operation
from service.schemas.rummy import (
    BatchRequest,
    BatchShape,
    DeclarationRequest,
    DeclarationShape,
    GroupingRequest,
    GroupingShape,
    ScoreRequest,
    ScoreShape,
)
from service.schemas.rummy_answers import Batch, Declaration, Grouping, Scores
from service.schemas.settlements import Settlement, SettlementRequest, SettlementShape
from service.use_cases import rummy, settlements

_TAG = "Rummy"
_HAND_ERRORS = ("unknown_card", "unknown_rules", "impossible_hand")


def _group(asked: GroupingRequest) -> Grouping:
    return rummy.group(asked, solver(asked.proof))


def _group_each(asked: BatchRequest) -> Response:
    results = rummy.group_each(asked, solver(asked.proof), solvers(), asker("many"), errors.of_invalid)
    return Response(orjson.dumps({"results": results}), content_type="application/json")


def _declare(asked: DeclarationRequest) -> Declaration:
    return rummy.declare(asked, solver(asked.proof))


def _score(asked: ScoreRequest) -> Scores:
    return rummy.score(asked, solver(asked.proof))


def _settle(asked: SettlementRequest) -> Settlement:
    return settlements.standing(asked)


OPERATIONS = (
    Operation(
        name="groupHand",
        method="POST",
        path="/v1/rummy/groupings",
        view=_group,
        summary="Group a hand",
        description="The grouping of 13 cards that leaves the fewest points, proved; of 14 cards, also which one to let go.",
        body=GroupingShape(),
        hands_in=lambda asked: 1 + asked.alternatives,
        answer=Grouping,
        errors=_HAND_ERRORS,
        examples=examples.of("groupHand"),
        tag=_TAG,
    ),
    Operation(
        name="groupHands",
        method="POST",
        path="/v1/rummy/groupings/batch",
        view=_group_each,
        summary="Group up to 1,000 hands",
        description="The order is kept; a wrong hand is answered by a problem in its place, the rest are grouped.",
        body=BatchShape(),
        hands_in=lambda asked: len(asked.hands),
        answer=Batch,
        errors=_HAND_ERRORS,
        examples=examples.of("groupHands"),
        limit=BATCH_LIMIT,
        tag=_TAG,
    ),
    Operation(
        name="judgeDeclaration",
        method="POST",
        path="/v1/rummy/declarations",
        view=_declare,
        summary="Judge a declaration",
        description="Groups are judged as sent. Wrong totals are faults of the declaration, not of the request.",
        body=DeclarationShape(),
        hands_in=lambda asked: 1,
        answer=Declaration,
        errors=(*_HAND_ERRORS, "undecided"),
        examples=examples.of("judgeDeclaration"),
        tag=_TAG,
    ),
    Operation(
        name="scoreRummyRound",
        method="POST",
        path="/v1/rummy/scores",
        view=_score,
        summary="Score a round",
        description="Losers still in pay for what the best grouping of their hand leaves loose, by the rules of scoring, even "
        "where the hand could have been declared.",
        body=ScoreShape(),
        hands_in=lambda asked: sum(seat.hand is not None for seat in asked.seats),
        answer=Scores,
        errors=(*_HAND_ERRORS, "undecided"),
        examples=examples.of("scoreRummyRound"),
        tag=_TAG,
    ),
    Operation(
        name="settleMatch",
        method="POST",
        path="/v1/rummy/settlements",
        view=_settle,
        summary="Settle a match round by round",
        description="For apps that play the rounds themselves: who is in and who is out, who may come back, what is dealt next, "
        "and in the end who gets what, in pools, deals and matches of a number of rounds.",
        body=SettlementShape(),
        answer=Settlement,
        errors=("unknown_rules",),
        examples=examples.of("settleMatch"),
        tag=_TAG,
    ),
)

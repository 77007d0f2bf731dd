"""What the stateless rummy calls answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from engine.cards import Card
from engine.game import Points
from engine.rummy.arrangement import Group, Kind
from engine.rummy.melds import Fault
from engine.rummy.state import Reason
from service.schemas.problem import Problem
from solver.solve import Proof


@dataclass(frozen=True, slots=True)
class Alternative:
    """A grouping of the same 13 cards that is worth as much."""

    groups: tuple[Group, ...]
    loose: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The grouping that leaves the fewest points; if the hand can be declared, a grouping that does. Beside a score always
    the grouping that it was scored by."""

    points: Annotated[Points, "What the loose cards cost, after the cap."]
    points_uncapped: Annotated[
        Points,
        "The same before the cap: this is what is minimised; where the rules charge a full count without a pure sequence, that count.",
    ]
    declarable: Annotated[bool | None, "Whether the 13 cards meet the rules of a declaration; null: not proved."]
    optimal: Annotated[bool, "Whether the answer is proved to be the best."]
    groups: Annotated[tuple[Group, ...], "The groups that count."]
    loose: Annotated[tuple[Card, ...], "The cards in no group that counts."]
    discard: Annotated[Card | None, "Of 14 cards, the one to let go."]
    proof: Annotated[Proof | None, "What proved the answer: reduction or cp-sat; null: nothing did."]
    loser_points: Annotated[
        Points | None,
        "What the 13 cards cost if another seat wins, by the rules of scoring, after the cap; null: not proved.",
    ]
    alternatives: Annotated[
        tuple[Alternative, ...] | None,
        "If they are asked for: groupings of equal worth, of other groups than this one and each other.",
    ] = field(default=None, metadata={"omit": True})
    alternatives_complete: Annotated[
        bool | None,
        "Beside them: whether these are as many as were asked for, or all that there are; false: the work limit was reached.",
    ] = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class Batch:
    """An answer for each hand, in the order of the hands."""

    results: Annotated[tuple[Grouping | Problem, ...], "A grouping, or in the place of a wrong hand its problem."]


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """One group as sent: what it is, or its first fault."""

    cards: tuple[Card, ...]
    kind: Annotated[Kind | None, "The kind that helps the player most."]
    kinds: Annotated[tuple[Kind, ...], "Every kind that the cards are."]
    stands_for: tuple[str, ...] | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Declaration:
    """The verdict on a declaration."""

    valid: bool
    groups: tuple[JudgedGroup, ...]
    faults: Annotated[tuple[Fault, ...], "The faults of the whole, all that apply."]
    regroup: Annotated[
        tuple[tuple[Card, ...], ...] | None, "A valid grouping of the same cards, if these groups fail and there is one."
    ]  # fmt: skip
    proof: Annotated[
        Proof | None,
        "What found regroup, or proved that there is none: reduction or cp-sat; null: nothing was looked for.",
    ]


@dataclass(frozen=True, slots=True)
class SubmittedGroup:
    """One group of a loser's own grouping: what it is, and why it does not count if it does not."""

    cards: tuple[Card, ...]
    kind: Annotated[Kind | None, "The kind that it costs least as; null: it is no group."]
    stands_for: tuple[str, ...] | None
    fault: Annotated[Fault | None, "Why its cards are loose; null: it counts."]


@dataclass(frozen=True, slots=True)
class SubmittedGrouping:
    """A loser's own grouping of its hand, scored as it is."""

    points: Annotated[Points, "What the loose cards cost, after the cap."]
    points_uncapped: Annotated[Points, "The same before the cap."]
    groups: tuple[SubmittedGroup, ...]
    loose: Annotated[tuple[Card, ...], "The cards in no group that counts."]


@dataclass(frozen=True, slots=True)
class ScoredSeat:
    """What one seat scored and why."""

    points: Points
    reason: Reason
    grouping: Grouping | None = field(default=None, metadata={"omit": True})
    submitted: Annotated[
        SubmittedGrouping | None, "Where the seat's own groups were sent: what they cost, whichever of the two counts."
    ] = field(default=None, metadata={"omit": True})


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a round, and who pays whom."""

    seats: tuple[ScoredSeat, ...]
    settlement: Annotated[tuple[Points, ...], "The winner gets what the others lose; the sum is zero."]

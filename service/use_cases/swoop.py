"""The stateless swoop calls: judge a play, score what is left."""

from __future__ import annotations

from engine.swoop.hands import check_round, check_table
from engine.swoop.legality import play_violation
from engine.swoop.moves import Play
from engine.swoop.pile import judge
from engine.swoop.scoring import score_round
from engine.swoop.state import Seat
from service.schemas.swoop import Broken, IllegalPlay, LegalPlay, PlayRequest, ScoreRequest, Scores


def play(asked: PlayRequest) -> LegalPlay | IllegalPlay:
    """Judge one play; how the table came about is not asked. Raises `Invalid` for a table that cannot lie."""
    rules, move = asked.rules.rules, Play(asked.play.hand, asked.play.guards)
    check_table(rules, asked.pile, asked.hand, asked.stacks, asked.committed)
    if violation := play_violation(asked.hand, asked.stacks, asked.committed, move):
        return IllegalPlay(False, Broken.of(violation))
    done = judge(rules, asked.pile, asked.hand, asked.stacks, asked.committed, move)
    return LegalPlay(True, done.effect, done.turn, done.out, done.pile, done.hand, done.stacks)


def score(asked: ScoreRequest) -> Scores:
    """Score the cards that are left. Raises `ImpossibleHand`."""
    rules = asked.rules.rules
    seats = [Seat(seat.hand, seat.stacks) for seat in asked.seats]
    check_round(rules, seats)
    return Scores(score_round(rules, seats))

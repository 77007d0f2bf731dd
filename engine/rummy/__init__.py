"""13-card rummy (rules.md §1)."""

from engine.game import Game
from engine.rummy.check import check
from engine.rummy.deal import NAME, SEATS, deal
from engine.rummy.events import EVENTS
from engine.rummy.legality import VIOLATIONS, legal_moves, violation
from engine.rummy.moves import MOVES, Move
from engine.rummy.round_end import outcome
from engine.rummy.rules import RummyRules
from engine.rummy.state import State
from engine.rummy.timeout import default_move
from engine.rummy.transitions import apply
from engine.rummy.view import SeatView, view


def to_move(state: State) -> int | None:
    """The seat to move, or None between rounds and after the match."""
    return state.turn


GAME: Game[State, Move, SeatView] = Game(
    name=NAME,
    seats=SEATS,
    rules=RummyRules,
    state=State,
    moves=MOVES,
    events=EVENTS,
    violations=VIOLATIONS,
    deal=deal,
    violation=violation,
    legal_moves=legal_moves,
    apply=apply,
    default_move=default_move,
    view=view,
    outcome=outcome,
    to_move=to_move,
    check=check,
)

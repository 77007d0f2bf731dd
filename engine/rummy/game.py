"""13-card rummy as a game among the others: its functions and types, by the names that `engine.game` gives them."""

from __future__ import annotations

from engine.game import Game
from engine.rummy.check import check
from engine.rummy.deal import NAME, deal
from engine.rummy.events import EVENTS
from engine.rummy.legality import VIOLATIONS, all_moves, legal_moves, violation
from engine.rummy.moves import MOVES, Move
from engine.rummy.older import Older
from engine.rummy.rules import SEATS, RummyRules
from engine.rummy.state import State, outcome, to_move
from engine.rummy.timeout import default_move
from engine.rummy.transitions import apply
from engine.rummy.view import View, view

GAME: Game[State, Move, View] = Game(
    name=NAME,
    seats=SEATS,
    rules=RummyRules,
    state=State,
    older=Older,
    moves=MOVES,
    events=EVENTS,
    seen=View,
    violations=VIOLATIONS,
    deal=deal,
    violation=violation,
    legal_moves=legal_moves,
    all_moves=all_moves,
    apply=apply,
    default_move=default_move,
    view=view,
    outcome=outcome,
    to_move=to_move,
    check=check,
)

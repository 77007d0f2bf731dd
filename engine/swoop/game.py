"""Swoop as a game among the others: its functions and types, by the names that `engine.game` gives them."""

from __future__ import annotations

from engine.game import Game
from engine.swoop.check import check
from engine.swoop.deal import NAME, deal
from engine.swoop.events import EVENTS
from engine.swoop.legality import VIOLATIONS, all_moves, legal_moves, violation
from engine.swoop.moves import MOVES, Move
from engine.swoop.older import Older
from engine.swoop.rules import SEATS, SwoopRules
from engine.swoop.state import State, outcome, to_move
from engine.swoop.timeout import default_move
from engine.swoop.transitions import apply
from engine.swoop.view import View, view

GAME: Game[State, Move, View] = Game(
    name=NAME,
    seats=SEATS,
    rules=SwoopRules,
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

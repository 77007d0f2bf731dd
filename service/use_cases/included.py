"""What answers carry of a table, and what besides if they are asked to (`include`): legal moves, and rules by their hash."""

from __future__ import annotations

from typing import Any

from engine.errors import Undecided
from service.hosted import answers, kept_rules
from service.hosted.table import Table
from service.json.codec import write
from service.schemas.game_answers import SeatMoves
from service.schemas.game_queries import LEGAL_MOVES, RULES, VIEW, VIEWS, Eyes, Include
from service.stores.contract import GameStore


def seen(store: GameStore, table: Table, eyes: Eyes, include: Include) -> answers.Json:
    """What these eyes see, and with `views` what all do."""
    rules = has_rules(store, table, include)
    more = {"views": answers.views(table, rules=rules)} if VIEWS in include else {}
    return answers.looked_at(table, eyes, rules=rules) | more


def has_rules(store: GameStore, table: Table, include: Include) -> bool:
    """Whether views hold the rules: as they always did, unless they are asked for in the new way; or where the store cannot
    keep them for those who would look them up."""
    if RULES in include or include.isdisjoint((VIEW, LEGAL_MOVES)):
        return True
    return not kept_rules.keep(store, table.game.name, table.state.rules)


def moves(table: Table, whose: Eyes, include: Include, arranger: Any) -> answers.Json:
    """The legal moves of a seat or of the referee; None: of the seat to move. None where they are not asked for."""
    if LEGAL_MOVES not in include:
        return {}
    mover = mover_of(table, whose)
    try:
        found = table.game.legal_moves(table.state, mover, arranger)
    except Undecided:
        found = None  # what was asked for is something else, which need not fail for it
    return {"legal_moves": write(SeatMoves(mover, found))}


def mover_of(table: Table, whose: Eyes) -> int | None:
    """Whose moves are meant: a seat's; the referee's (None). Where nobody is named those of the seat to move."""
    if whose is None:
        return table.game.to_move(table.state)
    return None if whose == "referee" else whose

"""Thin views, one resource a module; no rules."""

from service.http import Operation
from service.routes import games, operations, play, rules, rummy, swoop

OPERATIONS: tuple[Operation, ...] = (
    *rummy.OPERATIONS,
    *swoop.OPERATIONS,
    *play.OPERATIONS,
    *games.OPERATIONS,
    *rules.OPERATIONS,
    *operations.OPERATIONS,
)

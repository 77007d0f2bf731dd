"""Thin views, one resource a module; no rules."""

from service.http import Operation
from service.routes import games, operations, rules, rummy, stateless, swoop

OPERATIONS: tuple[Operation, ...] = (
    *rummy.OPERATIONS,
    *swoop.OPERATIONS,
    *stateless.OPERATIONS,
    *games.OPERATIONS,
    *rules.OPERATIONS,
    *operations.OPERATIONS,
)

"""Thin views, one resource a module; no rules."""

from service.http.operation import Operation
from service.routes import games, index, operations, rules, rummy, stateless, swoop

OPERATIONS: tuple[Operation, ...] = (
    *rummy.OPERATIONS,
    *swoop.OPERATIONS,
    *stateless.OPERATIONS,
    *games.OPERATIONS,
    *rules.OPERATIONS,
    *index.OPERATIONS,
    *operations.OPERATIONS,
)

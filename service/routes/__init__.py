"""Thin views, one resource a module, and the list of all calls.

Must decide nothing: what a call does is a use case, what is true of every call stands in `service.http`.
"""

from service.http.operation import Operation
from service.routes import games, index, operations, pictures, rules, rummy, stateless, swoop

OPERATIONS: tuple[Operation, ...] = (
    *rummy.OPERATIONS,
    *pictures.OPERATIONS,
    *swoop.OPERATIONS,
    *stateless.OPERATIONS,
    *games.OPERATIONS,
    *rules.OPERATIONS,
    *index.OPERATIONS,
    *operations.OPERATIONS,
)

"""Deals, transitions, legal moves and views of every game there is; a new game needs nothing here."""

from __future__ import annotations

from typing import Any

from engine.games import GAMES
from engine.shuffling import commitment
from service.contract.examples import of
from service.http.context import solver
from service.http.operation import Operation
from service.json import states
from service.schemas.common import complete
from service.schemas.kinds import AnyGame
from service.schemas.stateless import shapes_of
from service.use_cases import seeds


def _operations(game: AnyGame) -> tuple[Operation, ...]:
    shapes = shapes_of(game)

    def checked(state: Any) -> Any:
        return states.checked(game, state, "/state")

    def deal(asked: Any) -> Any:
        seed = seeds.chosen(asked.seed)
        state, events = game.deal(asked.seats, asked.rules.rules, seed, asked.starter)
        return shapes.dealt(states.to_json(game, state), commitment(seed), events)

    def transition(asked: Any) -> Any:
        state, events = game.apply(checked(asked.state), asked.seat, asked.move, solver())
        return shapes.transition(states.to_json(game, state), events, game.outcome(state))

    def legal_moves(asked: Any) -> Any:
        state = checked(asked.state)
        listed = game.listed(state, asked.seat, solver(), each=asked.all)
        return shapes.moves(listed.moves, complete(listed))

    def view(asked: Any) -> Any:
        return shapes.view(states.to_json(game, game.view(checked(asked.state), asked.seat)))

    def operation(
        verb: str, call: str, view: Any, summary: str, body: Any, answer: Any, *errors: str, **more: Any
    ) -> Operation:
        name = verb.format(game.name.capitalize())
        return Operation(
            name=name, method="POST", path=f"/v1/{game.name}/{call}", view=view, summary=summary, body=body, answer=answer,
            errors=errors, tag=game.name.capitalize(), examples=of(name), **more,
        )  # fmt: skip

    return (
        operation(
            "deal{}", "deals", deal, "Deal a match", shapes.deal_request, shapes.dealt, "unknown_rules", "too_few_cards", status=201
        ),
        operation(
            "apply{}Move", "transitions", transition, "Make a move", shapes.transition_request, shapes.transition, "unknown_card",
            "illegal_move", "undecided", "corrupt_state",
            description="A seat's move, or with seat null one of the referee: next_round, forfeit, withdraw, rejoin, abort.",
        ),
        operation(
            "list{}Moves", "legal-moves", legal_moves, "List the legal moves of a seat", shapes.moves_request, shapes.moves, "undecided",
            "corrupt_state",
            description="In rummy a declare for each card whose fold wins. In swoop one play for each rank and number of "
            "cards, from the hand first and then guards; `all` asks for every distinct one.",
        ),
        operation("view{}", "views", view, "Show what a seat may know", shapes.seat_request, shapes.view, "corrupt_state"),
    )  # fmt: skip


OPERATIONS = tuple(operation for game in GAMES.values() for operation in _operations(game))

"""Deals, transitions, legal moves and views of every game there is; a new game needs nothing here."""

from __future__ import annotations

from typing import Any

from engine.games import GAMES
from engine.shuffling import commitment
from service import states
from service.context import arranger
from service.http import Operation
from service.schemas.stateless import AnyGame, shapes_of
from service.use_cases import seeds

_ILLEGAL = ("illegal_move", "undecided", "corrupt_state")


def _operations(game: AnyGame) -> tuple[Operation, ...]:
    shapes = shapes_of(game)

    def checked(state: Any) -> Any:
        return states.checked(game, state, "/state")

    def deal(asked: Any) -> Any:
        seed = seeds.chosen(asked.seed)
        state, events = game.deal(asked.seats, asked.rules.rules, seed, asked.starter)
        return shapes.dealt(states.to_json(game, state), commitment(seed), events)

    def transition(asked: Any) -> Any:
        state, events = game.apply(checked(asked.state), asked.seat, asked.move, arranger())
        return shapes.transition(states.to_json(game, state), events, game.outcome(state))

    def legal_moves(asked: Any) -> Any:
        return shapes.moves(game.legal_moves(checked(asked.state), asked.seat, arranger()))

    def view(asked: Any) -> Any:
        return shapes.view(states.to_json(game, game.view(checked(asked.state), asked.seat)))

    at, tag = f"/v1/{game.name}", game.name.capitalize()
    return (
        Operation(
            method="POST",
            path=f"{at}/deals",
            view=deal,
            summary="Deal a match",
            body=shapes.deal_request,
            answer=shapes.dealt,
            status=201,
            errors=("unknown_rules", "too_few_cards"),
            tag=tag,
        ),
        Operation(
            method="POST",
            path=f"{at}/transitions",
            view=transition,
            summary="Make a move",
            description="A seat's move, or with seat null one of the referee: next_round, forfeit, abort.",
            body=shapes.transition_request,
            answer=shapes.transition,
            errors=("unknown_card", *_ILLEGAL),
            tag=tag,
        ),
        Operation(
            method="POST",
            path=f"{at}/legal-moves",
            view=legal_moves,
            summary="List the legal moves of a seat",
            body=shapes.seat_request,
            answer=shapes.moves,
            errors=("undecided", "corrupt_state"),
            tag=tag,
        ),
        Operation(
            method="POST",
            path=f"{at}/views",
            view=view,
            summary="Show what a seat may know",
            body=shapes.seat_request,
            answer=shapes.view,
            errors=("corrupt_state",),
            tag=tag,
        ),
    )


OPERATIONS = tuple(operation for game in GAMES.values() for operation in _operations(game))

"""A whole hosted match by the client that openapi-python-client makes of openapi.yaml: python match.py URL APP_KEY GAME."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from cardref_client import AuthenticatedClient
from cardref_client.api.games import create_game, deal_round, get_record, list_legal_moves, make_move, wait_for_events
from cardref_client.models import (
    MoveRequest,
    Problem,
    RummyCreatedGame,
    RummyCreateRequest,
    RummyDeclare,
    RummyDiscard,
    RummyListedMoves,
    RummyMadeMove,
    RummyMatchRecord,
    RummyOptions,
    RummyPack,
    RummyPreset,
    SwoopCreatedGame,
    SwoopCreateRequest,
    SwoopListedMoves,
    SwoopMadeMove,
    SwoopMatchRecord,
    SwoopOptions,
    SwoopPlay,
)
from cardref_client.types import Response, Unset

T = TypeVar("T")
Made = RummyMadeMove | SwoopMadeMove


class Refused(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.detail}")
        self.problem = problem


class Match:
    """A table, and the clients of those who sit there."""

    def __init__(self, url: str, key: str, game: str) -> None:
        self.url, self.game = url, game
        self.counted = {"made": 0, "retried": 0, "stale": 0, "illegal": 0, "events": 0}
        self.app = AuthenticatedClient(base_url=url, token=key)
        self.table = self.created()
        self.seats = [AuthenticatedClient(base_url=url, token=seat.token) for seat in self.table.seats]

    def answered(self, call: Callable[[], Response[T]]) -> T:
        """The answer to a call, never a problem. 503: the same call again, by the same Idempotency-Key, when `Retry-After`
        says so."""
        while True:
            response = call()
            if not isinstance(response.parsed, Problem):
                assert response.parsed is not None
                return response.parsed
            if response.status_code != 503:
                raise Refused(response.parsed)
            self.counted["retried"] += 1
            time.sleep(float(response.headers["Retry-After"]))

    def created(self) -> RummyCreatedGame | SwoopCreatedGame:
        names = ["Ann", "Ben", "Cleo"]
        body: RummyCreateRequest | SwoopCreateRequest
        if self.game == "rummy":
            rummy = RummyOptions(preset=RummyPreset.INDIAN, max_turns=12)
            body = RummyCreateRequest(game="rummy", seats=names, rules=rummy, starter=0)
        else:
            body = SwoopCreateRequest(game="swoop", seats=names, rules=SwoopOptions(limit=300, max_plies=40), starter=0)
        made = self.answered(
            lambda: create_game.sync_detailed(client=self.app, body=body, idempotency_key=f"create {self.game} py")
        )
        assert not isinstance(made, Problem)
        return made

    def move(self, seat: int, version: int, body: MoveRequest) -> Made:
        key = f"move {version} {json.dumps(body.to_dict())}"
        made = self.answered(
            lambda: make_move.sync_detailed(
                self.table.id, client=self.seats[seat], body=body, if_match=f'"v{version}"', idempotency_key=key
            )
        )
        assert not isinstance(made, Problem)
        return made

    def refused(self, version: int, body: MoveRequest, status: int) -> Problem:
        """What must be refused: the problem, which is typed as well."""
        problem: Problem | None = None
        try:
            self.move(0, version, body)
        except Refused as fault:
            problem = fault.problem
        assert problem is not None, f"a {status} was expected"
        assert problem.status == status, problem.detail
        return problem

    def refusals(self) -> None:
        """A move on a version that is none, and one that the rules forbid."""
        rummy = isinstance(self.table, RummyCreatedGame)
        body = MoveRequest(move=RummyDiscard(type_="discard", card="2C") if rummy else SwoopPlay("play", [], []))
        stale = self.refused(99, body, 412)
        assert stale.version == self.table.version
        self.counted["stale"] += 1
        illegal = self.refused(self.table.version, body, 409)
        assert not isinstance(illegal.violation, Unset)
        self.counted["illegal"] += 1

    def next(self, turn: int | None, version: int) -> Made:
        """A legal move of the seat to move, or the next round."""
        if turn is None:
            dealt = self.answered(
                lambda: deal_round.sync_detailed(
                    self.table.id, client=self.app, if_match=f'"v{version}"', idempotency_key=f"round {version}"
                )
            )
            assert not isinstance(dealt, Problem)
            return dealt
        seat = self.seats[turn]
        listed = self.answered(lambda: list_legal_moves.sync_detailed(self.table.id, client=seat))
        assert isinstance(listed, RummyListedMoves | SwoopListedMoves)
        declares = [each for each in listed.moves if isinstance(each, RummyDeclare)]
        active = [each for each in listed.moves if not isinstance(each, RummyPack)]
        return self.move(turn, version, MoveRequest(move=(declares or active)[0]))

    def play(self) -> None:
        self.refusals()
        view, version = self.table.view, self.table.version
        while view.phase != "match_over":
            made = self.next(view.turn, version)
            view, version = made.view, made.version
            self.counted["made"] += 1
        log = self.answered(lambda: wait_for_events.sync_detailed(self.table.id, client=self.app, after=0))
        assert not isinstance(log, Problem)
        self.counted["events"] = len([f"{event.version} {event.type_}" for event in log.events])
        record = self.answered(lambda: get_record.sync_detailed(self.table.id, client=self.app))
        assert isinstance(record, RummyMatchRecord | SwoopMatchRecord)
        told = {
            **self.counted,
            "version": version,
            "moves": len(record.moves),
            "outcome": record.outcome.to_dict(),
            "id": self.table.id,
            "game": record.game,
        }
        print(json.dumps(told))


if __name__ == "__main__":
    Match(*sys.argv[1:4]).play()

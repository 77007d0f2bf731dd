"""The client. Of this module the one for callers that are not asynchronous is made (`make clients`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from time import monotonic
from typing import Any, Literal, Self

import httpx
from anyio import sleep

from cardref_client import _retrying as retrying
from cardref_client import types as t
from cardref_client._async_calls import AsyncCalls
from cardref_client._call import Call
from cardref_client.errors import Refused, StaleVersion, Unanswered, refusal
from cardref_client.positions import LoggedEvent, Position, position

WAIT = 20  # seconds that one look at the log may wait: the most there is
ANSWER = 10.0  # seconds to wait for an answer beyond that


class AsyncCardref(AsyncCalls):
    """The service at `url`, as one caller meets it: an app by its key, a player or spectator by the token, in open mode the app by None.

    A call that gets no answer, or one that says "later", is sent again for `patience` seconds, each time with the same
    `Idempotency-Key`: it is carried out once. `http` is an httpx client of your own, which stays yours to close.
    """

    def __init__(
        self, url: str, token: str | None = None, *, patience: float = 30, http: httpx.AsyncClient | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.patience = patience
        self._owned = http is None
        self._http = http or httpx.AsyncClient()

    def as_caller(self, token: str | None) -> Self:
        """The same service for another caller, over the same connections; only the first client needs closing."""
        return type(self)(self.url, token, patience=self.patience, http=self._http)

    async def aclose(self) -> None:
        """Close the connections, unless they are another's."""
        if self._owned:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def send(self, call: Call) -> Any:
        """The answer to a call. Raises Refused (StaleVersion, Illegal), or Unanswered where patience ended without an answer."""
        headers, content, query = call.headers(self.token), call.content(), call.parameters()
        key = headers.get("Idempotency-Key")
        timeout = httpx.Timeout(ANSWER, read=ANSWER + float(query.get("wait", 0)))
        until = monotonic() + self.patience
        attempts = 0
        while True:
            attempts += 1
            fault: Refused | Unanswered
            retry_after = None
            try:
                answer = await self._http.request(
                    call.verb, self.url + call.path, params=query, headers=headers, content=content, timeout=timeout
                )
            except httpx.TransportError as broken:
                fault = Unanswered(f"{call.verb} {call.path}: {type(broken).__name__} {broken}", key)
                fault.__cause__ = broken
            else:
                if answer.is_success:
                    if call.reads == "json":
                        return answer.json() if answer.content else None
                    return answer.text if call.reads == "text" else answer.content
                if answer.status_code == 404 and call.verb == "DELETE" and attempts > 1:
                    return None  # done by an attempt whose answer was lost
                retry_after = answer.headers.get("Retry-After")
                fault = refusal(answer.status_code, answer.content, key)
                if not retrying.may_help(fault.status, fault.code):
                    raise fault
            seconds = retrying.pause(attempts, retry_after, until - monotonic())
            if seconds is None:
                raise fault
            await sleep(seconds)

    async def watch(self, id: str, *, after: int = 0, seat: int | None = None) -> AsyncIterator[Position]:
        """Each position that follows a version, as it comes about, the one there is first; until the match is over. What happened
        while nobody looked comes as one. An app sees with the eyes of a `seat`, or else as a spectator does, with the moves of
        whoever is to move.

        The version may be lower than before where a store has lost the end of a game: it is the game's. Raises what `send` does;
        a service that is restarted meanwhile is waited for.
        """
        reached = await self._next(id, after, seat, wait=0)  # a match that is over has no news
        yield reached
        while not reached.over:
            reached = await self._next(id, reached.version, seat)
            yield reached

    async def follow(self, id: str, *, after: int = 0) -> AsyncIterator[LoggedEvent]:
        """The events after a version as the caller may know them, one by one as they happen, until the match is over."""
        async for reached in self.watch(id, after=after):
            for event in reached.events:
                yield event

    async def play(self, id: str, choose: Callable[[Position], t.Move]) -> Position:
        """Play the seat whose token this is: `choose` is given each position in which it is to move, and says what it does. Answers
        the last position of the match.

        A move that comes too late (412) is not made: the game is looked at again. Raises Illegal for one that the rules forbid.
        """
        reached = await self._look(id)
        while not reached.over:
            moves = reached.moves
            if moves is None:
                moves = (await self.list_legal_moves(id))["moves"]
                reached = replace(reached, moves=moves)
            if not moves:
                reached = await self._next(id, reached.version)
                continue
            move = choose(reached)
            try:
                made = await self.make_move(
                    id, {"move": move}, version=reached.version, include=["view", "legal_moves"]
                )
                reached = position(made) or await self._look(id)
            except StaleVersion:
                reached = await self._look(id)
        return reached

    async def _look(self, id: str) -> Position:
        """The game as it is now."""
        reached = position(await self.get_game(id, include=["view", "legal_moves"]))
        assert reached is not None, "asked for its view, the service did not tell it"
        return reached

    async def _next(self, id: str, after: int, seat: int | None = None, wait: int = WAIT) -> Position:
        """The position after a version, as soon as there is one, or the last of the match."""
        include: list[Literal["view", "legal_moves", "rules", "views"]] = ["view", "legal_moves"]
        if (self.token or "").startswith("spectator."):
            include = ["view"]  # spectators have no moves
        events: list[LoggedEvent] = []
        while True:
            asked = monotonic()
            log = await self.wait_for_events(id, after=after, wait=wait, seat=seat, include=include)
            events += log["events"]
            reached = position(log, events)
            if reached is None:
                after = log["version"]  # a part of a long log
            elif events or reached.version != after or reached.over:
                return reached
            elif wait and monotonic() - asked < 1:
                await sleep(1)  # too many are waiting, so that this call could not
            else:
                wait = WAIT

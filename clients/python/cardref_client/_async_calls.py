"""The calls of the contract, one method each: made from openapi.yaml, not to be edited (`make clients`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

from cardref_client import types as t
from cardref_client._call import Call, quoted


class AsyncCalls(ABC):
    """Every call of the contract; how a call is sent is for a subclass to say."""

    @abstractmethod
    async def send(self, call: Call) -> Any:
        """The answer to a call."""

    async def group_hand(self, body: t.RummyGroupingRequest, *, request_id: str | None = None) -> t.Grouping:
        """Group a hand.

        The grouping of 13 cards that leaves the fewest points, proved; of 14 cards, also which one to let go.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: t.Grouping = await self.send(Call("POST", "/v1/rummy/groupings", body=body, request_id=request_id))
        return answer

    async def group_hands(self, body: t.RummyBatchRequest, *, request_id: str | None = None) -> t.Batch:
        """Group up to 1,000 hands.

        The order is kept; a wrong hand is answered by a problem in its place, the rest are grouped.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: t.Batch = await self.send(Call("POST", "/v1/rummy/groupings/batch", body=body, request_id=request_id))
        return answer

    async def judge_declaration(
        self, body: t.RummyDeclarationRequest, *, request_id: str | None = None
    ) -> t.Declaration:
        """Judge a declaration.

        Groups are judged as sent. Wrong totals are faults of the declaration, not of the request.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`, `undecided`.
        """
        answer: t.Declaration = await self.send(
            Call("POST", "/v1/rummy/declarations", body=body, request_id=request_id)
        )
        return answer

    async def score_rummy_round(self, body: t.RummyScoreRequest, *, request_id: str | None = None) -> t.Scores:
        """Score a round.

        Losers still in pay for what the best grouping of their hand leaves loose, by the rules of scoring,
        even where the hand could have been declared.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`, `undecided`.
        """
        answer: t.Scores = await self.send(Call("POST", "/v1/rummy/scores", body=body, request_id=request_id))
        return answer

    async def settle_match(self, body: t.SettlementRequest, *, request_id: str | None = None) -> t.Settlement:
        """Settle a match round by round.

        For apps that play the rounds themselves: who is in and who is out, who may come back, what is dealt
        next, and in the end who gets what, in pools, deals and matches of a number of rounds.

        Problems: `unknown_rules`.
        """
        answer: t.Settlement = await self.send(Call("POST", "/v1/rummy/settlements", body=body, request_id=request_id))
        return answer

    async def draw_grouping(
        self, *, hand: str, wild_rank: str, rules: str | None = None, request_id: str | None = None
    ) -> str:
        """Draw a hand as it is grouped best.

        The answer of `groupHand` as a picture without scripts: groups, what wildcards stand for, loose cards,
        points.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: str = await self.send(
            Call(
                "GET",
                "/v1/rummy/groupings.svg",
                query={
                    "hand": hand,
                    "wild_rank": wild_rank,
                    "rules": rules,
                },
                request_id=request_id,
                reads="text",
            )
        )
        return answer

    async def draw_grouping_as_png(
        self, *, hand: str, wild_rank: str, rules: str | None = None, request_id: str | None = None
    ) -> bytes:
        """Draw a hand as it is grouped best, in dots.

        The picture of `drawGrouping` as PNG, two dots for each of its units. It costs as much as 50 hands.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: bytes = await self.send(
            Call(
                "GET",
                "/v1/rummy/groupings.png",
                query={
                    "hand": hand,
                    "wild_rank": wild_rank,
                    "rules": rules,
                },
                request_id=request_id,
                reads="bytes",
            )
        )
        return answer

    async def judge_play(self, body: t.SwoopPlayRequest, *, request_id: str | None = None) -> t.SwoopJudgedPlay:
        """Judge a play.

        Whether cards may be played and what that does to the table; how the table came about is not asked.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: t.SwoopJudgedPlay = await self.send(Call("POST", "/v1/swoop/plays", body=body, request_id=request_id))
        return answer

    async def score_swoop_round(self, body: t.SwoopScoreRequest, *, request_id: str | None = None) -> t.SwoopScores:
        """Score a round.

        Score a round.

        Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
        """
        answer: t.SwoopScores = await self.send(Call("POST", "/v1/swoop/scores", body=body, request_id=request_id))
        return answer

    async def deal_rummy(self, body: t.RummyDealRequest, *, request_id: str | None = None) -> t.RummyDeal:
        """Deal a match.

        Deal a match.

        Problems: `unknown_rules`, `too_few_cards`.
        """
        answer: t.RummyDeal = await self.send(Call("POST", "/v1/rummy/deals", body=body, request_id=request_id))
        return answer

    async def apply_rummy_move(
        self, body: t.RummyTransitionRequest, *, request_id: str | None = None
    ) -> t.RummyTransition:
        """Make a move.

        A seat's move, or with seat null one of the referee: next_round, forfeit, withdraw, rejoin, abort.

        Problems: `corrupt_state`, `unknown_card`, `illegal_move`, `undecided`.
        """
        answer: t.RummyTransition = await self.send(
            Call("POST", "/v1/rummy/transitions", body=body, request_id=request_id)
        )
        return answer

    async def list_rummy_moves(self, body: t.RummyMovesRequest, *, request_id: str | None = None) -> t.RummyMoves:
        """List the legal moves of a seat.

        In rummy a declare for each card whose fold wins. In swoop one play for each rank and number of cards,
        from the hand first and then guards; `all` asks for every distinct one.

        Problems: `corrupt_state`, `undecided`.
        """
        answer: t.RummyMoves = await self.send(Call("POST", "/v1/rummy/legal-moves", body=body, request_id=request_id))
        return answer

    async def view_rummy(self, body: t.RummySeatRequest, *, request_id: str | None = None) -> t.RummySeenState:
        """Show what a seat may know.

        Show what a seat may know.

        Problems: `corrupt_state`.
        """
        answer: t.RummySeenState = await self.send(Call("POST", "/v1/rummy/views", body=body, request_id=request_id))
        return answer

    async def deal_swoop(self, body: t.SwoopDealRequest, *, request_id: str | None = None) -> t.SwoopDeal:
        """Deal a match.

        Deal a match.

        Problems: `unknown_rules`, `too_few_cards`.
        """
        answer: t.SwoopDeal = await self.send(Call("POST", "/v1/swoop/deals", body=body, request_id=request_id))
        return answer

    async def apply_swoop_move(
        self, body: t.SwoopTransitionRequest, *, request_id: str | None = None
    ) -> t.SwoopTransition:
        """Make a move.

        A seat's move, or with seat null one of the referee: next_round, forfeit, withdraw, rejoin, abort.

        Problems: `corrupt_state`, `unknown_card`, `illegal_move`, `undecided`.
        """
        answer: t.SwoopTransition = await self.send(
            Call("POST", "/v1/swoop/transitions", body=body, request_id=request_id)
        )
        return answer

    async def list_swoop_moves(self, body: t.SwoopMovesRequest, *, request_id: str | None = None) -> t.SwoopMoves:
        """List the legal moves of a seat.

        In rummy a declare for each card whose fold wins. In swoop one play for each rank and number of cards,
        from the hand first and then guards; `all` asks for every distinct one.

        Problems: `corrupt_state`, `undecided`.
        """
        answer: t.SwoopMoves = await self.send(Call("POST", "/v1/swoop/legal-moves", body=body, request_id=request_id))
        return answer

    async def view_swoop(self, body: t.SwoopSeatRequest, *, request_id: str | None = None) -> t.SwoopSeenState:
        """Show what a seat may know.

        Show what a seat may know.

        Problems: `corrupt_state`.
        """
        answer: t.SwoopSeenState = await self.send(Call("POST", "/v1/swoop/views", body=body, request_id=request_id))
        return answer

    async def create_game(
        self,
        body: t.CreateRequest,
        *,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        idempotency_key: str | None = None,
        request_id: str | None = None,
    ) -> t.CreatedGame:
        """Create a game.

        The service deals and keeps the game. The tokens are told here and never again, but to a repeat of the
        same call with the same app key.

        Problems: `unknown_rules`, `too_few_cards`, `key_reused`, `store_unavailable`, `store_unsafe`,
        `store_damaged`, `not_durable`.
        """
        answer: t.CreatedGame = await self.send(
            Call(
                "POST",
                "/v1/games",
                query={
                    "include": include,
                },
                body=body,
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def list_games(
        self,
        *,
        status: Literal["live", "over"] | None = None,
        after: str | None = None,
        limit: int | None = None,
        request_id: str | None = None,
    ) -> t.GameList:
        """List the caller's games.

        Newest first; `after` leads to the next page.

        Problems: `store_unavailable`, `store_damaged`.
        """
        answer: t.GameList = await self.send(
            Call(
                "GET",
                "/v1/games",
                query={
                    "status": status,
                    "after": after,
                    "limit": limit,
                },
                request_id=request_id,
            )
        )
        return answer

    async def get_game(
        self,
        id: str,
        *,
        seat: int | Literal["referee"] | None = None,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        request_id: str | None = None,
    ) -> t.ShownGame:
        """Show a game.

        With a seat's token as that seat sees it, with a spectator's as spectators do; an app chooses by
        `seat`.

        Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`.
        """
        answer: t.ShownGame = await self.send(
            Call(
                "GET",
                f"/v1/games/{quoted(id)}",
                query={
                    "seat": seat,
                    "include": include,
                },
                request_id=request_id,
            )
        )
        return answer

    async def delete_game(self, id: str, *, request_id: str | None = None) -> None:
        """Delete a game.

        For apps: the game, its tokens, its log and its record.

        Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`.
        """
        await self.send(Call("DELETE", f"/v1/games/{quoted(id)}", request_id=request_id))

    async def list_legal_moves(
        self,
        id: str,
        *,
        seat: int | Literal["referee"] | None = None,
        all: bool | None = None,
        request_id: str | None = None,
    ) -> t.ListedMoves:
        """List the legal moves of a seat.

        With a seat's token its own; for an app those of `seat`, or of the seat to move. In swoop one play for
        each rank and number of cards, unless `all` asks for more.

        Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`, `undecided`.
        """
        answer: t.ListedMoves = await self.send(
            Call(
                "GET",
                f"/v1/games/{quoted(id)}/legal-moves",
                query={
                    "seat": seat,
                    "all": all,
                },
                request_id=request_id,
            )
        )
        return answer

    async def make_move(
        self,
        id: str,
        body: t.MoveRequest,
        *,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        version: int,
        idempotency_key: str | None = None,
        request_id: str | None = None,
    ) -> t.MadeMove:
        """Make a move.

        With a seat's token its own; an app moves for any `seat`, or with null as the referee: next_round,
        forfeit, withdraw, rejoin, abort.

        Problems: `not_found`, `expired`, `lost`, `forbidden`, `unknown_card`, `key_reused`,
        `version_required`, `stale_version`, `illegal_move`, `store_unavailable`, `store_unsafe`,
        `store_damaged`, `not_durable`, `undecided`.
        """
        answer: t.MadeMove = await self.send(
            Call(
                "POST",
                f"/v1/games/{quoted(id)}/moves",
                query={
                    "include": include,
                },
                body=body,
                version=version,
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def deal_round(
        self,
        id: str,
        *,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        version: int,
        idempotency_key: str | None = None,
        request_id: str | None = None,
    ) -> t.MadeMove:
        """Deal the next round.

        For apps, once a round is over and the match is not.

        Problems: `not_found`, `expired`, `lost`, `forbidden`, `key_reused`, `version_required`,
        `stale_version`, `illegal_move`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`,
        `undecided`.
        """
        answer: t.MadeMove = await self.send(
            Call(
                "POST",
                f"/v1/games/{quoted(id)}/rounds",
                query={
                    "include": include,
                },
                version=version,
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def time_out_turn(
        self,
        id: str,
        *,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        version: int,
        idempotency_key: str | None = None,
        request_id: str | None = None,
    ) -> t.MadeMove:
        """Take the turn of a seat out of time.

        For apps, once the deadline has passed by the store's clock: the default turn, or the forfeit at the
        limit of misses.

        Problems: `not_found`, `expired`, `lost`, `forbidden`, `key_reused`, `version_required`,
        `stale_version`, `not_due`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`,
        `undecided`.
        """
        answer: t.MadeMove = await self.send(
            Call(
                "POST",
                f"/v1/games/{quoted(id)}/timeouts",
                query={
                    "include": include,
                },
                version=version,
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def replace_seat_token(
        self, id: str, n: int, *, idempotency_key: str | None = None, request_id: str | None = None
    ) -> t.NewToken:
        """Replace a seat's token.

        For apps. The token before it is worth nothing from now on.

        Problems: `not_found`, `expired`, `forbidden`, `key_reused`, `store_unavailable`, `store_unsafe`,
        `store_damaged`, `not_durable`.
        """
        answer: t.NewToken = await self.send(
            Call(
                "POST",
                f"/v1/games/{quoted(id)}/seats/{quoted(n)}/token",
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def replace_spectator_token(
        self, id: str, *, idempotency_key: str | None = None, request_id: str | None = None
    ) -> t.NewSpectatorToken:
        """Replace the spectators' token.

        For apps. The token before it is worth nothing from now on.

        Problems: `not_found`, `expired`, `forbidden`, `key_reused`, `store_unavailable`, `store_unsafe`,
        `store_damaged`, `not_durable`.
        """
        answer: t.NewSpectatorToken = await self.send(
            Call(
                "POST",
                f"/v1/games/{quoted(id)}/spectator/token",
                key=idempotency_key,
                keyed=True,
                request_id=request_id,
            )
        )
        return answer

    async def wait_for_events(
        self,
        id: str,
        *,
        after: int | None = None,
        wait: int | None = None,
        limit: int | None = None,
        seat: int | Literal["referee"] | None = None,
        include: Sequence[Literal["view", "legal_moves", "rules", "views"]] | None = None,
        request_id: str | None = None,
    ) -> t.GameLog:
        """Read the log, or wait for news.

        What happened after a version, as the caller may know it; with `wait`, as soon as something does.

        Problems: `not_found`, `expired`, `lost`, `forbidden`, `store_unavailable`, `store_damaged`.
        """
        answer: t.GameLog = await self.send(
            Call(
                "GET",
                f"/v1/games/{quoted(id)}/events",
                query={
                    "after": after,
                    "wait": wait,
                    "limit": limit,
                    "seat": seat,
                    "include": include,
                },
                request_id=request_id,
            )
        )
        return answer

    async def get_record(self, id: str, *, request_id: str | None = None) -> t.MatchRecord:
        """Open the record of a match.

        Once the match is over, for everyone at the table: all that is needed to replay and verify it.

        Problems: `not_found`, `expired`, `lost`, `forbidden`, `record_not_open`, `store_unavailable`,
        `store_damaged`.
        """
        answer: t.MatchRecord = await self.send(Call("GET", f"/v1/games/{quoted(id)}/record", request_id=request_id))
        return answer

    async def list_rules(self, *, request_id: str | None = None) -> t.AllRules:
        """List the rules of all games.

        Presets, and every field with its type, default, range and sentence.
        """
        answer: t.AllRules = await self.send(Call("GET", "/v1/rules", request_id=request_id))
        return answer

    async def get_rummy_preset(self, preset: t.RummyPreset, *, request_id: str | None = None) -> t.RummyWholePreset:
        """Show one preset of rummy.

        Every field of a preset, in the form in which requests take it as `rules`.

        Problems: `not_found`.
        """
        answer: t.RummyWholePreset = await self.send(
            Call("GET", f"/v1/rules/rummy/{quoted(preset)}", request_id=request_id)
        )
        return answer

    async def get_swoop_preset(self, preset: t.SwoopPreset, *, request_id: str | None = None) -> t.SwoopWholePreset:
        """Show one preset of swoop.

        Every field of a preset, in the form in which requests take it as `rules`.

        Problems: `not_found`.
        """
        answer: t.SwoopWholePreset = await self.send(
            Call("GET", f"/v1/rules/swoop/{quoted(preset)}", request_id=request_id)
        )
        return answer

    async def get_rules_by_hash(self, hash: str, *, request_id: str | None = None) -> t.KnownRules:
        """Show the rules that a hash names.

        The rules of a view that tells them by their `rules_hash` alone: of every game that is kept here, and
        of every preset. They never change, and may be kept by whoever asks.

        Problems: `not_found`, `store_unavailable`, `store_damaged`.
        """
        answer: t.KnownRules = await self.send(Call("GET", f"/v1/rules/by-hash/{quoted(hash)}", request_id=request_id))
        return answer

    async def list_calls(self, *, request_id: str | None = None) -> t.Index:
        """List what there is.

        Every call of this version, the games with their presets, and where all of it is described.
        """
        answer: t.Index = await self.send(Call("GET", "/v1", request_id=request_id))
        return answer

    async def describe_service(self, *, request_id: str | None = None) -> t.Home:
        """What this is, and where it is described.

        As JSON, and as a page for those who accept HTML sooner than JSON.
        """
        answer: t.Home = await self.send(Call("GET", "/", request_id=request_id))
        return answer

    async def check_health(self, *, request_id: str | None = None) -> t.Liveness:
        """Whether the process is alive.

        Whether the process is alive.
        """
        answer: t.Liveness = await self.send(Call("GET", "/healthz", request_id=request_id))
        return answer

    async def check_readiness(self, *, request_id: str | None = None) -> t.Readiness:
        """Whether calls can be served.

        The store takes changes and keeps them. `warnings`: what should be known of it all the same.

        Problems: `store_unavailable`, `store_unsafe`, `store_damaged`.
        """
        answer: t.Readiness = await self.send(Call("GET", "/readyz", request_id=request_id))
        return answer

    async def read_metrics(self, *, request_id: str | None = None) -> str:
        """Metrics for Prometheus.

        Metrics for Prometheus.

        Problems: `store_unavailable`.
        """
        answer: str = await self.send(Call("GET", "/metrics", request_id=request_id, reads="text"))
        return answer

    async def read_specification(self, *, request_id: str | None = None) -> str:
        """This description.

        This description.
        """
        answer: str = await self.send(Call("GET", "/openapi.yaml", request_id=request_id, reads="text"))
        return answer

// The calls of the contract, one method each: made from openapi.yaml, not to be edited (`make clients`).
import type * as t from "./types.js";
import { quoted, type Call } from "./call.js";

/** Every call of the contract; how a call is sent is for a subclass to say. */
export abstract class Calls {
  /** The answer to a call. */
  abstract send(call: Call): Promise<unknown>;

  /**
   * Group a hand.
   *
   * The grouping of 13 cards that leaves the fewest points, proved; of 14 cards, also which one to let go.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  groupHand(body: t.RummyGroupingRequest, given: { requestId?: string } = {}): Promise<t.Grouping> {
    return this.send({ verb: "POST", path: "/v1/rummy/groupings", body, requestId: given.requestId }) as Promise<t.Grouping>;
  }

  /**
   * Group up to 1,000 hands.
   *
   * The order is kept; a wrong hand is answered by a problem in its place, the rest are grouped.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  groupHands(body: t.RummyBatchRequest, given: { requestId?: string } = {}): Promise<t.Batch> {
    return this.send({ verb: "POST", path: "/v1/rummy/groupings/batch", body, requestId: given.requestId }) as Promise<t.Batch>;
  }

  /**
   * Judge a declaration.
   *
   * Groups are judged as sent. Wrong totals are faults of the declaration, not of the request.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`, `undecided`.
   */
  judgeDeclaration(body: t.RummyDeclarationRequest, given: { requestId?: string } = {}): Promise<t.Declaration> {
    return this.send({ verb: "POST", path: "/v1/rummy/declarations", body, requestId: given.requestId }) as Promise<t.Declaration>;
  }

  /**
   * Score a round.
   *
   * Losers still in pay for what the best grouping of their hand leaves loose, by the rules of scoring, even where the hand could have been declared.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`, `undecided`.
   */
  scoreRummyRound(body: t.RummyScoreRequest, given: { requestId?: string } = {}): Promise<t.Scores> {
    return this.send({ verb: "POST", path: "/v1/rummy/scores", body, requestId: given.requestId }) as Promise<t.Scores>;
  }

  /**
   * Settle a match round by round.
   *
   * For apps that play the rounds themselves: who is in and who is out, who may come back, what is dealt next, and in the end who gets what, in pools, deals and matches of a number of rounds.
   *
   * Problems: `unknown_rules`.
   */
  settleMatch(body: t.SettlementRequest, given: { requestId?: string } = {}): Promise<t.Settlement> {
    return this.send({ verb: "POST", path: "/v1/rummy/settlements", body, requestId: given.requestId }) as Promise<t.Settlement>;
  }

  /**
   * Draw a hand as it is grouped best.
   *
   * The answer of `groupHand` as a picture without scripts: groups, what wildcards stand for, loose cards, points.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  drawGrouping(given: { hand: string; wild_rank: string; rules?: string; requestId?: string }): Promise<string> {
    return this.send({ verb: "GET", path: "/v1/rummy/groupings.svg", query: { hand: given.hand, wild_rank: given.wild_rank, rules: given.rules }, requestId: given.requestId, reads: "text" }) as Promise<string>;
  }

  /**
   * Draw a hand as it is grouped best, in dots.
   *
   * The picture of `drawGrouping` as PNG, two dots for each of its units. It costs as much as 50 hands.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  drawGroupingAsPng(given: { hand: string; wild_rank: string; rules?: string; requestId?: string }): Promise<Uint8Array> {
    return this.send({ verb: "GET", path: "/v1/rummy/groupings.png", query: { hand: given.hand, wild_rank: given.wild_rank, rules: given.rules }, requestId: given.requestId, reads: "bytes" }) as Promise<Uint8Array>;
  }

  /**
   * Judge a play.
   *
   * Whether cards may be played and what that does to the table; how the table came about is not asked.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  judgePlay(body: t.SwoopPlayRequest, given: { requestId?: string } = {}): Promise<t.SwoopJudgedPlay> {
    return this.send({ verb: "POST", path: "/v1/swoop/plays", body, requestId: given.requestId }) as Promise<t.SwoopJudgedPlay>;
  }

  /**
   * Score a round.
   *
   * Score a round.
   *
   * Problems: `unknown_rules`, `unknown_card`, `impossible_hand`.
   */
  scoreSwoopRound(body: t.SwoopScoreRequest, given: { requestId?: string } = {}): Promise<t.SwoopScores> {
    return this.send({ verb: "POST", path: "/v1/swoop/scores", body, requestId: given.requestId }) as Promise<t.SwoopScores>;
  }

  /**
   * Deal a match.
   *
   * Deal a match.
   *
   * Problems: `unknown_rules`, `too_few_cards`.
   */
  dealRummy(body: t.RummyDealRequest, given: { requestId?: string } = {}): Promise<t.RummyDeal> {
    return this.send({ verb: "POST", path: "/v1/rummy/deals", body, requestId: given.requestId }) as Promise<t.RummyDeal>;
  }

  /**
   * Make a move.
   *
   * A seat's move, or with seat null one of the referee: next_round, forfeit, withdraw, rejoin, abort.
   *
   * Problems: `corrupt_state`, `unknown_card`, `illegal_move`, `undecided`.
   */
  applyRummyMove(body: t.RummyTransitionRequest, given: { requestId?: string } = {}): Promise<t.RummyTransition> {
    return this.send({ verb: "POST", path: "/v1/rummy/transitions", body, requestId: given.requestId }) as Promise<t.RummyTransition>;
  }

  /**
   * List the legal moves of a seat.
   *
   * In rummy a declare for each card whose fold wins. In swoop one play for each rank and number of cards, from the hand first and then guards; `all` asks for every distinct one.
   *
   * Problems: `corrupt_state`, `undecided`.
   */
  listRummyMoves(body: t.RummyMovesRequest, given: { requestId?: string } = {}): Promise<t.RummyMoves> {
    return this.send({ verb: "POST", path: "/v1/rummy/legal-moves", body, requestId: given.requestId }) as Promise<t.RummyMoves>;
  }

  /**
   * Show what a seat may know.
   *
   * Show what a seat may know.
   *
   * Problems: `corrupt_state`.
   */
  viewRummy(body: t.RummySeatRequest, given: { requestId?: string } = {}): Promise<t.RummySeenState> {
    return this.send({ verb: "POST", path: "/v1/rummy/views", body, requestId: given.requestId }) as Promise<t.RummySeenState>;
  }

  /**
   * Deal a match.
   *
   * Deal a match.
   *
   * Problems: `unknown_rules`, `too_few_cards`.
   */
  dealSwoop(body: t.SwoopDealRequest, given: { requestId?: string } = {}): Promise<t.SwoopDeal> {
    return this.send({ verb: "POST", path: "/v1/swoop/deals", body, requestId: given.requestId }) as Promise<t.SwoopDeal>;
  }

  /**
   * Make a move.
   *
   * A seat's move, or with seat null one of the referee: next_round, forfeit, withdraw, rejoin, abort.
   *
   * Problems: `corrupt_state`, `unknown_card`, `illegal_move`, `undecided`.
   */
  applySwoopMove(body: t.SwoopTransitionRequest, given: { requestId?: string } = {}): Promise<t.SwoopTransition> {
    return this.send({ verb: "POST", path: "/v1/swoop/transitions", body, requestId: given.requestId }) as Promise<t.SwoopTransition>;
  }

  /**
   * List the legal moves of a seat.
   *
   * In rummy a declare for each card whose fold wins. In swoop one play for each rank and number of cards, from the hand first and then guards; `all` asks for every distinct one.
   *
   * Problems: `corrupt_state`, `undecided`.
   */
  listSwoopMoves(body: t.SwoopMovesRequest, given: { requestId?: string } = {}): Promise<t.SwoopMoves> {
    return this.send({ verb: "POST", path: "/v1/swoop/legal-moves", body, requestId: given.requestId }) as Promise<t.SwoopMoves>;
  }

  /**
   * Show what a seat may know.
   *
   * Show what a seat may know.
   *
   * Problems: `corrupt_state`.
   */
  viewSwoop(body: t.SwoopSeatRequest, given: { requestId?: string } = {}): Promise<t.SwoopSeenState> {
    return this.send({ verb: "POST", path: "/v1/swoop/views", body, requestId: given.requestId }) as Promise<t.SwoopSeenState>;
  }

  /**
   * Create a game.
   *
   * The service deals and keeps the game. The tokens are told here and never again, but to a repeat of the same call with the same app key.
   *
   * Problems: `unknown_rules`, `too_few_cards`, `key_reused`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`.
   */
  createGame(body: t.CreateRequest, given: { include?: ("view" | "legal_moves" | "rules" | "views")[]; idempotencyKey?: string; requestId?: string } = {}): Promise<t.CreatedGame> {
    return this.send({ verb: "POST", path: "/v1/games", query: { include: given.include }, body, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.CreatedGame>;
  }

  /**
   * List the caller's games.
   *
   * Newest first; `after` leads to the next page.
   *
   * Problems: `store_unavailable`, `store_damaged`.
   */
  listGames(given: { status?: "live" | "over"; after?: string; limit?: number; requestId?: string } = {}): Promise<t.GameList> {
    return this.send({ verb: "GET", path: "/v1/games", query: { status: given.status, after: given.after, limit: given.limit }, requestId: given.requestId }) as Promise<t.GameList>;
  }

  /**
   * Show a game.
   *
   * With a seat's token as that seat sees it, with a spectator's as spectators do; an app chooses by `seat`.
   *
   * Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`.
   */
  getGame(id: string, given: { seat?: number | "referee"; include?: ("view" | "legal_moves" | "rules" | "views")[]; requestId?: string } = {}): Promise<t.ShownGame> {
    return this.send({ verb: "GET", path: `/v1/games/${quoted(id)}`, query: { seat: given.seat, include: given.include }, requestId: given.requestId }) as Promise<t.ShownGame>;
  }

  /**
   * Delete a game.
   *
   * For apps: the game, its tokens, its log and its record.
   *
   * Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`.
   */
  deleteGame(id: string, given: { requestId?: string } = {}): Promise<void> {
    return this.send({ verb: "DELETE", path: `/v1/games/${quoted(id)}`, requestId: given.requestId }) as Promise<void>;
  }

  /**
   * List the legal moves of a seat.
   *
   * With a seat's token its own; for an app those of `seat`, or of the seat to move. In swoop one play for each rank and number of cards, unless `all` asks for more.
   *
   * Problems: `not_found`, `expired`, `forbidden`, `store_unavailable`, `store_damaged`, `undecided`.
   */
  listLegalMoves(id: string, given: { seat?: number | "referee"; all?: boolean; requestId?: string } = {}): Promise<t.ListedMoves> {
    return this.send({ verb: "GET", path: `/v1/games/${quoted(id)}/legal-moves`, query: { seat: given.seat, all: given.all }, requestId: given.requestId }) as Promise<t.ListedMoves>;
  }

  /**
   * Make a move.
   *
   * With a seat's token its own; an app moves for any `seat`, or with null as the referee: next_round, forfeit, withdraw, rejoin, abort.
   *
   * Problems: `not_found`, `expired`, `lost`, `forbidden`, `unknown_card`, `key_reused`, `version_required`, `stale_version`, `illegal_move`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`, `undecided`.
   */
  makeMove(id: string, body: t.MoveRequest, given: { include?: ("view" | "legal_moves" | "rules" | "views")[]; version: number; idempotencyKey?: string; requestId?: string }): Promise<t.MadeMove> {
    return this.send({ verb: "POST", path: `/v1/games/${quoted(id)}/moves`, query: { include: given.include }, body, version: given.version, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.MadeMove>;
  }

  /**
   * Deal the next round.
   *
   * For apps, once a round is over and the match is not.
   *
   * Problems: `not_found`, `expired`, `lost`, `forbidden`, `key_reused`, `version_required`, `stale_version`, `illegal_move`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`, `undecided`.
   */
  dealRound(id: string, given: { include?: ("view" | "legal_moves" | "rules" | "views")[]; version: number; idempotencyKey?: string; requestId?: string }): Promise<t.MadeMove> {
    return this.send({ verb: "POST", path: `/v1/games/${quoted(id)}/rounds`, query: { include: given.include }, version: given.version, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.MadeMove>;
  }

  /**
   * Take the turn of a seat out of time.
   *
   * For apps, once the deadline has passed by the store's clock: the default turn, or the forfeit at the limit of misses.
   *
   * Problems: `not_found`, `expired`, `lost`, `forbidden`, `key_reused`, `version_required`, `stale_version`, `not_due`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`, `undecided`.
   */
  timeOutTurn(id: string, given: { include?: ("view" | "legal_moves" | "rules" | "views")[]; version: number; idempotencyKey?: string; requestId?: string }): Promise<t.MadeMove> {
    return this.send({ verb: "POST", path: `/v1/games/${quoted(id)}/timeouts`, query: { include: given.include }, version: given.version, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.MadeMove>;
  }

  /**
   * Replace a seat's token.
   *
   * For apps. The token before it is worth nothing from now on.
   *
   * Problems: `not_found`, `expired`, `forbidden`, `key_reused`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`.
   */
  replaceSeatToken(id: string, n: number, given: { idempotencyKey?: string; requestId?: string } = {}): Promise<t.NewToken> {
    return this.send({ verb: "POST", path: `/v1/games/${quoted(id)}/seats/${quoted(n)}/token`, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.NewToken>;
  }

  /**
   * Replace the spectators' token.
   *
   * For apps. The token before it is worth nothing from now on.
   *
   * Problems: `not_found`, `expired`, `forbidden`, `key_reused`, `store_unavailable`, `store_unsafe`, `store_damaged`, `not_durable`.
   */
  replaceSpectatorToken(id: string, given: { idempotencyKey?: string; requestId?: string } = {}): Promise<t.NewSpectatorToken> {
    return this.send({ verb: "POST", path: `/v1/games/${quoted(id)}/spectator/token`, key: given.idempotencyKey, keyed: true, requestId: given.requestId }) as Promise<t.NewSpectatorToken>;
  }

  /**
   * Read the log, or wait for news.
   *
   * What happened after a version, as the caller may know it; with `wait`, as soon as something does.
   *
   * Problems: `not_found`, `expired`, `lost`, `forbidden`, `store_unavailable`, `store_damaged`.
   */
  waitForEvents(id: string, given: { after?: number; wait?: number; limit?: number; seat?: number | "referee"; include?: ("view" | "legal_moves" | "rules" | "views")[]; requestId?: string } = {}): Promise<t.GameLog> {
    return this.send({ verb: "GET", path: `/v1/games/${quoted(id)}/events`, query: { after: given.after, wait: given.wait, limit: given.limit, seat: given.seat, include: given.include }, requestId: given.requestId }) as Promise<t.GameLog>;
  }

  /**
   * Open the record of a match.
   *
   * Once the match is over, for everyone at the table: all that is needed to replay and verify it.
   *
   * Problems: `not_found`, `expired`, `lost`, `forbidden`, `record_not_open`, `store_unavailable`, `store_damaged`.
   */
  getRecord(id: string, given: { requestId?: string } = {}): Promise<t.MatchRecord> {
    return this.send({ verb: "GET", path: `/v1/games/${quoted(id)}/record`, requestId: given.requestId }) as Promise<t.MatchRecord>;
  }

  /**
   * List the rules of all games.
   *
   * Presets, and every field with its type, default, range and sentence.
   */
  listRules(given: { requestId?: string } = {}): Promise<t.AllRules> {
    return this.send({ verb: "GET", path: "/v1/rules", requestId: given.requestId }) as Promise<t.AllRules>;
  }

  /**
   * Show one preset of rummy.
   *
   * Every field of a preset, in the form in which requests take it as `rules`.
   *
   * Problems: `not_found`.
   */
  getRummyPreset(preset: t.RummyPreset, given: { requestId?: string } = {}): Promise<t.RummyWholePreset> {
    return this.send({ verb: "GET", path: `/v1/rules/rummy/${quoted(preset)}`, requestId: given.requestId }) as Promise<t.RummyWholePreset>;
  }

  /**
   * Show one preset of swoop.
   *
   * Every field of a preset, in the form in which requests take it as `rules`.
   *
   * Problems: `not_found`.
   */
  getSwoopPreset(preset: t.SwoopPreset, given: { requestId?: string } = {}): Promise<t.SwoopWholePreset> {
    return this.send({ verb: "GET", path: `/v1/rules/swoop/${quoted(preset)}`, requestId: given.requestId }) as Promise<t.SwoopWholePreset>;
  }

  /**
   * Show the rules that a hash names.
   *
   * The rules of a view that tells them by their `rules_hash` alone: of every game that is kept here, and of every preset. They never change, and may be kept by whoever asks.
   *
   * Problems: `not_found`, `store_unavailable`, `store_damaged`.
   */
  getRulesByHash(hash: string, given: { requestId?: string } = {}): Promise<t.KnownRules> {
    return this.send({ verb: "GET", path: `/v1/rules/by-hash/${quoted(hash)}`, requestId: given.requestId }) as Promise<t.KnownRules>;
  }

  /**
   * List what there is.
   *
   * Every call of this version, the games with their presets, and where all of it is described.
   */
  listCalls(given: { requestId?: string } = {}): Promise<t.Index> {
    return this.send({ verb: "GET", path: "/v1", requestId: given.requestId }) as Promise<t.Index>;
  }

  /**
   * What this is, and where it is described.
   *
   * As JSON, and as a page for those who accept HTML sooner than JSON.
   */
  describeService(given: { requestId?: string } = {}): Promise<t.Home> {
    return this.send({ verb: "GET", path: "/", requestId: given.requestId }) as Promise<t.Home>;
  }

  /**
   * Whether the process is alive.
   *
   * Whether the process is alive.
   */
  checkHealth(given: { requestId?: string } = {}): Promise<t.Liveness> {
    return this.send({ verb: "GET", path: "/healthz", requestId: given.requestId }) as Promise<t.Liveness>;
  }

  /**
   * Whether calls can be served.
   *
   * The store takes changes and keeps them. `warnings`: what should be known of it all the same.
   *
   * Problems: `store_unavailable`, `store_unsafe`, `store_damaged`.
   */
  checkReadiness(given: { requestId?: string } = {}): Promise<t.Readiness> {
    return this.send({ verb: "GET", path: "/readyz", requestId: given.requestId }) as Promise<t.Readiness>;
  }

  /**
   * Metrics for Prometheus.
   *
   * Metrics for Prometheus.
   *
   * Problems: `store_unavailable`.
   */
  readMetrics(given: { requestId?: string } = {}): Promise<string> {
    return this.send({ verb: "GET", path: "/metrics", requestId: given.requestId, reads: "text" }) as Promise<string>;
  }

  /**
   * This description.
   *
   * This description.
   */
  readSpecification(given: { requestId?: string } = {}): Promise<string> {
    return this.send({ verb: "GET", path: "/openapi.yaml", requestId: given.requestId, reads: "text" }) as Promise<string>;
  }
}

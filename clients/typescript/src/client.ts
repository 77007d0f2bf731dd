import { type Call, headers, parameters } from "./call.js";
import { Calls } from "./calls.js";
import { refusal, StaleVersion, Unanswered } from "./errors.js";
import { isOver, type LoggedEvent, type Position, position } from "./positions.js";
import { mayHelp, pause, sleep } from "./retrying.js";
import type * as t from "./types.js";

const WAIT = 20; // seconds that one look at the log may wait: the most there is
const ANSWER = 10; // seconds to wait for an answer beyond that

export interface Options {
  /** For how many seconds a call is sent again that gets no answer, or one that says "later": 30. */
  patience?: number;
  /** Ends whatever is under way, for instance when a page is left. */
  signal?: AbortSignal;
  /** Another fetch than the platform's. */
  fetch?: typeof fetch;
}

/** The service at `url`, as one caller meets it: an app by its key, a player or spectator by the token, in open mode the app by null.
 *
 *  A call that gets no answer, or one that says "later", is sent again for `patience` seconds, each time with the same
 *  `Idempotency-Key`: it is carried out once. */
export class Cardref extends Calls {
  readonly url: string;

  constructor(url: string, readonly token: string | null = null, readonly options: Options = {}) {
    super();
    this.url = new URL(url).href.replace(/\/+$/, "");
  }

  /** The same service for another caller. */
  asCaller(token: string | null): Cardref {
    return new Cardref(this.url, token, this.options);
  }

  /** The answer to a call. Throws Refused (StaleVersion, Illegal), or Unanswered where patience ended without an answer. */
  async send(call: Call): Promise<unknown> {
    const { patience = 30 } = this.options;
    const sent = headers(call, this.token);
    const until = performance.now() + patience * 1000;
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.#attempt(call, sent);
      if (answer instanceof Unanswered) {
        await this.#pause(answer, attempts, null, until);
        continue;
      }
      const { status, bytes, retryAfter } = answer;
      if (status < 300 && call.reads === "bytes") return bytes;
      const text = new TextDecoder().decode(bytes);
      if (status < 300) return call.reads === "text" ? text : text === "" ? undefined : JSON.parse(text);
      if (status === 404 && call.verb === "DELETE" && attempts > 1) return undefined; // done by an attempt whose answer was lost
      const fault = refusal(status, text, sent["Idempotency-Key"]);
      if (!mayHelp(status, fault.code)) throw fault;
      await this.#pause(fault, attempts, retryAfter, until);
    }
  }

  /** Each position that follows a version, as it comes about, the one there is first; until the match is over. What happened while
   *  nobody looked comes as one. An app sees with the eyes of a `seat`, or else as a spectator does, with the moves of whoever is to move.
   *
   *  The version may be lower than before where a store has lost the end of a game: it is the game's. Throws what `send` does; a
   *  service that is restarted meanwhile is waited for. */
  async *watch(id: string, given: { after?: number; seat?: number } = {}): AsyncGenerator<Position, void, void> {
    let reached = await this.#next(id, given.after ?? 0, given.seat, 0); // a match that is over has no news
    yield reached;
    while (!isOver(reached)) {
      reached = await this.#next(id, reached.version, given.seat);
      yield reached;
    }
  }

  /** The events after a version as the caller may know them, one by one as they happen, until the match is over. */
  async *follow(id: string, given: { after?: number } = {}): AsyncGenerator<LoggedEvent, void, void> {
    for await (const { events } of this.watch(id, given)) yield* events;
  }

  /** Play the seat whose token this is: `choose` is given each position in which it is to move, and says what it does. Answers the
   *  last position of the match.
   *
   *  A move that comes too late (412) is not made: the game is looked at again. Throws Illegal for one that the rules forbid. */
  async play(id: string, choose: (position: Position) => t.Move | Promise<t.Move>): Promise<Position> {
    let reached = await this.#look(id);
    while (!isOver(reached)) {
      const moves = reached.moves ?? (await this.listLegalMoves(id)).moves;
      if (moves.length === 0) {
        reached = await this.#next(id, reached.version);
        continue;
      }
      const move = await choose({ ...reached, moves });
      try {
        const made = await this.makeMove(id, { move }, { version: reached.version, include: ["view", "legal_moves"] });
        reached = position(made) ?? (await this.#look(id));
      } catch (fault) {
        if (!(fault instanceof StaleVersion)) throw fault;
        reached = await this.#look(id);
      }
    }
    return reached;
  }

  /** The game as it is now. */
  async #look(id: string): Promise<Position> {
    const reached = position(await this.getGame(id, { include: ["view", "legal_moves"] }));
    if (reached === null) throw new TypeError("asked for its view, the service did not tell it");
    return reached;
  }

  /** The position after a version, as soon as there is one, or the last of the match. */
  async #next(id: string, after: number, seat?: number, wait = WAIT): Promise<Position> {
    const include: ("view" | "legal_moves")[] = ["view"];
    if (!this.token?.startsWith("spectator.")) include.push("legal_moves"); // spectators have none
    const events: LoggedEvent[] = [];
    for (;;) {
      const asked = performance.now();
      const log = await this.waitForEvents(id, { after, wait, include, ...(seat !== undefined && { seat }) });
      events.push(...log.events);
      const reached = position(log, events);
      if (reached === null) after = log.version; // a part of a long log
      else if (events.length > 0 || reached.version !== after || isOver(reached)) return reached;
      else if (wait && performance.now() - asked < 1000) await sleep(1, this.options.signal); // too many are waiting, so that this call could not
      else wait = WAIT;
    }
  }

  /** One attempt: the answer, or that there was none. */
  async #attempt(call: Call, sent: Record<string, string>): Promise<Answer | Unanswered> {
    const { signal, fetch: ask = fetch } = this.options;
    const limit = AbortSignal.timeout((ANSWER + Number(call.query?.["wait"] ?? 0)) * 1000);
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    try {
      const given = { method: call.verb, headers: sent, body, signal: signal ? AbortSignal.any([signal, limit]) : limit };
      const answer = await ask(this.url + call.path + parameters(call), given);
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()), retryAfter: answer.headers.get("Retry-After") };
    } catch (broken) {
      signal?.throwIfAborted();
      return new Unanswered(`${call.verb} ${call.path}: ${broken}`, sent["Idempotency-Key"], broken);
    }
  }

  /** Wait before the next attempt; throws the fault where there is no time for one. */
  async #pause(fault: Error, attempts: number, retryAfter: string | null, until: number): Promise<void> {
    const seconds = pause(attempts, retryAfter, (until - performance.now()) / 1000);
    if (seconds === null) throw fault;
    await sleep(seconds, this.options.signal);
  }
}

interface Answer {
  status: number;
  bytes: Uint8Array;
  retryAfter: string | null;
}

// A record: how it is read, and the positions that the service makes of its seed and its moves, by the calls that store nothing.
import { get, post } from "./api.js";

/** A record from its text. Throws an Error that says why it is none. */
export function readRecord(text) {
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    throw new Error("This is no JSON.");
  }
  record = record?.record ?? record;
  const lacks = ["game", "rules", "seed", "commitment", "seats", "deal", "moves"].filter((name) => record?.[name] === undefined);
  if (lacks.length) throw new Error(`This is no record of a match: it lacks ${lacks.join(", ")}. GET /v1/games/{id}/record gives one once a match is over.`);
  if (!["rummy", "swoop"].includes(record.game)) throw new Error(`There is no game “${String(record.game).slice(0, 30)}”.`);
  const shaped = [record.seats, record.deal, record.moves, ...record.moves.map((move) => move.events)].every(Array.isArray) && /^[0-9a-f]{64}$/.test(record.seed);
  if (!shaped) throw new Error("This record is damaged: seats, deal, moves and their events are lists, the seed 64 digits 0-9 a-f.");
  return { starter: null, ...record };
}

/** The record of a game that is kept here. `place`: its id, or an address that has it. */
export function fetchRecord(place, token) {
  return get(`/v1/games/${encodeURIComponent(idOf(place))}/record`, { token }).then((found) => readRecord(JSON.stringify(found)));
}

export const idOf = (place) => /\/games\/([^/?#]+)/.exec(place)?.[1] ?? place.trim();

/** The first place at which what the record says is not what the service makes of it; older records say less, never otherwise. */
export function difference(recorded, made, at) {
  if (recorded === null || typeof recorded !== "object") return recorded === made ? null : { at, recorded, made };
  if (Array.isArray(recorded) && recorded.length !== made?.length) return { at, recorded, made };
  for (const name of Object.keys(recorded)) {
    const found = difference(recorded[name], made?.[name], `${at}/${name}`);
    if (found) return found;
  }
  return null;
}

/** The positions of a record: 0 is the deal, n the one after n moves. They come one after the other. */
export class Positions {
  constructor(record) {
    this.record = record;
    this.states = [];
    this.views = new Map();
    this.differs = null;
    this.stopped = null;
    this.ended = false;
  }

  get count() {
    return this.record.moves.length + 1;
  }

  /** Ask for all positions, in order; `came` is called after each. Ends by itself at a move that the service refuses. */
  async load(came) {
    const { record } = this;
    const base = `/v1/${record.game}`;
    try {
      const dealt = await post(`${base}/deals`, { seats: record.seats.length, rules: record.rules, seed: record.seed, starter: record.starter });
      this.compare(record.deal, dealt.events, "/deal");
      // Rules from before an option existed lack it, and mean what was done then: as the record has them
      this.take({ ...dealt.state, rules: record.rules, rules_hash: record.rules_hash ?? dealt.state.rules_hash }, came);
      for (const [at, step] of record.moves.entries()) {
        if (this.ended) return;
        const made = await post(`${base}/transitions`, { state: this.states[at], seat: step.seat, move: step.move });
        this.compare(step.events, made.events, `/moves/${at}/events`);
        if (at === record.moves.length - 1) {
          this.compare(record.outcome, made.outcome, "/outcome");
          if (record.totals) this.compare(record.totals, made.state.totals, "/totals");
        }
        this.take(made.state, came);
      }
    } catch (fault) {
      this.stopped = fault;
      came();
    }
  }

  take(state, came) {
    this.states.push(state);
    came();
  }

  compare(recorded, made, at) {
    this.differs ??= difference(recorded, made, at);
  }

  /** What a seat, or a spectator (null), sees at a position. */
  async view(at, seat) {
    const name = `${at} ${seat}`;
    if (!this.views.has(name)) {
      const answer = await post(`/v1/${this.record.game}/views`, { state: this.states[at], seat });
      this.views.set(name, answer.view);
    }
    return this.views.get(name);
  }

  /** How many decks and printed jokers are in play: what all zones of the first position hold together. */
  deck() {
    const faces = JSON.stringify(this.states[0], (name, value) => (["rules", "last_round", "taken"].includes(name) ? undefined : value)).match(/"(?:AS|JK)"/g) ?? [];
    return { decks: faces.filter((face) => face === '"AS"').length, jokers: faces.filter((face) => face === '"JK"').length };
  }
}

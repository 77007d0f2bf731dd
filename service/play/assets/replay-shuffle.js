// The shuffles of a record, done again in this browser from its seed, by docs/fairness.md alone: nothing here asks the service.
import { order, RANKS, SUITS, without } from "./cards.js";

const TWO_TO_32 = 2 ** 32;

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const commitmentOf = async (seed) => hexOf(await crypto.subtle.digest("SHA-256", bytesOf(seed)));

/** Endless 32-bit numbers: block n is HMAC-SHA-256(seed, "label/n"), read as eight big-endian words. */
async function* words(seed, label) {
  const key = await crypto.subtle.importKey("raw", bytesOf(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let block = 0; ; block += 1) {
    const digest = new DataView(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${label}/${block}`)));
    for (let at = 0; at < digest.byteLength; at += 4) yield digest.getUint32(at);
  }
}

/** A number below m; words from the highest multiple of m on are passed over, so that none is likelier. */
async function below(m, source) {
  const limit = TWO_TO_32 - (TWO_TO_32 % m);
  for (;;) {
    const { value } = await source.next();
    if (value < limit) return value % m;
  }
}

export async function shuffle(seed, label, cards) {
  const list = [...cards];
  const source = words(seed, label);
  for (let last = list.length - 1; last >= 1; last -= 1) {
    const drawn = await below(last + 1, source);
    [list[last], list[drawn]] = [list[drawn], list[last]];
  }
  return list;
}

/** The unshuffled deck. */
const deckOf = ({ decks, jokers }) => [...Array(decks).fill(SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit))).flat(), ...Array(jokers).fill("JK")];
const inOrder = (cards) => [...cards].sort((one, other) => order(one) - order(other));

class Wrong extends Error {}

function demand(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Wrong(`${what}: the record says ${said(found)}, the seed makes it ${said(wanted)}.`);
}

const said = (value) => (Array.isArray(value) ? (value.length ? value.map((each) => (Array.isArray(each) ? `(${each.join(" ")})` : each)).join(" ") : "nothing") : String(value));

/** What both games have: the seed, and how many shuffles there were. */
class Table {
  constructor(record, deck) {
    this.record = record;
    this.deck = deckOf(deck);
    this.shuffles = 0;
    this.starter = null;
  }

  shuffled(cards) {
    const label = `${this.record.game}/${this.shuffles}`;
    this.shuffles += 1;
    return shuffle(this.record.seed, label, cards);
  }

  /** Who starts: drawn or given in the first round, then the next seat that is dealt to. */
  async checkStarter(event, dealtTo) {
    const { record } = this;
    const seats = record.seats.length;
    let wanted = record.starter;
    if (this.starter !== null) wanted = [...dealtTo].sort((one, other) => ((one - this.starter - 1 + seats) % seats) - ((other - this.starter - 1 + seats) % seats))[0];
    else if (wanted === null) wanted = await below(seats, words(record.seed, `${record.game}/starter`));
    demand(event.starter, wanted, "who starts");
    this.starter = event.starter;
  }

  /** The cards from the top that each seat gets, one at a time, the starter first. */
  fromTop(cards, dealtTo, each) {
    const seats = this.record.seats.length;
    const playing = [...dealtTo].sort((one, other) => ((one - this.starter + seats) % seats) - ((other - this.starter + seats) % seats));
    const top = cards.splice(cards.length - each * playing.length).reverse();
    return new Map(playing.map((seat, place) => [seat, top.filter((_, at) => at % playing.length === place)]));
  }
}

class Rummy extends Table {
  async dealt(event) {
    const dealtTo = event.hands.flatMap((hand, seat) => (hand.length ? [seat] : []));
    await this.checkStarter(event, dealtTo);
    const stock = await this.shuffled(this.deck);
    const hands = this.fromTop(stock, dealtTo, 13);
    for (const [seat, hand] of hands) demand(event.hands[seat], hand, `the hand of seat ${seat}`);
    if (this.record.rules.exposed_joker === "redraw" && stock.some((card) => card !== "JK")) while (stock.at(-1) === "JK") stock.unshift(stock.pop());
    demand(event.wild_card, stock.pop(), "the wild card");
    demand(event.discard, stock.at(-1), "the first discard");
    Object.assign(this, { discard: [stock.pop()], stock, hands, turns: new Map(), playing: true });
  }

  async reshuffled(event) {
    const top = this.discard.pop();
    demand(event.count, this.discard.length, "how many cards were shuffled again");
    this.stock = await this.shuffled(this.discard);
    this.discard = [top];
  }

  drew(event) {
    const card = event.from === "stock" ? this.stock.pop() : this.discard.pop();
    demand(event.card, card, `the card that seat ${event.seat} drew from the ${event.from === "stock" ? "stock" : "discard pile"}`);
    this.hands.get(event.seat).push(card);
    this.turns.set(event.seat, 1);
  }

  discarded(event) {
    this.hands.set(event.seat, without(this.hands.get(event.seat), [event.card]));
    this.discard.push(event.card);
  }

  packed(event) {
    return this.left(event.seat);
  }

  forfeited(event) {
    return this.left(event.seat);
  }

  withdrawn(event) {
    return this.left(event.seat);
  }

  penalised(event) {
    this.hands.set(event.seat, []);
  }

  round_scored() {
    this.playing = false;
  }

  /** Who leaves before the end of the first turn puts the hand under the stock, shuffled, where the rules say so. */
  async left(seat) {
    const hand = this.hands.get(seat) ?? [];
    if (!this.playing || !hand.length) return;
    this.hands.set(seat, []);
    if (!this.turns.has(seat) && this.record.rules.first_pack_under_stock !== false) this.stock.unshift(...(await this.shuffled(inOrder(hand))));
  }
}

class Swoop extends Table {
  async dealt(event) {
    const { hand_size: size, stacks } = this.record.rules;
    const dealtTo = event.hands.flatMap((hand, seat) => (hand.length || event.guards[seat].length ? [seat] : []));
    await this.checkStarter(event, dealtTo);
    const laid = this.fromTop(await this.shuffled(this.deck), dealtTo, size + 2 * stacks);
    this.secrets = new Map();
    for (const [seat, cards] of laid) {
      demand(event.hands[seat], inOrder(cards.slice(0, size)), `the hand of seat ${seat}`);
      demand(event.guards[seat], cards.slice(size + stacks), `the guards of seat ${seat}`);
      this.secrets.set(seat, cards.slice(size, size + stacks));
    }
  }

  flipped(event) {
    demand(event.card, this.secrets.get(event.seat)[event.slot], `the secret that seat ${event.seat} turned up`);
  }
}

const FOLLOWED = new Set(["dealt", "reshuffled", "drew", "discarded", "packed", "forfeited", "withdrawn", "penalised", "round_scored", "flipped"]);
const TOLD_BY_THE_SEED = new Set(["dealt", "reshuffled", "drew", "flipped"]);

/**
 * Check a record. `deck`: how many decks and jokers are in play. Gives {ok, steps: [{title, ok, detail, at}], shuffles}; `at` is the
 * number of the position behind the failing event, 0 being the deal. It ends at the first step that fails.
 */
export async function checkShuffles(record, deck) {
  const steps = [];
  const found = await commitmentOf(record.seed);
  const bound = found === record.commitment;
  steps.push({ title: "Commitment", ok: bound, at: 0, detail: bound ? "The seed is the one that was committed to before the deal." : `The seed's SHA-256 is ${found}, but the record's commitment is ${record.commitment}.` });
  if (!bound) return { ok: false, steps, shuffles: 0 };
  const table = record.game === "rummy" ? new Rummy(record, deck) : new Swoop(record, deck);
  const positions = [record.deal, ...record.moves.map((move) => move.events)];
  let round = null;
  for (const [at, events] of positions.entries()) {
    for (const event of events) {
      if (event.type === "dealt") steps.push((round = { title: `Round ${event.round}`, ok: true, at, detail: "", checks: 0, from: table.shuffles }));
      try {
        if (FOLLOWED.has(event.type)) await table[event.type]?.(event);
      } catch (fault) {
        if (!(fault instanceof Wrong)) throw new Error(`The record cannot be followed at its event ${event.type}, position ${at}.`);
        Object.assign(round, { ok: false, at, detail: `${at ? `Move ${at}` : "The deal"}: ${fault.message}` });
        return { ok: false, steps, shuffles: table.shuffles };
      }
      if (TOLD_BY_THE_SEED.has(event.type)) round.checks += 1;
      const labels = table.shuffles - round.from;
      round.detail = `${labels === 1 ? "1 shuffle" : `${labels} shuffles`}, ${round.checks === 1 ? "1 event" : `${round.checks} events`} as the seed makes them.`;
    }
  }
  return { ok: true, steps, shuffles: table.shuffles };
}

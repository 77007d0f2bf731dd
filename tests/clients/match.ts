// A whole hosted match by the client that openapi-typescript makes of openapi.yaml: node match.js URL APP_KEY GAME
import createClient from "openapi-fetch";
import type { components, paths } from "./cardref.js";

type Schemas = components["schemas"];
type Answer<T> = { data?: T; error?: Schemas["Problem"]; response: Response };
type Seen = Schemas["RummyView"] | Schemas["SwoopView"];

const [url = "", key = "", game = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url });
const app = { Authorization: `Bearer ${key}` };
const counted = { made: 0, retried: 0, stale: 0, illegal: 0, events: 0 };

class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

// The answer to a call. 503: the same call again, by the same Idempotency-Key, when `Retry-After` says so.
async function answered<T>(call: () => Promise<Answer<T>>): Promise<T> {
  for (;;) {
    const { data, error, response } = await call();
    if (data !== undefined) return data;
    if (error === undefined) throw new Error(`${response.status} without a problem`);
    if (response.status !== 503) throw new Refused(error);
    counted.retried += 1;
    await new Promise((again) => setTimeout(again, 1000 * Number(response.headers.get("Retry-After"))));
  }
}

function move(id: string, token: string, version: number, body: Schemas["MoveRequest"]): Promise<Schemas["MadeMove"]> {
  const header = { "If-Match": `"v${version}"`, "Idempotency-Key": `move ${version} ${JSON.stringify(body)}` };
  const headers = { Authorization: `Bearer ${token}` };
  return answered(() => client.POST("/v1/games/{id}/moves", { params: { path: { id }, header }, headers, body }));
}

// What must be refused: the problem, which is typed as well.
async function refused(call: Promise<unknown>, status: number): Promise<Schemas["Problem"]> {
  try {
    await call;
  } catch (fault) {
    if (fault instanceof Refused && fault.problem.status === status) return fault.problem;
    throw fault;
  }
  throw new Error(`a ${status} was expected`);
}

function created(): Promise<Schemas["CreatedGame"]> {
  const seats = ["Ann", "Ben", "Cleo"];
  const body: Schemas["CreateRequest"] =
    game === "rummy" ? { game, seats, rules: { preset: "indian", max_turns: 12 }, starter: 0 }
    : game === "swoop" ? { game, seats, rules: { limit: 300, max_plies: 40 }, starter: 0 }
    : (() => { throw new Error(`no such game: ${game}`); })();
  const header = { "Idempotency-Key": `create ${game} ts` };
  return answered(() => client.POST("/v1/games", { params: { header }, headers: app, body }));
}

// Every kind of event is known to the compiler, and each has its own fields.
function told(event: Schemas["RummyEvent"] | Schemas["SwoopEvent"]): string {
  switch (event.type) {
    case "dealt": return `round ${event.round}, seat ${event.starter} starts`;
    case "drew": return `seat ${event.seat} draws ${event.card ?? "a card"} from the ${event.from}`;
    case "discarded": return `seat ${event.seat} discards ${event.card}`;
    case "reshuffled": return `${event.count} cards are shuffled`;
    case "packed": return `seat ${event.seat}: ${event.status}`;
    case "declared": return `seat ${event.seat} declares ${event.groups.map((group) => group.kind).join()}`;
    case "penalised": return `seat ${event.seat} pays ${event.points}`;
    case "flipped": return `seat ${event.seat} flips ${event.card}`;
    case "played": return `seat ${event.seat} plays ${event.cards.join()}`;
    case "cleared": return `${event.cards.length} cards leave`;
    case "picked_up": return `seat ${event.seat} takes ${event.cards.length} cards`;
    case "went_out": case "forfeited": case "timed_out": return `seat ${event.seat}: ${event.type}`;
    case "round_scored": return `round ${event.round}: ${event.results.map((result) => result.points).join()}`;
    case "match_over": return `won by ${event.winners.join()}`;
    case "withdrawn": case "split_agreed": return `seat ${event.seat}: ${event.type}`;
    case "eliminated": case "rejoined": return `seat ${event.seat}: ${event.type} with ${event.total}`;
    case "aborted": return event.type;
    default: { const unknown: never = event; return unknown; }
  }
}

// One of the legal moves: to declare where that wins, else what was listed first but for packing.
function chosen(moves: Schemas["Move"][]): Schemas["Move"] {
  const [first] = moves.filter((each) => each.type !== "pack");
  const found = moves.find((each) => each.type === "declare") ?? first;
  if (found === undefined) throw new Error("no legal move");
  return found;
}

const table = await created();
const { id } = table;
const token = (seat: number): string => table.seats[seat]?.token ?? "";
const impossible: Schemas["Move"] =
  table.game === "rummy" ? { type: "discard", card: "2C" } : { type: "play", hand: [], guards: [] };

const stale = await refused(move(id, token(0), 99, { move: impossible }), 412);
if (stale.version !== table.version) throw new Error(`the problem names version ${stale.version}`);
counted.stale += 1;
const illegal = await refused(move(id, token(0), table.version, { move: impossible }), 409);
if (illegal.violation === undefined) throw new Error("an illegal move without its violation");
counted.illegal += 1;

let seen: Seen = table.view;
let { version } = table;
while (seen.phase !== "match_over") {
  let made: Schemas["MadeMove"];
  if (seen.turn === null) {
    const header = { "If-Match": `"v${version}"`, "Idempotency-Key": `round ${version}` };
    made = await answered(() => client.POST("/v1/games/{id}/rounds", { params: { path: { id }, header }, headers: app }));
  } else {
    const mine = { Authorization: `Bearer ${token(seen.turn)}` };
    const listed = await answered(() => client.GET("/v1/games/{id}/legal-moves", { params: { path: { id } }, headers: mine }));
    made = await move(id, token(seen.turn), version, { move: chosen(listed.moves) });
  }
  counted.made += 1;
  ({ version, view: seen } = made);
}

const log = await answered(() =>
  client.GET("/v1/games/{id}/events", { params: { path: { id }, query: { after: 0 } }, headers: app }));
counted.events = log.events.map((event) => `${event.version} ${told(event)}`).length;
const record = await answered(() => client.GET("/v1/games/{id}/record", { params: { path: { id } }, headers: app }));
console.log(JSON.stringify({ ...counted, version, moves: record.moves.length, outcome: record.outcome, id, game: record.game }));

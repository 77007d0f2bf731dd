// A whole hosted match by the client in TypeScript, and what it does where a service does not answer: node told_match.js URL APP_KEY GAME
import assert from "node:assert/strict";
import { Cardref, Illegal, isOver, type Move, type Position, Refused, StaleVersion, Unanswered } from "cardref-client";

const [url = "", key = "", game = ""] = process.argv.slice(2);
const app = new Cardref(url, key);

// To declare where that wins, else what is listed first but for packing.
function chosen({ moves }: Position): Move {
  const found = moves?.find((move) => move.type === "declare") ?? moves?.find((move) => move.type !== "pack");
  assert(found);
  return found;
}

const seats = ["Ann", "Ben", "Cleo"];
const table = game === "rummy"
  ? await app.createGame({ game, seats, rules: { preset: "indian", max_turns: 5 }, starter: 0 })
  : await app.createGame({ game: "swoop", seats, rules: { limit: 150, max_plies: 15 }, starter: 0 });
const { id } = table;
const players = table.seats.map((seat) => app.asCaller(seat.token));
const [ann] = players;
assert(ann);

const impossible: Move = table.game === "rummy" ? { type: "discard", card: "2C" } : { type: "play", hand: [], guards: [] };
await assert.rejects(ann.makeMove(id, { move: impossible }, { version: 99 }), (fault) => fault instanceof StaleVersion && fault.version === 1);
await assert.rejects(ann.makeMove(id, { move: impossible }, { version: 1 }), (fault) => fault instanceof Illegal && fault.violation !== undefined);

const told: { version: number; type: string }[] = [];
const following = (async () => {
  for await (const { version, type } of app.asCaller(table.spectator_token).follow(id)) told.push({ version, type });
})();
const playing = players.map((player) => player.play(id, chosen));
for await (const position of app.watch(id)) {
  if (position.view.phase === "round_over") await app.dealRound(id, { version: position.version });
}
const last = await Promise.all(playing);
await following;
assert(last.every(isOver));
const record = await app.getRecord(id);

// A service that answers by a list; null: the connection breaks.
const MADE = { status: 201, body: { game: "rummy", version: 7, events: [] } };
type Stubbed = { status: number; body: unknown; after?: string } | null;
function stub(answers: Stubbed[], patience = 30): { client: Cardref; sent: Request[] } {
  const sent: Request[] = [];
  const ask: typeof fetch = async (input, given) => {
    sent.push(new Request(input, given));
    const answer = answers.shift();
    if (!answer) throw new TypeError("fetch failed");
    const headers = answer.after === undefined ? {} : { "Retry-After": answer.after };
    const body = answer.status === 204 ? null : typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers });
  };
  return { client: new Cardref("http://service/", "s0.token", { patience, fetch: ask }), sent };
}
const refused = (status: number, code: string, after = "0"): Stubbed => ({ status, body: { status, code, detail: "" }, after });
const pack = { move: { type: "pack" } } as const;

for (const lost of [null, refused(503, "not_durable"), refused(429, "rate_limited"), { status: 502, body: "<h1>Bad gateway</h1>" }]) {
  const { client, sent } = stub([lost, lost, MADE]);
  assert.equal((await client.makeMove("G/1", pack, { version: 1, include: ["view", "legal_moves"] })).version, 7);
  assert.equal(sent.length, 3);
  for (const header of ["Idempotency-Key", "If-Match", "Authorization"]) {
    assert.equal(new Set(sent.map((request) => request.headers.get(header))).size, 1);
  }
  assert.equal(sent[0]?.headers.get("If-Match"), '"v1"');
  assert.match(sent[0]?.headers.get("Idempotency-Key") ?? "", /^[0-9a-f]{32}$/);
  assert.equal(sent[0]?.url, "http://service/v1/games/G%2F1/moves?include=view%2Clegal_moves");
}
for (const code of ["store_damaged", "undecided"]) {
  const { client, sent } = stub([refused(503, code)]);
  await assert.rejects(client.makeMove("G", pack, { version: 1 }), (fault) => fault instanceof Refused && fault.code === code);
  assert.equal(sent.length, 1);
}
await assert.rejects(stub([refused(503, "store_unsafe", "60")]).client.makeMove("G", pack, { version: 1 }), Refused);
const { client: impatient } = stub([null], 0);
await assert.rejects(
  impatient.makeMove("G", pack, { version: 1, idempotencyKey: "mine" }),
  (fault) => fault instanceof Unanswered && fault.idempotencyKey === "mine" && fault.name === "Unanswered",
);
await stub([null, refused(404, "not_found")]).client.deleteGame("G");
const leaving = new AbortController();
leaving.abort(new Error("left"));
await assert.rejects(new Cardref("http://service", null, { signal: leaving.signal, fetch: () => Promise.reject(new TypeError()) }).listCalls(), /left/);

const log = (version: number, events: unknown[], phase?: string): Stubbed =>
  ({ status: 200, body: { game: "rummy", version, events, ...(phase && { view: { phase } }) } });
const { client: watcher, sent: looks } = stub([
  log(9, [], "draw"), // does not wait: the match may be over
  log(1009, [{ version: 1009 }]), // cut by `limit`
  log(1010, [{ version: 1010 }], "draw"),
  log(1004, [], "draw"), // the store has lost the end
  log(1005, [{ version: 1005 }], "match_over"),
]);
const found: [number, number][] = [];
for await (const { version, events } of watcher.watch("G", { after: 9 })) found.push([version, events.length]);
assert.deepEqual(found, [[1010, 2], [1004, 0], [1005, 1]]);
const asked = looks.map((request) => new URL(request.url).searchParams);
assert.deepEqual(asked.map((query) => query.get("after")), ["9", "9", "1009", "1010", "1004"]);
assert.deepEqual(asked.map((query) => query.get("wait")), ["0", "20", "20", "20", "20"]);

console.log(JSON.stringify({ record, told, last: last.map((position) => position.version) }));

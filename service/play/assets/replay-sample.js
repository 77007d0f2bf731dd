// A match for those who have no record at hand: the service deals it, and legal moves are made until it is over.
import { post } from "./api.js";

const MOST = 120;

/** A record as GET /v1/games/{id}/record gives it. */
export async function sampleRecord() {
  const rules = { preset: "house", rounds: 1, max_turns: 30 };
  const seed = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const dealt = await post("/v1/rummy/deals", { seats: 2, rules, seed });
  const moves = [];
  let { state, outcome = null } = dealt;
  while (!outcome && moves.length < MOST) {
    const seat = state.turn;
    const move = await next(state, seat);
    const made = await post("/v1/rummy/transitions", { state, seat, move });
    moves.push({ version: moves.length + 2, at: "", by: "seat", seat, move, events: made.events });
    ({ state, outcome } = made);
  }
  return { schema: 1, game: "rummy", rules: state.rules, rules_hash: state.rules_hash, seed, commitment: dealt.commitment, seed_source: "caller", starter: null, seats: ["north", "south"], deal: dealt.events, moves, totals: state.totals, outcome };
}

/** A sensible move: declare where one can, else let go of what the best grouping lets go. */
async function next(state, seat) {
  const { hand } = state.seats[seat];
  // Every third turn takes what lies open, so that both ways to draw are seen
  if (state.phase === "draw") return { type: "draw", from: state.plies % 3 === 0 && state.discard.length ? "discard" : "stock" };
  const { moves } = await post("/v1/rummy/legal-moves", { state, seat });
  const declares = moves.find((move) => move.type === "declare");
  if (declares) return declares;
  const found = await post("/v1/rummy/groupings", { hand, wild_rank: state.wild_rank, rules: state.rules });
  return moves.find((move) => move.card === found.discard) ?? moves[0];
}

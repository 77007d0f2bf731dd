// Events in words, each with the section of the rules that it follows.
import { chip, chips, rankCosts, RANKS, shownRank } from "./cards.js";
import { plural } from "./dom.js";

const GUIDE = "/docs/guides/rules.html#";
/** Where each section stands in the guide. */
export const SECTIONS = {
  1.1: "11-cards", 1.2: "12-groups", 1.3: "13-declaration-all-13-cards-grouped-text", 1.4: "14-turn-text", 1.5: "15-pack-text", 1.6: "16-score-text",
  1.7: "17-match", 1.9: "19-formats-how-rounds-make-a-match", 2.1: "21-set-up-text", 2.2: "22-a-play-text", 2.3: "23-secrets-text", 2.4: "24-going-out-and-scoring", 2.5: "25-match-text",
};
export const sectionAddress = (section) => GUIDE + (SECTIONS[section] ?? "");

const PACKED = { packed_first: "on the first turn", packed_later: "after the first turn" };
const REASONS = {
  won: "won", packed_first: "packed on the first turn", packed_later: "packed later", penalised: "a declaration that failed", loose: "loose cards", not_dealt: "not dealt to",
  out: "went out", cards: "cards left", forfeited: "forfeited",
};

/** {words: a list of texts and nodes, section, rule: what the section says of it}. `names`: of the seats; `eyes`: whose, "all", or null for a spectator. */
export function told(event, { game, names, eyes, rules }) {
  const who = event.seat === undefined ? "" : names[event.seat];
  const rummy = game === "rummy";
  const seen = eyes === "all" || event.seat === eyes;
  switch (event.type) {
    case "dealt":
      return rummy
        ? { words: [`Round ${event.round} is dealt; ${names[event.starter]} starts. Turned up: `, chip(event.wild_card), `, so ${event.wild_rank ? `${shownRank(event.wild_rank)} is wild` : "no rank is wild"}. First discard: `, chip(event.discard), "."], section: "1.1", rule: "13 cards each, the next one turned up for the wild rank, the next one starts the discard pile." }
        : { words: [`Round ${event.round} is dealt; ${names[event.starter]} starts.`], section: "2.1", rule: "A hand, and stacks of a guard over a secret that nobody knows." };
    case "drew":
      return event.from === "stock"
        ? { words: [`${who} draws from the stock: `, seen ? chip(event.card) : "a card", "."], section: "1.4", rule: "A turn begins with the top of the stock or of the discard pile." }
        : { words: [`${who} takes `, chip(event.card), " from the discard pile."], section: "1.4", rule: `A turn begins with the top of the stock or of the discard pile${rules.may_take_discarded_wild === false ? "; wildcards may not be taken from it" : ""}.` };
    case "reshuffled":
      return { words: [`The stock is empty: ${plural(event.count, "card")} of the discard pile are shuffled into it.`], section: "1.4", rule: "All but the top card of the discard pile becomes the stock." };
    case "discarded":
      return { words: [`${who} discards `, chip(event.card), "."], section: "1.4", rule: "A turn ends with a discard." };
    case "packed":
      return { words: [`${who} packs ${PACKED[event.status] ?? ""}.`], section: "1.5", rule: `Packing costs ${rules.pack_first} before the first draw, ${rules.pack_later} later.` };
    case "declared":
      return { words: [`${who} declares, folding `, chip(event.fold), ": ", ...event.groups.flatMap((group, at) => [at ? " | " : "", chips(group.cards)]), "."], section: "1.3", rule: "All 13 cards lie in groups that the rules of declaring allow: the round is won." };
    case "penalised":
      return { words: [`${who} declares, and it fails: ${plural(event.points, "point")}.`, ...(event.groups ? [" Laid: ", ...event.groups.flatMap((group, at) => [at ? " | " : "", chips(group)])] : [])], section: "1.3", rule: "Under invalid_declaration penalty a failed declaration costs points and puts the seat out of the round." };
    case "flipped":
      return { words: [`${who} turns up the secret of stack ${event.slot + 1}: `, chip(event.card), "."], section: "2.3", rule: "It is committed: the next play of this seat must have it." };
    case "played":
      return { words: [`${who} plays `, chips(event.cards), ` (${sources(event)}).`], section: "2.2", rule: "Cards of one rank, from hand and guards, with the committed secret if there is one." };
    case "cleared":
      return { words: [`The pile is cleared: ${plural(event.cards.length, "card")} leave play, and the same seat goes on.`], section: "2.2", rule: `A ten, or ${rules.clear_size ?? 4} cards of one rank on top, clear the pile.` };
    case "picked_up":
      return { words: [`${who} picks up the pile of ${plural(event.cards.length, "card")}: `, chips(event.cards), "."], section: "2.2", rule: `What was played ranks above the top card: the pile goes to the hand, and the turn ${rules.pickup_ends_turn ? "passes on" : "continues"}.` };
    case "went_out":
      return { words: [`${who} has no card left: out.`], section: "2.4", rule: "The last card is gone without a pick-up; the round ends." };
    case "forfeited":
      return { words: [`The referee takes ${who} out of the round.`], section: rummy ? "1.7" : "2.5", rule: rummy ? "It counts as a pack." : "The seat scores the cards it holds." };
    case "withdrawn":
      return { words: [`${who} leaves the match for good.`], section: rummy ? "1.9" : "2.5", rule: "Out from then on, whatever its total; in a round it counts as a forfeit." };
    case "eliminated":
      return { words: [`${who} is out of the match with a total of ${event.total}.`], section: "1.9", rule: `Pool: a total of ${rules.pool_limit} or more puts a seat out.` };
    case "rejoined":
      return { words: [`${who} comes back with a total of ${event.total}.`], section: "1.9", rule: "Pool: one more than the highest total of those in, for another entry." };
    case "split_agreed":
      return { words: [`${who} agrees to split the pot.`], section: "1.9", rule: "Once all seats that are in agree, the match ends and the pot is shared." };
    case "timed_out":
      return { words: [`${who} has run out of time; the moves that follow are made in its place.`], section: rummy ? "1.4" : "2.2", rule: "The default turn." };
    case "aborted":
      return { words: ["The referee ends the match; nobody wins."], section: rummy ? "1.7" : "2.5", rule: "Totals stand." };
    case "round_scored":
      return { words: [`Round ${event.round} is scored: `, event.results.map((result, seat) => `${names[seat]} ${result.points} (${REASONS[result.reason] ?? result.reason})`).join(", "), `. Totals: ${event.totals.join(", ")}.`], section: rummy ? "1.6" : "2.4", rule: rummy ? scoring(rules) : "Each card left costs its points; who is out scores 0." };
    case "match_over":
      return { words: [event.winners.length === 1 ? `${names[event.winners[0]]} wins the match.` : `${event.winners.map((seat) => names[seat]).join(" and ")} share the match.`, ` Totals: ${event.totals.join(", ")}.`], section: rummy ? (rules.format && rules.format !== "rounds" ? "1.9" : "1.7") : "2.5", rule: "" };
    default:
      return { words: [event.type], section: "", rule: "" };
  }
}

function sources(event) {
  const parts = [];
  if (event.hand.length) parts.push(`${event.hand.length} from the hand`);
  if (event.guards.length) parts.push(`${plural(event.guards.length, "guard")}`);
  if (event.secret !== null) parts.push("the secret");
  return parts.join(", ");
}

function costs(rules) {
  const [table, usual] = [rankCosts(rules), rankCosts({})];
  if (RANKS.every((rank) => table[rank] === usual[rank])) return "A K Q J 10 cost 10, others their face, wildcards 0";
  return `${RANKS.map((rank) => `${shownRank(rank)} costs ${table[rank]}`).join(", ")}, wildcards 0`;
}

const scoring = (rules) => `Loose cards of the best grouping: ${costs(rules)}${rules.points_cap ? `; at most ${rules.points_cap}` : ""}.`;

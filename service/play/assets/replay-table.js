// A table as it lies there: from a state, or from what one seat may see of it.
import { cardPicture, rankCosts, shownRank, sorted } from "./cards.js";
import { el, plural } from "./dom.js";
import { groupingBoxes } from "./groups-view.js";

const STATUS = { in: "", packed_first: "packed", packed_later: "packed", penalised: "penalised", forfeited: "forfeited", not_dealt: "not in this round" };

const back = (count, what) => el("div", { class: "cards small pile" }, count > 0 && cardPicture("??", { said: false }), el("span", { text: `${what}: ${plural(count, "card")}` }));
const top = (cards, what, wild) =>
  el(
    "div", { class: "pile" }, el("p", { text: `${what}: ${plural(cards.length, "card")}` }),
    el("div", { class: "cards small" }, cards.length > 8 && el("span", { class: "soft", text: "…" }), cards.slice(-8).map((card) => cardPicture(card, { wild }))),
  );
const zone = (cards, what, wild) => (Array.isArray(cards) ? (cards.length ? el("details", {}, el("summary", { text: `${what}: ${plural(cards.length, "card")}` }), el("div", { class: "cards small" }, cards.map((card) => cardPicture(card, { wild })))) : el("p", { text: `${what}: none` })) : back(cards.count, what));

function hand(cards, wild) {
  if (!Array.isArray(cards)) return cards.count ? back(cards.count, "Hand") : el("p", { class: "soft", text: "no cards" });
  if (!cards.length) return el("p", { class: "soft", text: "no cards" });
  return el("div", { class: "cards small" }, sorted(cards).map((card) => cardPicture(card, { wild })));
}

function seatBox(position, number, names, ...content) {
  const seat = position.seats[number];
  const turn = position.turn === number;
  const status = STATUS[seat.status] ?? seat.status;
  return el(
    "section", { class: `seat${turn ? " turn" : ""}`, "aria-label": names[number] },
    el("h3", {}, names[number], turn ? " · to move" : "", status ? ` · ${status}` : "", el("span", { class: "soft", text: ` total ${position.totals[number]}` }), standing(position.standings?.[number])),
    content,
  );
}

/** How a seat stands in a pool or in deals, where the service says so. */
function standing(found) {
  if (!found) return null;
  const parts = [found.chips !== null && plural(found.chips, "chip"), found.status !== "in" && found.status, found.rejoins > 0 && `came back ${found.rejoins === 1 ? "once" : `${found.rejoins} times`}`, found.drops_left !== null && `${plural(found.drops_left, "drop")} left`, found.may_rejoin && "may rejoin", found.share && found.place && `place ${found.place}, share ${found.share}`];
  const said = parts.filter(Boolean).join(", ");
  return said ? el("span", { class: "soft", text: ` (${said})` }) : null;
}

function rummy(position, names) {
  const wild = position.wild_rank;
  return [
    el(
      "div", { class: "middle" },
      el("div", { class: "pile" }, el("p", { text: `Wild: ${wild ? shownRank(wild) : "no rank"}` }), el("div", { class: "cards small" }, cardPicture(position.wild_card, { wild }))),
      top(position.discard, "Discard pile", wild), zone(position.stock, "Stock", wild), zone(position.removed, "Out of the round", wild),
    ),
    position.seats.map((seat, number) => seatBox(position, number, names, hand(seat.hand, wild))),
  ];
}

function stack(found, slot, committed) {
  return el(
    "div", { class: `stack${committed ? " committed" : ""}`, role: "group", "aria-label": `Stack ${slot + 1}` },
    found.guard ? cardPicture(found.guard) : el("span", { class: "gone", text: "–" }), found.secret ? cardPicture(found.secret) : el("span", { class: "gone", text: "–" }),
    el("small", { text: committed ? "turned up" : `${slot + 1}` }),
  );
}

function swoop(position, names) {
  return [
    el("div", { class: "middle" }, top(position.pile, "Pile"), zone(position.removed, "Cleared"), zone(position.set_aside, "Set aside")),
    position.seats.map((seat, number) =>
      seatBox(position, number, names, hand(seat.hand), el("div", { class: "stacks cards small" }, seat.stacks.map((each, slot) => stack(each, slot, position.committed === slot && position.turn === number)))),
    ),
  ];
}

/** The last round's scores with their groupings, once a round is over. */
function scores(position, names, lab) {
  const last = position.last_round;
  if (!last || last.round !== position.round || !["round_over", "match_over"].includes(position.phase)) return null;
  return el(
    "section", { class: "scores" }, el("h3", { text: `How round ${last.round} was scored` }),
    last.results.map((result, seat) =>
      el(
        "div", {}, el("h4", { text: `${names[seat]}: ${result.reason === "not_dealt" ? "not dealt to" : plural(result.points, "point")}${last.first_turn && result.reason === "loose" ? " (halved: won on the first turn)" : ""}` }),
        result.grouping && groupingBoxes(result.grouping, position.wild_rank, result.grouping.points, rankCosts(position.rules)),
        result.grouping && lab(seat, result, last),
      ),
    ),
  );
}

/** What may happen in a pool between two rounds: who may come back, and what a split would pay. */
function pause(seen, names) {
  if (!seen) return null;
  const back = seen.standings.filter((seat) => seat.may_rejoin).map((seat) => names[seat.seat]);
  const said = [
    `The pot holds ${seen.pot === 1 ? "1 entry" : `${seen.pot} entries`}.`,
    back.length > 0 && `May come back with a total of ${seen.rejoin_total}: ${back.join(", ")}.`,
    seen.split && `A split would pay ${seen.split.map((each) => `${names[each.seat]} ${each.share}`).join(", ")}.`,
    seen.agreed.length > 0 && `Agreed to split: ${seen.agreed.map((seat) => names[seat]).join(", ")}.`,
  ];
  return el("section", { class: "pause" }, el("h3", { text: "Between two rounds" }), el("p", { text: said.filter(Boolean).join(" ") }));
}

/** Everything on the table. `lab` makes the link to the hand lab for a seat's result; `between`: a view of a pool between two rounds. */
export function table(game, position, names, lab, between) {
  return game === "rummy" ? [pause(between, names), scores(position, names, lab), rummy(position, names)] : swoop(position, names);
}

// What the service says of the hand and of the declaration.
import { call, post, refusal } from "./api.js";
import { cardPicture, chip, chips } from "./cards.js";
import { byId, el, fill, plural } from "./dom.js";
import { codeLink, groupBox, groupingBoxes, laidCards } from "./groups-view.js";
import { declarationCall, EMPTY, foreign, groupingCall, isFolding, ungrouped, written } from "./lab-state.js";

export const GROUPINGS = "/v1/rummy/groupings";
export const DECLARATIONS = "/v1/rummy/declarations";
let asked = null;

/** Ask about a state (with `costs` of each rank under its rules), and show the answers; `lay` takes groups as the declaration, `rulesOf` shows what a declaration is judged by. */
export async function showResults(state, lay, rulesOf) {
  asked?.abort();
  const mine = (asked = new AbortController());
  const options = { signal: mine.signal };
  const declared = declarationCall(state);
  byId("declared-box").hidden = !declared;
  const both = [showBest(state, lay, options)];
  if (declared) both.push(showDeclared(state, declared, { lay, rulesOf, options }));
  for (const box of ["best", "declared"]) byId(box).classList.add("busy");
  await Promise.all(both.map((each) => each.catch((fault) => fault.name === "AbortError" || Promise.reject(fault))));
  if (asked === mine) for (const box of ["best", "declared"]) byId(box).classList.remove("busy");
}

async function showBest(state, lay, options) {
  const place = byId("best");
  const body = groupingCall(state);
  if (!body) {
    const count = state.hand.length;
    fill(place, el("p", { class: "soft", text: count < 13 ? `A hand has 13 cards, or 14 before one is let go: ${plural(13 - count, "card")} to go.` : `${count} cards are more than a hand: take ${plural(count - 14, "card")} away.` }));
    return;
  }
  try {
    const found = await post(GROUPINGS, body, options);
    const folding = isFolding(state) && el("p", {}, "Of the thirteen that are left when ", chip(state.fold), " is folded:");
    fill(place, folding, verdict(state, found), groupingBoxes(found, state.wild, found.points_uncapped, state.costs), facts(found), actions(state, found, lay));
    if (found.declarable === false && !state.groups.length) place.append(await reasons(state, found, options));
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    fill(place, refusal(fault));
  }
}

function verdict(state, found) {
  const letGo = found.discard && el("span", {}, " Let go of ", chip(found.discard), ".");
  if (found.declarable) return el("p", { class: "good verdict" }, "Can be declared: 0 points.", found.discard && el("span", {}, " Fold ", chip(found.discard), "."));
  const capped = found.points !== found.points_uncapped ? ` (${found.points_uncapped} before the cap)` : "";
  const sure = found.optimal ? "" : " Not proved to be the best.";
  return el("p", { class: "verdict" }, `${plural(found.points, "point")}${capped}: ${found.declarable === null ? "whether it can be declared is not proved." : "it cannot be declared."}`, letGo, sure);
}

function facts(found) {
  const proofs = { reduction: "proved by the exact search", "cp-sat": "proved by the CP-SAT model" };
  const parts = [found.proof ? `No grouping leaves fewer points (${proofs[found.proof]}).` : ""];
  if (found.loser_points !== null && found.loser_points !== found.points) parts.push(`If another seat wins, this hand costs its holder ${found.loser_points}: scoring asks for other things than declaring (§1.3, §1.6).`);
  return el("p", { class: "soft", text: parts.join(" ") });
}

/** Why the best grouping is no declaration: the service judges it as one. */
async function reasons(state, found, options) {
  const body = declarationCall({ ...state, groups: found.groups.map((group) => group.cards), fold: found.discard ?? state.fold });
  if (!body) return el("p", { class: "bad", text: "It cannot be declared: no card is in a group that counts." });
  const judged = await post(DECLARATIONS, body, options);
  return el("div", { class: "bad" }, "Why it cannot be declared:", faultList(judged.faults));
}

const faultList = (faults) => el("ul", {}, faults.map((fault) => el("li", {}, `${fault.message} `, codeLink(fault.code))));

function actions(state, found, lay) {
  const others = el("div");
  const more = el("button", { type: "button", text: "Others worth as much", onclick: () => alternatives(state, others, more) });
  const use = el("button", { type: "button", text: "Lay this as the declaration", onclick: () => lay(found.groups.map((group) => group.cards), found.discard ?? state.fold) });
  return [el("div", { class: "row" }, found.groups.length > 0 && use, more), others];
}

async function alternatives(state, place, button) {
  button.disabled = true;
  try {
    const found = await call("POST", GROUPINGS, groupingCall(state, { alternatives: 10 }));
    const each = found.alternatives.map((other, at) => [el("h3", { text: `${at + 2}. as good` }), groupingBoxes(other, state.wild, found.points_uncapped, state.costs)]);
    const end = found.alternatives_complete ? (each.length ? "" : "No other grouping leaves as few points.") : "There may be more.";
    fill(place, each, el("p", { class: "soft", text: end }));
  } catch (fault) {
    fill(place, refusal(fault));
  }
}

async function showDeclared(state, body, { lay, rulesOf, options }) {
  const place = byId("declared");
  try {
    const found = await post(DECLARATIONS, body, options);
    const rest = ungrouped(state);
    const outside = foreign(state);
    fill(
      place,
      el("p", { class: found.valid ? "good verdict" : "bad verdict", text: found.valid ? "Valid." : "Not valid." }),
      el("div", { class: "groups" }, found.groups.map((group) => groupBox(group, state.wild)), rest.length > 0 && restBox(state, rest)),
      found.faults.length > 0 && [el("h3", { text: "What is wrong with the whole" }), faultList(found.faults)],
      outside.length > 0 && el("p", {}, "Not in the hand: ", chips(outside)),
      !found.valid && regrouping(state, found, lay),
      rulesOf(state.rules),
    );
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    fill(place, refusal(fault));
  }
}

const restBox = (state, rest) =>
  el("div", { class: "group" }, el("p", { text: rest.length === 1 && state.hand.length === 14 ? "Folded" : "In no group" }), laidCards(rest, state.wild));

function regrouping(state, found, lay) {
  if (!found.regroup) {
    const looked = found.proof ? "No other grouping of the same cards is valid either: that is proved." : "Whether another grouping works was not looked for: the cards are not thirteen of one hand.";
    return el("p", { text: looked });
  }
  return el(
    "div", { class: "good" }, el("p", { text: "The same cards can be declared, grouped so:" }),
    el("div", { class: "groups" }, found.regroup.map((group) => el("div", { class: "group" }, el("div", { class: "cards" }, group.map((card) => cardPicture(card, { wild: state.wild })))))),
    el("p", {}, el("button", { type: "button", text: "Lay it so", onclick: () => lay(found.regroup, state.fold) })),
  );
}

/** The address of the hand as a picture, if it has one. */
export function pictureOf(state) {
  if (!groupingCall(state)) return null;
  return `${GROUPINGS}.svg?${written({ ...EMPTY, hand: groupingCall(state).hand, wild: state.wild, rules: state.rules })}`;
}

// Groups and loose cards, laid out.
import { cardPicture, isWild } from "./cards.js";
import { el } from "./dom.js";

export const KINDS = { pure_sequence: "Pure sequence", impure_sequence: "Impure sequence", trio: "Trio" };

export const laidCards = (cards, wild, standsFor = null) =>
  el("div", { class: "cards" }, cards.map((card, at) => cardPicture(card, { wild, as: standsFor?.[at] ?? null })));

/** One group: what it is, or what is wrong with it. */
export function groupBox({ kind, cards, stands_for: standsFor, fault }, wild, ...more) {
  return el(
    "div", { class: fault ? "group wrong" : "group" },
    el("p", { text: fault ? "No group" : KINDS[kind] }),
    laidCards(cards, wild, standsFor),
    fault && el("p", {}, fault.message, " ", codeLink(fault.code)),
    more,
  );
}

export const codeLink = (code) => el("a", { href: `/docs/errors#${code}`, text: code });

/** Loose cards with what each costs, as far as the sum is the one that the service found (a flat count is none). */
export function looseBox(loose, wild, points, costs) {
  if (!loose.length) return null;
  const each = loose.map((card) => (isWild(card, wild) ? 0 : costs[card[0]]));
  const told = each.reduce((sum, cost) => sum + cost, 0) === points;
  return el(
    "div", { class: "group" },
    el("p", { text: told ? `Loose: ${each.join(" + ")} = ${points}` : `Loose: ${points}` }),
    laidCards(loose, wild),
  );
}

/** A grouping, its loose cards with what they cost: `points` in all, by `costs` of each rank (`rankCosts`). */
export const groupingBoxes = (grouping, wild, points, costs) =>
  el("div", { class: "groups" }, grouping.groups.map((group) => groupBox(group, wild)), looseBox(grouping.loose, wild, points, costs));

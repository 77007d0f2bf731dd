// Cards as the service writes them ("5H", "TD", "JK"): how they are read, named and drawn.
import { el } from "./dom.js";

export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."SHDC"];
export const JOKER = "JK";
const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANK_NAMES = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
const SIGNS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C" };
const CARD = /^(?:(10|[a2-9tjqk])([shdc♠♥♦♣♤♡♢♧])|(joker|jk))[\ufe0e\ufe0f]*/i;
const SVG = "http://www.w3.org/2000/svg";
const SIGNS_FILE = new URL("./suits.svg", import.meta.url).pathname;

export const shownRank = (rank) => (rank === "T" ? "10" : rank);
export const isWild = (card, wild) => card === JOKER || (wild !== null && card[0] === wild);

/** What a loose card of each rank costs under resolved rules of rummy (§1.6); older records name no points. */
export const rankCosts = (rules) => ({
  ...Object.fromEntries(RANKS.map((rank) => [rank, /[2-9]/.test(rank) ? Number(rank) : 10])),
  ...rules.points,
  ...(rules.ace_points == null ? {} : { A: rules.ace_points }),
});

/** "ten of hearts (TH)", for those who hear the page. */
export function spoken(card) {
  if (card === JOKER) return "joker (JK)";
  if (card === "??") return "a card face down";
  if (card.length === 1) return `any ${RANK_NAMES[card] ?? card}`;
  return `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]} (${card})`;
}

/** The cards of a text, in any usual spelling, with or without blanks. Throws an Error that names what is no card. */
export function readCards(text) {
  const cards = [];
  let rest = text.replace(/[\s,.[\]"'()]+/g, " ").trim();
  while (rest) {
    const found = CARD.exec(rest);
    if (!found) throw new Error(`“${rest.split(" ")[0].slice(0, 12)}” is no card: write a rank A 2 … 9 T J Q K and a suit S H D C, or JK`);
    const rank = (found[1] ?? "").toUpperCase();
    cards.push(found[3] ? JOKER : (rank === "10" ? "T" : rank) + (SIGNS[found[2]] ?? found[2].toUpperCase()));
    rest = rest.slice(found[0].length).trim();
  }
  return cards;
}

export const order = (card) => (card === JOKER ? 52 : SUITS.indexOf(card[1]) * 13 + RANKS.indexOf(card[0]));
export const sorted = (cards) => [...cards].sort((one, other) => order(one) - order(other));

/** `cards` without those of `gone`, by count. */
export function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function drawn(tag, given, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const sign = (id, x, y, size) => drawn("use", { href: `${SIGNS_FILE}#${id}`, x, y, width: size, height: size });

/**
 * A card as a picture, 40 by 56 at least. `wild`: the rank that is wild, whose cards bear a star; `as`: what it stands for, where
 * that is another card; `said`: false where what is around it names the card already.
 */
export function cardPicture(card, { wild = null, as = null, said = true } = {}) {
  const stands = as && as !== card ? as : null;
  const name = spoken(card) + (card !== JOKER && isWild(card, wild) ? ", wild" : "") + (stands ? `, stands for ${spoken(stands)}` : "");
  const picture = drawn("svg", { viewBox: "0 0 40 56", class: "card", ...(said ? { role: "img", "aria-label": name } : { "aria-hidden": "true" }) });
  picture.dataset.card = card;
  picture.append(drawn("rect", { class: "paper", x: 0.75, y: 0.75, width: 38.5, height: 54.5, rx: 5 }));
  if (card === "??") {
    picture.append(drawn("rect", { class: "back", x: 4, y: 4, width: 32, height: 48, rx: 3 }));
    return picture;
  }
  picture.dataset.suit = card === JOKER ? "W" : card[1];
  const rank = drawn("text", { class: "rank", x: 4, y: 21, "font-size": 21 });
  rank.textContent = card === JOKER ? "JK" : shownRank(card[0]);
  if (rank.textContent.length > 1) {
    rank.setAttribute("textLength", rank.textContent === "10" ? 22 : 25);
    rank.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  picture.append(rank, sign(card === JOKER ? "W" : card[1], 11, 26, 26));
  if (card !== JOKER && isWild(card, wild)) picture.append(sign("W", 26, 4, 11));
  if (!stands) return picture;
  return el("span", { class: "stand-in" }, picture, el("span", { class: "as", "aria-hidden": "true" }, "= ", chip(stands)));
}

/** A card within a sentence: its rank and the sign of its suit. */
export function chip(card) {
  if (card === "??" || card === null) return el("span", { class: "chip", text: "a card" });
  if (card === JOKER) return el("span", { class: "chip", "data-suit": "W", text: "JK" });
  if (card.length === 1) return el("span", { class: "chip", text: `any ${shownRank(card)}` });
  const picture = drawn("svg", { viewBox: "0 0 24 24", class: "sign", role: "img", "aria-label": ` of ${SUIT_NAMES[card[1]]}` }, sign(card[1], 0, 0, 24));
  return el("span", { class: "chip", "data-suit": card[1] }, shownRank(card[0]), picture);
}

export const chips = (cards) => el("span", { class: "chips" }, cards.flatMap((card, at) => (at ? [" ", chip(card)] : [chip(card)])));

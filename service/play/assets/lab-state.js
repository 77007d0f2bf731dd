// What is in the lab: a value that never changes, how it is written in the address, and how it is read from what people paste.
import { readCards, without } from "./cards.js";

/** hand: all cards; groups: those laid as a declaration, or none; fold: a card; wild: a rank or null; rules: as calls take them. */
export const EMPTY = Object.freeze({ hand: [], groups: [], fold: null, wild: null, rules: "house" });
export const EXAMPLE = Object.freeze({ ...EMPTY, hand: readCards("4S 5S 6S 8H 8D JK 2C 2C KD QH 9C 3D AC"), wild: "7" });

/** The cards in no group, the folded one among them. */
export const ungrouped = (state) => without(state.hand, state.groups.flat());
/** The cards of groups that are not in the hand: only what was pasted can have them. */
export const foreign = (state) => without(state.groups.flat(), state.hand);

const listed = (cards) => cards.join(",");

/** The state as the part of the address behind #, which no server is ever sent. */
export function written(state) {
  const parts = new URLSearchParams();
  if (state.hand.length) parts.set("hand", listed(state.hand));
  if (state.groups.length) parts.set("groups", state.groups.map(listed).join("|"));
  if (state.fold) parts.set("fold", state.fold);
  parts.set("wild_rank", state.wild ?? "null");
  parts.set("rules", typeof state.rules === "string" ? state.rules : JSON.stringify(state.rules));
  return parts.toString().replaceAll("%2C", ",").replaceAll("%7C", "|");
}

/** The state that an address tells. Throws an Error for one that tells none. */
export function read(fragment) {
  const parts = new URLSearchParams(fragment);
  const rules = parts.get("rules") ?? "house";
  const groups = (parts.get("groups") ?? "").split("|").map(readCards).filter((group) => group.length);
  const hand = parts.has("hand") ? readCards(parts.get("hand")) : groups.flat();
  return {
    hand, groups,
    fold: parts.get("fold") ? readCards(parts.get("fold"))[0] : null,
    wild: readRank(parts.get("wild_rank")),
    rules: rules.startsWith("{") ? JSON.parse(rules) : rules,
  };
}

function readRank(text) {
  if (text === null || text === undefined || text === "" || text === "null") return null;
  return readCards(`${text}S`)[0][0];
}

/** What a text that was typed or pasted makes of the state. Throws an Error that says what cannot be read. */
export function pasted(text, state) {
  const json = asJson(text);
  if (json) return fromJson(json, state);
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  // Three lines and more, of three cards and more each, are groups
  if (!/[|/;+]/.test(text) && lines.length > 2 && lines.every((line) => readCards(line).length > 2)) return pasted(lines.join("|"), state);
  if (!/[|/;+]/.test(text)) return { ...state, hand: readCards(text), groups: [], fold: null };
  // What follows a + lies in no group; nor does a card by itself
  const [laid, ...rest] = text.split("+");
  const parts = laid.split(/[|/;]/).map(readCards);
  const groups = parts.filter((group) => group.length > 1);
  return { ...state, hand: [...parts.flat(), ...readCards(rest.join(" "))], groups, fold: null };
}

function asJson(text) {
  if (!/^\s*[{[]/.test(text)) return null;
  for (const form of [text, text.replaceAll("'", '"').replaceAll("None", "null")]) {
    try {
      return JSON.parse(form);
    } catch {
      // the other form, or plain cards in brackets
    }
  }
  return null;
}

const cardsOf = (group) => readCards((Array.isArray(group) ? group : (group.cards ?? [])).join(" "));

/** From a request, an answer, a move or an event: whatever has a hand or groups. */
function fromJson(json, state) {
  if (Array.isArray(json)) return fromJson(Array.isArray(json[0]) ? { groups: json } : { hand: json }, state);
  const move = json.move ?? json.asked ?? json;
  if (!move.hand && !move.groups) throw new Error("This JSON has neither a hand nor groups.");
  const groups = (move.groups ?? []).map(cardsOf);
  const fold = move.fold ? readCards(move.fold)[0] : null;
  const rest = [...(move.loose ?? []), ...(move.discard ? [move.discard] : [])];
  const hand = move.hand ? readCards(move.hand.join(" ")) : [...groups.flat(), ...readCards(rest.join(" ")), ...(fold ? [fold] : [])];
  return {
    hand, groups, fold,
    wild: "wild_rank" in move ? readRank(move.wild_rank) : state.wild,
    rules: move.rules ?? state.rules,
  };
}

/** The state as a text to edit. */
export function shown(state) {
  if (!state.groups.length) return state.hand.join(" ");
  const rest = ungrouped(state);
  return state.groups.map((group) => group.join(" ")).join(" | ") + (rest.length ? ` + ${rest.join(" ")}` : "");
}

/** Fourteen cards of which one is folded: then all is about the other thirteen. */
export const isFolding = (state) => state.hand.length === 14 && state.hand.includes(state.fold);

/** The body of the call about the hand, and of the one about the declaration; null where there is nothing to ask. */
export const groupingCall = (state, more = {}) =>
  [13, 14].includes(state.hand.length) ? { hand: isFolding(state) ? without(state.hand, [state.fold]) : state.hand, wild_rank: state.wild, rules: state.rules, ...more } : null;
export const declarationCall = (state) =>
  state.groups.length
    ? {
        groups: state.groups, wild_rank: state.wild,
        ...([13, 14].includes(state.hand.length) ? { hand: state.hand } : {}),
        ...(state.fold ? { fold: state.fold } : {}),
        rules: state.rules,
      }
    : null;

// GET /v1/rules, asked once, and what its values are in words.
import { get } from "./api.js";
import { JOKER, RANKS } from "./cards.js";

let asked = null;

/** Both games' presets and fields. */
export function allRules() {
  asked ??= get("/v1/rules").catch((fault) => {
    asked = null;
    throw fault;
  });
  return asked;
}

export const SECTION_TITLES = {
  "1.1": "Cards and deal", 1.2: "Groups", 1.3: "Declaring", 1.4: "Turns", 1.5: "Packing", 1.6: "Scores", 1.7: "Match", 1.9: "Formats",
  2.1: "Set-up", 2.2: "Plays", 2.3: "Secrets", 2.4: "Scores", 2.5: "Match",
};

/** A value as people read it. */
export function saidValue(value) {
  if (value === null) return "null";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return `[${value.join(", ")}]`;
  if (typeof value === "object") return [...RANKS, JOKER].filter((name) => name in value).map((name) => `${name} ${value[name]}`).join(", ");
  return String(value);
}

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The preset's name and the fields chosen over it, of rules as calls take them. */
export function chosen(rules) {
  if (typeof rules === "string") return { preset: rules, changes: {} };
  const { preset = "house", ...changes } = rules ?? {};
  return { preset, changes };
}

/** The other way round, as short as it can be. */
export function asRules(preset, changes) {
  return Object.keys(changes).length ? { preset, ...changes } : preset;
}

/** Resolved rules as short as a call takes them: the preset that is nearest, and what differs. */
export function shortest(described, rules) {
  if (!described) return rules;
  const known = Object.entries(rules).filter(([name]) => described.fields.some((field) => field.name === name));
  const each = Object.entries(described.presets).map(([preset, base]) => ({ preset, changes: Object.fromEntries(known.filter(([name, value]) => !same(value, base[name]))) }));
  const best = each.reduce((one, other) => (Object.keys(other.changes).length < Object.keys(one.changes).length ? other : one));
  return asRules(best.preset, best.changes);
}

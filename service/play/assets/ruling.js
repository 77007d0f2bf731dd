// The options of some sections as they are under certain rules, each with what it says.
import { el } from "./dom.js";
import { saidValue, SECTION_TITLES } from "./rules-data.js";

/** `rules`: resolved; `described`: a game's part of GET /v1/rules, or null while it is not there. */
export function ruling(described, rules, sections, title) {
  const fields = described?.fields.filter((field) => sections.includes(field.section)) ?? [];
  if (!fields.length) return null;
  return el(
    "details", {}, el("summary", { text: `${title} ${sections.map((each) => `§${each} ${SECTION_TITLES[each] ?? ""}`).join(", ")}` }),
    el("ul", {}, fields.map((field) => el("li", {}, el("code", { text: field.name }), `: ${saidValue(field.name in rules ? rules[field.name] : field.default)}. `, el("small", { text: field.sentence })))),
  );
}

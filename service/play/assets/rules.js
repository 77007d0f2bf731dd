// The rules side by side: the address says which game and which presets.
import { refusal } from "./api.js";
import { byId, el, fill, plural } from "./dom.js";
import { sectionAddress } from "./replay-words.js";
import { allRules, same, saidValue, SECTION_TITLES } from "./rules-data.js";

const FIRST = { rummy: ["house", "indian"], swoop: ["house", "classic"] };
let described = null;

/** What the address wishes for. */
function wish() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const game = parts.get("game") in described ? parts.get("game") : "rummy";
  const known = Object.keys(described[game].presets);
  const presets = (parts.get("presets") ?? "").split(",").filter((name) => known.includes(name));
  return { game, presets: presets.length ? presets : FIRST[game].filter((name) => known.includes(name)), only: parts.get("only") === "yes" };
}

function wishFor(changes) {
  const { game, presets, only } = { ...wish(), ...changes };
  history.replaceState(null, "", `#game=${game}&presets=${presets.join(",")}${only ? "&only=yes" : ""}`);
  draw();
}

function draw() {
  const { game, presets, only } = wish();
  const { fields, presets: all } = described[game];
  byId("game").value = game;
  byId("only").checked = only;
  const differs = (field) => presets.some((name) => !same(all[name][field.name], all[presets[0]][field.name]));
  fill(byId("presets"), Object.keys(all).map((name) => el("label", {}, el("input", { type: "checkbox", checked: presets.includes(name), onchange: (event) => choose(name, event.target.checked) }), ` ${name}`)));
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = fields.filter((field) => (!only || differs(field)) && words.every((word) => `${field.name} ${field.sentence}`.toLowerCase().includes(word)));
  const count = fields.filter(differs).length;
  byId("summary").textContent = presets.length > 1 ? `${plural(count, "option")} of ${fields.length} ${count === 1 ? "differs" : "differ"} between ${presets.join(", ")}.` : `${fields.length} options of ${presets[0]}.`;
  const sections = [...new Set(found.map((field) => field.section))];
  fill(
    byId("table"),
    el("caption", { text: "null: no such limit or condition" }),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Option" }), presets.map((name) => el("th", { scope: "col", text: name })))),
    sections.map((section) =>
      el(
        "tbody", {},
        el("tr", { class: "section" }, el("th", { colspan: presets.length + 1, scope: "rowgroup" }, el("a", { href: sectionAddress(section), text: `§${section} ${SECTION_TITLES[section] ?? ""}` }))),
        found.filter((field) => field.section === section).map((field) => line(field, presets, all)),
      ),
    ),
  );
  if (!found.length) byId("table").append(el("tbody", {}, el("tr", {}, el("td", { colspan: presets.length + 1, text: "Nothing found." }))));
}

function line(field, presets, all) {
  const first = all[presets[0]][field.name];
  return el(
    "tr", { "data-option": field.name },
    el("th", { scope: "row" }, el("code", { text: field.name }), el("p", { text: field.sentence }), el("small", { text: field.allowed })),
    presets.map((name) => {
      const value = all[name][field.name];
      const other = !same(value, first);
      const long = typeof value === "object" && value !== null && !Array.isArray(value);
      return el("td", { class: `${other ? "other" : ""}${long ? " long" : ""}`, "data-preset": name }, el("span", {}, other && el("b", { class: "differs", title: `not as in ${presets[0]}`, text: "≠ " }), saidValue(value)));
    }),
  );
}

function choose(name, chosen) {
  const { presets } = wish();
  const next = chosen ? [...presets, name] : presets.filter((each) => each !== name);
  if (next.length) wishFor({ presets: next });
  else draw();
  [...byId("presets").querySelectorAll("label")].find((label) => label.textContent.trim() === name)?.querySelector("input").focus();
}

byId("game").onchange = (event) => wishFor({ game: event.target.value, presets: FIRST[event.target.value] });
byId("only").onchange = (event) => wishFor({ only: event.target.checked });
byId("find").oninput = () => draw();
addEventListener("hashchange", () => described && draw());
try {
  described = await allRules();
  draw();
} catch (fault) {
  fill(byId("summary"), refusal(fault));
}

// A call as programs write it. What is shown runs as it is.
import { copied, el, fill } from "./dom.js";

const WIDE = 88;

function literal(value, words, indent, depth = 0) {
  if (value === null || typeof value === "boolean") return words[String(value)];
  if (typeof value !== "object") return JSON.stringify(value);
  const list = Array.isArray(value);
  const parts = list
    ? value.map((each) => literal(each, words, indent, depth + 1))
    : Object.entries(value).map(([name, each]) => `${words.name(name)}: ${literal(each, words, indent, depth + 1)}`);
  const ends = list ? "[]" : "{}";
  const space = !list && words.spaced && parts.length ? " " : "";
  const short = ends[0] + space + parts.join(", ") + space + ends[1];
  if (short.length <= WIDE - depth * indent.length || value.every?.((each) => typeof each !== "object")) return short;
  const inner = indent.repeat(depth + 1);
  return `${ends[0]}\n${parts.map((part) => inner + part).join(",\n")}\n${indent.repeat(depth)}${ends[1]}`;
}

const JSON_WORDS = { null: "null", true: "true", false: "false", name: JSON.stringify };
const PYTHON_WORDS = { null: "None", true: "True", false: "False", name: JSON.stringify };
const SCRIPT_WORDS = { ...JSON_WORDS, name: (name) => (/^\w+$/.test(name) ? name : JSON.stringify(name)), spaced: true };

const CURL = (url, body, key) =>
  `curl -s ${url} \\\n${key ? '  -H "Authorization: Bearer $CARDREF_KEY" \\\n' : ""}  -H 'Content-Type: application/json' \\\n  -d '${literal(body, JSON_WORDS, "  ")}'`;

const PYTHON = (url, body, key) =>
  `${key ? "import os\n\n" : ""}import requests\n\nanswer = requests.post(\n    "${url}",\n` +
  (key ? `    headers={"Authorization": f"Bearer {os.environ['CARDREF_KEY']}"},\n` : "") +
  `    json=${literal(body, PYTHON_WORDS, "    ", 1)},\n)\nprint(answer.json())`;

const SCRIPT = (url, body, key) =>
  `const answer = await fetch("${url}", {\n  method: "POST",\n  headers: { "Content-Type": "application/json"${key ? ", Authorization: `Bearer ${process.env.CARDREF_KEY}`" : ""} },\n` +
  `  body: JSON.stringify(${literal(body, SCRIPT_WORDS, "  ", 1)}),\n});\nconsole.dir(await answer.json(), { depth: null });`;

const LANGUAGES = [["curl", CURL], ["Python", PYTHON], ["TypeScript", SCRIPT]];
let chosen = 0;

/** Show a call in the language chosen last. */
export function showCall(place, path, body, key) {
  const texts = LANGUAGES.map(([, write]) => write(location.origin + path, body, key));
  const code = el("pre", { id: "call-text", tabindex: 0, role: "tabpanel", "aria-labelledby": `language-${chosen}` });
  const tabs = LANGUAGES.map(([name], at) =>
    el("button", { type: "button", role: "tab", id: `language-${at}`, "aria-controls": "call-text", text: name, onclick: () => choose(at) }),
  );
  function choose(at) {
    chosen = at;
    tabs.forEach((tab, number) => {
      tab.setAttribute("aria-selected", String(number === at));
      tab.tabIndex = number === at ? 0 : -1;
    });
    code.setAttribute("aria-labelledby", `language-${at}`);
    code.textContent = texts[at];
  }
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Language" }, tabs);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: LANGUAGES.length - 1 }[event.key];
    if (!step) return;
    choose((chosen + step) % LANGUAGES.length);
    tabs[chosen].focus();
  });
  choose(chosen);
  fill(place, el("div", { class: "row spread" }, list, el("button", { type: "button", text: "Copy", onclick: (event) => copied(event.currentTarget, code.textContent) })), code);
}

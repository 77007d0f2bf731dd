// The choice of rules: a preset, and single options over it, each with what it says.
import { byId, el, fill, plural } from "./dom.js";
import { asRules, chosen, same, saidValue, SECTION_TITLES } from "./rules-data.js";

/** A field to choose an option's value with; `changed` gets the value, or an Error that says what may stand there. */
function field(option, value, changed) {
  const id = `option-${option.name}`;
  if (option.type === "boolean") {
    return el("input", { id, type: "checkbox", checked: value, onchange: (event) => changed(event.target.checked) });
  }
  if (option.type === "choice") {
    const choices = option.choices.map((choice) => el("option", { value: choice, text: choice, selected: choice === value }));
    return el("select", { id, onchange: (event) => changed(event.target.value) }, choices);
  }
  const shown = value === null ? "null" : Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return el("input", { id, value: shown, "aria-describedby": `${id}-allowed`, onchange: (event) => changed(parsed(option, event.target.value)) });
}

function parsed(option, text) {
  const said = text.trim();
  if (said === "null" || said === "") return null;
  if (option.type === "integer") return Number.isInteger(Number(said)) ? Number(said) : said;
  try {
    return JSON.parse(/^[[{]/.test(said) ? said : `[${said}]`);
  } catch {
    return said; // the service says what is wrong with it
  }
}

/** Show the rules of a state; `choose` gets other rules when somebody chooses them. */
export function showOptions(described, rules, choose) {
  const { preset, changes } = chosen(rules);
  const base = described.presets[preset] ?? described.presets.house;
  const select = byId("preset");
  fill(select, Object.keys(described.presets).map((name) => el("option", { value: name, text: name, selected: name === preset })));
  select.onchange = () => choose(select.value);
  const count = Object.keys(changes).length;
  byId("changed").textContent = count ? `and ${plural(count, "option")} of its own: ${Object.keys(changes).join(", ")}` : "";
  byId("compare").href = `/play/rules#presets=${preset === "house" ? "house,indian" : `house,${preset}`}`;
  byId("reset-options").disabled = !count;
  byId("reset-options").onclick = () => choose(preset);
  const boxes = described.fields.map((option) => {
    const value = option.name in changes ? changes[option.name] : base[option.name];
    const set = (next) => {
      const { [option.name]: _, ...others } = changes;
      choose(asRules(preset, same(next, base[option.name]) ? others : { ...others, [option.name]: next }));
    };
    const box = el(
      "div", { class: option.name in changes ? "option changed" : "option" },
      el("label", { for: `option-${option.name}` }, el("code", { text: option.name })), " ", field(option, value, set),
      el("p", { text: option.sentence }),
      el("small", { id: `option-${option.name}-allowed` }, `§${option.section} ${SECTION_TITLES[option.section] ?? ""} · ${option.allowed} · ${preset}: ${saidValue(base[option.name])}`),
    );
    box.dataset.words = `${option.name} ${option.sentence} ${SECTION_TITLES[option.section] ?? ""}`.toLowerCase();
    return box;
  });
  fill(byId("options"), boxes);
  const find = byId("find-option");
  find.oninput = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    boxes.forEach((box) => (box.hidden = !words.every((word) => box.dataset.words.includes(word))));
  };
  find.oninput();
}

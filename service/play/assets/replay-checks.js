// What was checked of a record, in words: the shuffles in this browser, everything else by the service.
import { refusal } from "./api.js";
import { el, fill, plural } from "./dom.js";
import { checkShuffles } from "./replay-shuffle.js";

const line = (ok, title, detail, link) =>
  el("li", { class: ok === false ? "wrong" : "" }, el("strong", { text: `${ok === null ? "… " : ok ? "✓ " : "✗ "}${title}: ` }), detail, " ", link);

const jump = (at, go) => el("button", { type: "button", text: at ? `See move ${at}` : "See the deal", onclick: () => go(at) });

/** Check the shuffles of a record; a promise of {ok, steps}, or of what keeps this browser from it. */
export async function shuffled(record, deck) {
  if (!globalThis.crypto?.subtle) return { ok: null, steps: [], why: "This browser offers its cryptography to https addresses and this machine's own only. docs/verify_shuffle.js does the same." };
  try {
    return await checkShuffles(record, deck);
  } catch (fault) {
    return { ok: false, steps: [{ ok: false, at: 0, title: "Shuffles", detail: fault.message }] };
  }
}

/** Show both checks as far as they have come. */
export function showChecks(place, { shuffles, positions, go }) {
  const last = positions.states.length - 1;
  const whole = last === positions.count - 1;
  const parts = [];
  if (!shuffles) parts.push(line(null, "Shuffles", "being done again in this browser"));
  else if (shuffles.ok === null) parts.push(line(null, "Shuffles", shuffles.why));
  else {
    const wrong = shuffles.steps.find((step) => !step.ok);
    parts.push(line(shuffles.ok, "Shuffles", shuffles.ok ? `${plural(shuffles.shuffles, "shuffle")} done again in this browser: every card came as the committed seed says.` : `fails at “${wrong.title}”.`));
    parts.push(...shuffles.steps.map((step) => line(step.ok, step.title, step.detail, !step.ok && step.at > 0 && jump(step.at, go))));
  }
  const { differs, stopped } = positions;
  if (differs) parts.push(line(false, "Moves", `the record says ${JSON.stringify(differs.recorded)} where the service finds ${JSON.stringify(differs.made ?? null)}, at ${differs.at}.`, jump(Number(/moves\/(\d+)/.exec(differs.at)?.[1] ?? -1) + 1, go)));
  else if (stopped) parts.push(line(false, "Moves", `the service cannot go on behind move ${Math.max(0, last)}.`));
  else parts.push(line(whole ? true : null, "Moves", whole ? `the service makes the same of all ${positions.count - 1}: each is legal, each event and the outcome are as recorded.` : `played again by the service: ${Math.max(0, last)} of ${positions.count - 1}`));
  fill(place, el("ul", { class: "plain checks" }, parts), stopped && refusal(stopped));
}

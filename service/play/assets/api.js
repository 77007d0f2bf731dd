// Calls of the public API, on this host alone. Where it asks for a key, so does the page; the key stays in this page's memory.
import { byId, el } from "./dom.js";

let key = "";
let asking = null;
let told = null; // what the service says of itself

/** What the service refused: its problem, as it answered it. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? "refused");
    this.problem = problem;
  }
}

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** What the service says of itself, among others whether calls need a key. */
export function service() {
  told ??= fetch("/", { headers: { Accept: "application/json" }, cache: "no-cache" }).then((answer) => answer.json());
  return told;
}

/** The answer as JSON. Throws `Refused`, and an Error where there is no answer. Waits where it is told to come later. */
export async function call(method, path, body, { token = "", signal } = {}) {
  // Asked before the first call: a refused one would be an error on the console
  if (!key && !token && path.startsWith("/v1") && (await service().catch(() => ({}))).keys) await askForKey(false);
  for (let tries = 0; ; tries += 1) {
    const headers = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (token || key) headers.Authorization = `Bearer ${token || key}`;
    let answer;
    try {
      answer = await fetch(path, { method, headers, signal, cache: "no-cache", body: body === undefined ? undefined : JSON.stringify(body) });
    } catch (fault) {
      if (fault.name === "AbortError") throw fault;
      throw new Error("The service does not answer.");
    }
    if (answer.ok) return answer.json();
    const problem = await answer.json().catch(() => ({ status: answer.status, title: answer.statusText }));
    if (answer.status === 401 && !token) {
      await askForKey(key !== "");
      continue;
    }
    if (answer.status === 429 && tries < 5) {
      await pause(Math.min(10, Number(answer.headers.get("Retry-After")) || 1));
      continue;
    }
    throw new Refused(problem);
  }
}

export const post = (path, body, options) => call("POST", path, body, options);
export const get = (path, options) => call("GET", path, undefined, options);

/** Show the field for a key until one is given; all calls wait for the same one. */
function askForKey(again) {
  asking ??= new Promise((given) => {
    const field = el("input", { id: "key-field", type: "password", autocomplete: "off", spellcheck: "false", required: true });
    const form = el(
      "form", { class: "key", "aria-label": "Key" },
      el("label", { for: "key-field", text: again ? "That key is not taken. Another:" : "This service asks for a key:" }),
      field, el("button", { text: "Use it" }),
      el("small", { text: "It is kept in the memory of this page alone, and gone when you leave it." }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      key = field.value.trim();
      form.remove();
      asking = null;
      given();
    });
    byId("notices").append(form);
    field.focus();
  });
  return asking;
}

/** A problem in words, with where to read about its code, for people. */
export function refusal(fault) {
  const problem = fault instanceof Refused ? fault.problem : null;
  const places = (problem?.errors ?? []).slice(0, 5).map((each) => el("li", {}, el("code", { text: each.pointer || "/" }), ` ${each.detail}`));
  return el(
    "div", { class: "refusal", role: "alert" },
    el("strong", { text: problem ? problem.title : "No answer" }), ` ${fault.message} `,
    problem?.code && el("a", { href: `/docs/errors#${problem.code}`, text: problem.code }),
    places.length > 0 && el("ul", {}, places),
  );
}

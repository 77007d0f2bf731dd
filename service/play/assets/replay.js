// The replay: opens a record, asks the service for its positions, and shows one of them.
import { refusal } from "./api.js";
import { byId, copied, el, fill, settled } from "./dom.js";
import { EMPTY, written } from "./lab-state.js";
import { showChecks, shuffled } from "./replay-checks.js";
import { fetchRecord, idOf, Positions, readRecord } from "./replay-record.js";
import { sampleRecord } from "./replay-sample.js";
import { table } from "./replay-table.js";
import { sectionAddress, told } from "./replay-words.js";
import { allRules, shortest } from "./rules-data.js";
import { ruling } from "./ruling.js";

const wished = new URLSearchParams(location.hash.slice(1));
let record = null;
let positions = null;
let shuffles = null;
let at = 0;
let eyes = "all"; // or a seat's number, or null: a spectator
let timer = 0;
let described = null;
let source = null; // the id of the game, if it is kept here

const names = () => record.seats.map((name, number) => `${name || `seat ${number}`}`);
const eventsAt = (place) => (place === 0 ? record.deal : record.moves[place - 1].events);
const roundOf = (place) => {
  for (let step = place; step >= 0; step -= 1) for (const event of eventsAt(step)) if (event.type === "dealt") return { round: event.round, start: step };
  return { round: 1, start: 0 };
};

// Opening ----------------------------------------------------------------------------------------------------------------

async function open(found, id = null) {
  positions && (positions.ended = true);
  stop();
  record = found;
  source = id;
  positions = new Positions(record);
  shuffles = null;
  at = Math.min(Number(wished.get("step")) || 0, positions.count - 1);
  const wish = wished.get("eyes");
  eyes = wish === "spectator" ? null : wish !== null && /^\d+$/.test(wish) && Number(wish) < record.seats.length ? Number(wish) : "all";
  wished.delete("step");
  byId("open-box").open = false;
  byId("match").hidden = false;
  fill(byId("open-wrong"));
  fill(byId("eyes"), el("option", { value: "all", text: "everyone: all cards" }), names().map((name, seat) => el("option", { value: seat, text: name })), el("option", { value: "spectator", text: "a spectator" }));
  byId("eyes").value = eyes === null ? "spectator" : String(eyes);
  byId("slider").max = positions.count - 1;
  const deals = record.moves.flatMap((move, place) => move.events.filter((event) => event.type === "dealt").map((event) => [event.round, place + 1]));
  fill(byId("round"), [[1, 0], ...deals].map(([round, place]) => el("option", { value: place, text: round })));
  showLog(true);
  const mine = positions;
  const checks = settled(() => mine === positions && showChecks(byId("checks"), { shuffles, positions, go }), 80);
  showChecks(byId("checks"), { shuffles, positions, go });
  await mine.load(() => {
    if (mine !== positions) return;
    checks();
    if (mine.states.length === 1) shuffled(record, mine.deck()).then((result) => mine === positions && ((shuffles = result), checks()));
    if (mine.states.length - 1 === at || mine.stopped) show();
  });
}

const opening = (work) => async (event) => {
  event?.preventDefault();
  try {
    await work();
  } catch (fault) {
    fill(byId("open-wrong"), fault.problem ? refusal(fault) : el("p", { class: "bad", text: fault.message }));
  }
};

// One position -----------------------------------------------------------------------------------------------------------

function go(place) {
  at = Math.max(0, Math.min(place, positions.count - 1));
  show();
}

async function show() {
  const mine = [positions, at, eyes];
  byId("slider").value = at;
  const move = at ? record.moves[at - 1] : null;
  byId("position-title").textContent = at ? `Move ${at} of ${positions.count - 1}` : "The deal";
  for (const [id, end] of [["first", 0], ["back", 0], ["next", positions.count - 1], ["last", positions.count - 1]]) byId(id).disabled = at === end;
  byId("round").value = roundOf(at).start;
  showNow(move);
  showLog();
  history.replaceState(null, "", `#${new URLSearchParams({ ...(source ? { game: source } : {}), step: at, eyes: eyes ?? "spectator" })}`);
  const state = positions.states[at];
  if (!state) {
    fill(byId("table"), positions.stopped ? refusal(positions.stopped) : el("p", { class: "soft", text: "The service is still playing up to here …" }));
    return;
  }
  try {
    const seen = eyes === "all" ? state : await positions.view(at, eyes);
    const inPause = state.phase === "round_over" && record.rules.format === "pool";
    const between = inPause ? await positions.view(at, eyes === "all" ? null : eyes) : null;
    if (mine[0] !== positions || mine[1] !== at || mine[2] !== eyes) return;
    fill(byId("table"), table(record.game, seen, names(), (seat, result) => labOf(seen.seats[seat].hand, result.grouping, seen.wild_rank), between));
  } catch (fault) {
    fill(byId("table"), refusal(fault));
  }
}

const context = () => ({ game: record.game, names: names(), eyes, rules: record.rules });

function showNow(move) {
  const stamp = move && [move.at && `at ${move.at.replace("T", " ").replace("Z", " UTC")}`, move.by === "timeout" && "in the place of a seat out of time", move.by === "app" && "sent by the app"].filter(Boolean).join(", ");
  const all = eventsAt(at).map((event) => ({ event, ...told(event, context()) }));
  fill(
    byId("now"),
    all.map((each) => el("p", {}, each.words, " ", each.section && el("small", {}, section(each.section), ` ${each.rule}`), " ", judged(each.event))),
    stamp && el("small", { text: stamp }),
    ruling(described?.[record.game], record.rules, [...new Set(all.map((each) => each.section))].filter(Boolean), "The rules of this match in"),
  );
}

const section = (number) => el("a", { href: sectionAddress(number), text: `§${number}` });

/** A declaration leads to the lab, where it is judged again. */
function judged(event) {
  if (event.type !== "declared" && event.type !== "penalised") return null;
  const before = positions.states[at - 1];
  const { fold } = record.moves[at - 1].move;
  const own = eyes === "all" || eyes === event.seat;
  const groups = (event.groups ?? []).map((group) => group.cards ?? group);
  const hand = event.type === "declared" ? [...groups.flat(), fold] : own ? (before?.seats[event.seat].hand ?? []) : groups.flat();
  if (!hand.length || !before) return null;
  return labLink({ hand, groups, fold: own || event.type === "declared" ? fold : null, wild: before.wild_rank }, "Judge it in the hand lab");
}

const labOf = (hand, grouping, wild) => el("p", {}, labLink({ hand: Array.isArray(hand) && hand.length === 13 ? hand : [...grouping.groups.flatMap((group) => group.cards), ...grouping.loose], wild }, "This hand in the hand lab"));
const labLink = (state, text) => el("a", { href: `/play#${written({ ...EMPTY, ...state, rules: shortest(described?.rummy, record.rules) })}`, target: "_blank", rel: "noopener", text });

let logged = null;
function showLog(anew = false) {
  const { start } = roundOf(at);
  const name = `${start} ${eyes}`;
  if (anew || logged !== name) {
    logged = name;
    const lines = [];
    for (let place = start; place < positions.count && (place === start || !eventsAt(place).some((event) => event.type === "dealt")); place += 1) {
      lines.push(el("li", { "data-at": place }, el("button", { type: "button", text: place ? String(place) : "deal", "aria-label": place ? `Go to move ${place}` : "Go to the deal", onclick: () => go(place) }), el("div", {}, eventsAt(place).map((event) => { const { words, section: number } = told(event, context()); return el("p", {}, words, " ", number && el("small", {}, section(number))); }))));
    }
    fill(byId("log"), lines);
  }
  for (const line of byId("log").children) {
    const here = Number(line.dataset.at) === at;
    line.toggleAttribute("aria-current", here);
    if (here) byId("log").scrollTop = line.offsetTop - byId("log").offsetTop - 120;
  }
}

// Controls ---------------------------------------------------------------------------------------------------------------

function stop() {
  clearInterval(timer);
  timer = 0;
  byId("play").textContent = "Play";
}

function play() {
  if (timer) return stop();
  if (at === positions.count - 1) go(0);
  byId("play").textContent = "Pause";
  timer = setInterval(() => (at === positions.count - 1 ? stop() : go(at + 1)), 900);
}

byId("first").onclick = () => go(0);
byId("back").onclick = () => go(at - 1);
byId("next").onclick = () => go(at + 1);
byId("last").onclick = () => go(positions.count - 1);
byId("play").onclick = play;
byId("slider").oninput = (event) => go(Number(event.target.value));
byId("round").onchange = (event) => go(Number(event.target.value));
byId("eyes").onchange = (event) => {
  const { value } = event.target;
  eyes = value === "all" ? value : value === "spectator" ? null : Number(value);
  show();
};
byId("copy-link").onclick = (event) => copied(event.currentTarget, location.href);
addEventListener("keydown", (event) => {
  if (!record || event.target.closest("input, textarea, select, button, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: positions.count - 1 }[event.key];
  if (to === undefined && event.key !== " ") return;
  event.preventDefault();
  if (event.key === " ") play();
  else go(to);
});
byId("file").onchange = opening(async () => open(readRecord(await byId("file").files[0].text())));
byId("paste").onsubmit = opening(async () => open(readRecord(byId("pasted").value)));
byId("fetch").onsubmit = opening(async () => open(await fetchRecord(byId("place").value, byId("token").value.trim()), idOf(byId("place").value)));
byId("sample").onclick = opening(async () => open(await sampleRecord()));
if (wished.get("game")) byId("place").value = wished.get("game");
allRules().then((rules) => {
  described = rules;
  if (record) show();
}, () => null);

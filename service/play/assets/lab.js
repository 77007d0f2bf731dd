// The hand lab: what is clicked, typed or pasted becomes a state, the state an address, calls and their answers.
import { post, refusal, service } from "./api.js";
import { cardPicture, chip, JOKER, rankCosts, RANKS, shownRank, sorted, spoken, SUITS, without } from "./cards.js";
import { byId, copied, el, fill, settled } from "./dom.js";
import { showCall } from "./lab-code.js";
import { showOptions } from "./lab-options.js";
import { DECLARATIONS, GROUPINGS, pictureOf, showResults } from "./lab-results.js";
import { declarationCall, EMPTY, EXAMPLE, groupingCall, pasted, read, shown, ungrouped, written } from "./lab-state.js";
import { allRules, chosen } from "./rules-data.js";
import { ruling } from "./ruling.js";

let state = EMPTY;
let past = [];
let picked = []; // the chosen cards: {card, group}, group being a number or null
let described = null;
let needsKey = false;

// Changes --------------------------------------------------------------------------------------------------------------

/** Go on to another state; it can be undone unless it is the first. `typing`: the text stays as it is being written. */
function become(next, { typing = false, first = false } = {}) {
  if (JSON.stringify(next) === JSON.stringify(state) && !first) return;
  if (!first) past.push(state);
  state = next;
  picked = [];
  history.replaceState(null, "", `#${written(state)}`);
  if (!typing) byId("text").value = shown(state);
  if (!typing) fill(byId("text-wrong"));
  draw();
}

function undo() {
  if (!past.length) return;
  const before = past.pop();
  become(before, { first: true });
}

const add = (card) => become({ ...state, hand: [...state.hand, card] });
const lay = (groups, fold) => become({ ...state, groups, fold });

function layPicked() {
  const cards = picked.map((each) => each.card);
  const left = state.groups.map((group, at) => without(group, picked.filter((each) => each.group === at).map((each) => each.card)));
  become({ ...state, groups: [...left, cards].filter((group) => group.length), fold: cards.includes(state.fold) ? null : state.fold });
}

function takeOut(remove) {
  const left = state.groups.map((group, at) => without(group, picked.filter((each) => each.group === at).map((each) => each.card)));
  const groups = left.filter((group) => group.length);
  const gone = picked.map((each) => each.card);
  const fold = remove && gone.includes(state.fold) ? null : state.fold;
  become({ ...state, groups, fold, hand: remove ? without(state.hand, gone) : state.hand });
}

// The hand ---------------------------------------------------------------------------------------------------------------

function draw() {
  byId("count").textContent = `${state.hand.length} of 13 or 14`;
  byId("undo").disabled = !past.length;
  byId("clear").disabled = !state.hand.length && !state.groups.length;
  byId("wild").value = state.wild ?? "";
  drawTray();
  drawDeck();
  if (described) showOptions(described, state.rules, (rules) => become({ ...state, rules }));
  drawCall();
  const picture = pictureOf(state);
  byId("picture").hidden = !picture;
  if (picture) byId("picture").href = picture;
  ask();
}

function drawCall() {
  const body = declarationCall(state) ?? groupingCall(state);
  byId("code").closest("section").hidden = !body;
  if (body) showCall(byId("code"), declarationCall(state) ? DECLARATIONS : GROUPINGS, body, needsKey);
}

const ask = settled(() => showResults({ ...state, costs: rankCosts(resolved(state.rules)) }, lay, judgedBy), 60);

/** The options that a declaration is judged by, as they are chosen. */
function judgedBy(rules) {
  return ruling(described, resolved(rules), ["1.2", "1.3"], "The rules it is judged by:");
}

function resolved(rules) {
  const { preset, changes } = chosen(rules);
  return { ...described?.presets[preset], ...changes };
}

function drawTray() {
  const rest = ungrouped(state);
  const parts = [
    ...state.groups.map((group, at) => el("div", { class: "group" }, el("p", { text: `Group ${at + 1}` }), pickable(group, at))),
    rest.length > 0 && (state.groups.length ? el("div", { class: "group" }, el("p", { text: "In no group" }), pickable(rest, null)) : pickable(sorted(rest), null)),
  ];
  fill(byId("tray"), el("div", { class: "groups" }, parts));
  showPicked();
}

function pickable(cards, group) {
  return el("div", { class: "cards" }, cards.map((card) => {
    const button = el("button", { type: "button", class: "pick", "aria-pressed": "false", "aria-label": spoken(card) + (card === state.fold && group === null ? ", folded" : "") }, cardPicture(card, { wild: state.wild, said: false }));
    const mine = { card, group };
    button.onclick = () => {
      picked = picked.includes(mine) ? picked.filter((each) => each !== mine) : [...picked, mine];
      button.setAttribute("aria-pressed", String(picked.includes(mine)));
      showPicked();
    };
    return button;
  }));
}

function showPicked() {
  byId("make-group").disabled = picked.length < 2;
  byId("ungroup").disabled = !picked.some((each) => each.group !== null);
  byId("remove").disabled = !picked.length;
  byId("fold").disabled = picked.length !== 1 || picked[0].group !== null || state.hand.length !== 14;
}

function drawDeck() {
  for (const button of byId("deck").children) {
    const held = state.hand.filter((card) => card === button.dataset.card).length;
    button.classList.toggle("has", held > 0);
    button.setAttribute("aria-label", `Add the ${spoken(button.dataset.card)}${held ? `; in hand: ${held}` : ""}`);
  }
}

// Beginnings ---------------------------------------------------------------------------------------------------------------

/** A hand as the service deals it under these rules. */
async function randomHand() {
  const { state: dealt } = await post("/v1/rummy/deals", { seats: 2, rules: state.rules });
  become({ ...state, hand: sorted(dealt.seats[0].hand), groups: [], fold: null, wild: dealt.wild_rank });
}

// Thirteen cards without three in a row of a suit: four of some ranks, and no more than two of any
const WORST = ["TS JS KS AS TH JH KH AH TD JD KD AD TC", "AS KS JS TS AH KH JH TH QD QC 9D 9C 8D"].map((text) => text.split(" "));

/** Of hands in which little fits, the one that costs most under these rules. */
async function worstHand() {
  const { results } = await post("/v1/rummy/groupings/batch", { hands: WORST, wild_rank: "2", rules: state.rules });
  const costs = results.map((each) => each.points_uncapped ?? -1);
  become({ ...state, hand: WORST[costs.indexOf(Math.max(...costs))], groups: [], fold: null, wild: "2" });
}

const telling = (action) => () => action().catch((fault) => fill(byId("best"), refusal(fault)));

function readText() {
  try {
    become(pasted(byId("text").value, state), { typing: true });
    fill(byId("text-wrong"));
  } catch (fault) {
    fill(byId("text-wrong"), el("p", { class: "bad", text: fault.message }));
  }
}

function fromAddress() {
  try {
    const fragment = location.hash.slice(1);
    become(fragment ? read(decodeURI(fragment)) : EXAMPLE, { first: true });
  } catch (fault) {
    become(EXAMPLE, { first: true });
    fill(byId("text-wrong"), el("p", { class: "bad", text: `The address tells no hand: ${fault.message}` }));
  }
}

byId("deck").append(...SUITS.flatMap((suit) => RANKS.map((rank) => {
  const button = el("button", { type: "button", onclick: () => add(rank + suit) }, chip(rank + suit));
  button.dataset.card = rank + suit;
  return button;
})));
fill(byId("wild"), el("option", { value: "", text: "none" }), RANKS.map((rank) => el("option", { value: rank, text: shownRank(rank) })));
byId("wild").onchange = (event) => become({ ...state, wild: event.target.value || null });
byId("joker").onclick = () => add(JOKER);
byId("text").oninput = settled(readText, 250);
byId("undo").onclick = undo;
byId("clear").onclick = () => become({ ...EMPTY, wild: state.wild, rules: state.rules });
byId("make-group").onclick = layPicked;
byId("ungroup").onclick = () => takeOut(false);
byId("remove").onclick = () => takeOut(true);
byId("fold").onclick = () => become({ ...state, fold: picked[0].card === state.fold ? null : picked[0].card });
byId("random").onclick = telling(randomHand);
byId("worst").onclick = telling(worstHand);
byId("example").onclick = () => become(EXAMPLE);
byId("copy-link").onclick = (event) => copied(event.currentTarget, location.href);
addEventListener("hashchange", fromAddress);
addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.matches("input, textarea")) undo();
});
fromAddress();
byId("deck-box").open = innerWidth > 800 || state.hand.length < 13; // on a phone the answer comes first
service().then(({ keys }) => {
  needsKey = keys;
  drawCall();
}, () => null);
described = (await allRules().catch(() => null))?.rummy ?? null;
if (described) showOptions(described, state.rules, (rules) => become({ ...state, rules }));

// The front door: how the service is, one call and its answer. What needs a key waits until somebody asks for it.
import { get, post, refusal, service } from "./api.js";
import { rankCosts } from "./cards.js";
import { byId, el, fill } from "./dom.js";
import { groupingBoxes } from "./groups-view.js";
import { EXAMPLE, groupingCall, written } from "./lab-state.js";

const body = groupingCall(EXAMPLE);

async function showState() {
  const place = byId("state");
  const { version } = await service();
  try {
    const { warnings = [] } = await get("/readyz");
    place.className = "state well";
    fill(place, `✓ Ready · version ${version}`, warnings.map((each) => el("span", {}, " · ", el("strong", { text: "warning: " }), each.detail ?? each.code ?? JSON.stringify(each))));
  } catch (fault) {
    place.className = "state ill";
    fill(place, `✗ Not ready · version ${version} · ${fault.message}`);
  }
}

async function ask() {
  byId("ask").disabled = true;
  try {
    const found = await post("/v1/rummy/groupings", body);
    fill(byId("answer"), el("p", { class: "verdict", text: `${found.points} points, ${found.declarable ? "can" : "cannot"} be declared.` }), groupingBoxes(found, EXAMPLE.wild, found.points_uncapped, rankCosts({})), el("details", {}, el("summary", { text: "The answer as JSON" }), el("pre", { tabindex: 0, text: JSON.stringify(found, null, 1) })));
    await showCalls();
  } catch (fault) {
    fill(byId("answer"), refusal(fault));
  }
  byId("ask").disabled = false;
}

async function showCalls() {
  const { calls } = await get("/v1");
  fill(byId("calls"), el("ul", { class: "calls" }, calls.map((call) => el("li", {}, el("code", { text: `${call.method} ${call.path}` }), ` ${call.summary}`))));
}

fill(byId("call"), `POST /v1/rummy/groupings\n${JSON.stringify(body)}`);
byId("open").href = `/play#${written(EXAMPLE)}`;
byId("ask").onclick = ask;
showState().catch((fault) => fill(byId("state"), fault.message));
// In open mode everything can be shown at once; with keys, only once somebody has given one
if (!(await service()).keys) ask();

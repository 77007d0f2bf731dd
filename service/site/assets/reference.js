// The reference, drawn by Scalar from what the service says of itself. Nothing of it leaves this host.
import { createApiReference } from "./scalar-1.76.0/standalone.esm.js";

const SAMPLES_CALL = /http:\/\/localhost:8000/g;

const answer = await fetch("/docs/reference.json");
const description = JSON.parse((await answer.text()).replace(SAMPLES_CALL, location.origin));

createApiReference("#reference", {
  content: description,
  layout: "modern",
  theme: "default",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  hiddenClients: true,
  documentDownloadType: "none",
  persistAuth: false,
  proxyUrl: "",
  externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
});

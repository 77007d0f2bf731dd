// What every page has around it: the choice of light or dark, and of two or four colours for the suits, kept for the next time.
import { byId } from "./dom.js";

const CHOICES = { theme: ["auto", "light", "dark"], suits: ["four", "two"] };
const SAID = {
  theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
  suits: { four: "Suits: four colours", two: "Suits: two colours" },
};

function kept(name) {
  try {
    const found = localStorage.getItem(`cardref-${name}`);
    return CHOICES[name].includes(found) ? found : CHOICES[name][0];
  } catch {
    return CHOICES[name][0];
  }
}

function show(name, value) {
  document.documentElement.dataset[name] = value;
  const button = byId(`choose-${name}`);
  if (button) button.textContent = SAID[name][value];
}

for (const name of Object.keys(CHOICES)) {
  show(name, kept(name));
  byId(`choose-${name}`)?.addEventListener("click", () => {
    const now = document.documentElement.dataset[name];
    const next = CHOICES[name][(CHOICES[name].indexOf(now) + 1) % CHOICES[name].length];
    show(name, next);
    try {
      localStorage.setItem(`cardref-${name}`, next);
    } catch {
      // nothing is kept where nothing may be
    }
  });
}

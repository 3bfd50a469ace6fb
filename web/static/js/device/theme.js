// The look of this device: the night table unless somebody chose the day, and a font that waits for the first picture.

import { html } from "../../vendor/htm-preact.js";
import { afterFrame, keep, kept } from "../core/device.js";
import { change } from "../core/store.js";
import { t } from "../core/texts.js";

const THEMES = ["night", "day", "device"];
const PLACE = "theme";
const daylight = matchMedia("(prefers-color-scheme: light)");

export function startTheme() {
  wear();
  daylight.addEventListener("change", wear);
  afterFrame(() => document.documentElement.classList.add("dressed"));
}

function chosen() {
  return kept(PLACE) ?? THEMES[0];
}

function wear() {
  const asked = chosen();
  document.documentElement.dataset.theme = asked === "device" ? (daylight.matches ? "day" : "night") : asked;
}

export function ThemeChoice() {
  const choose = (/** @type {string} */ theme) => {
    keep(PLACE, theme);
    wear();
    change({});
  };
  return html`<div class="choice" role="radiogroup" aria-label=${t("theme.title")}>
    ${THEMES.map(
      (one) => html`<button type="button" role="radio" class="option" key=${one} data-choice=${one}
        aria-checked=${one === chosen()} onClick=${() => choose(one)}><strong>${t(`theme.${one}`)}</strong></button>`,
    )}
  </div>`;
}

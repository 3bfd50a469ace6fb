// A number that goes up and down by one.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";

/** @param {{ value: number; least: number; most: number; onChange: (value: number) => void; label: string }} props */
export function Stepper({ value, least, most, onChange, label }) {
  return html`<div class="stepper" role="group" aria-label=${label}>
    <button type="button" class="button round" aria-label=${t("common.less")} disabled=${value <= least}
      onClick=${() => onChange(value - 1)}>−</button>
    <output>${value}</output>
    <button type="button" class="button round" aria-label=${t("common.more")} disabled=${value >= most}
      onClick=${() => onChange(value + 1)}>+</button>
  </div>`;
}

// How the evening is played, and the codes that let others in.

import { html, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { Button, Choice } from "../parts/components.js";
import { NumberField } from "./hall.js";

const FORMATS = ["swiss", "club", "progressive", "knockout", "free"];
/** @type {[string, number, number][]} */
const NUMBERS = [
  ["rounds", 1, 50],
  ["least", 2, 10],
  ["most", 2, 10],
  ["minutes", 0, 600],
  ["seed", 0, 999_999],
];

/** @param {Page.DeskProps} props */
export function Plan({ seen, desk, act }) {
  const [plan, setPlan] = useState(seen.evening.plan);
  const set = (/** @type {string} */ name, /** @type {any} */ value) => setPlan({ ...plan, [name]: value });
  const saved = new Map(Object.entries(seen.evening.plan));
  const changed = Object.entries(plan).some(([name, value]) => value !== saved.get(name));
  const possible = NUMBERS.every(([one]) => plan[/** @type {"rounds"} */ (one)] !== null);
  const formats = FORMATS.map((one) => ({
    value: one,
    title: t(`desk.format.${one}.title`),
    help: t(`desk.format.${one}.help`),
  }));
  const scorings = ["classic", "alternative"].map((one) => ({ value: one, title: t(`scoring.${one}.title`) }));
  const editions = [
    { value: null, title: t("desk.plan.any_edition") },
    ...desk.editions.map(([value, title]) => ({ value, title })),
  ];
  return html`<section class="hall-form">
    <label>${t("desk.plan.title")}<input class="field" maxlength="60" value=${plan.title}
      onInput=${(/** @type {any} */ event) => set("title", event.target.value)} /></label>
    <h2>${t("desk.plan.format")}</h2>
    <${Choice} name=${t("desk.plan.format")} value=${plan.format} options=${formats}
      onChoose=${(/** @type {string} */ one) => set("format", one)} />
    <h2>${t("desk.plan.scoring")}</h2>
    <${Choice} name=${t("desk.plan.scoring")} value=${plan.scoring} options=${scorings}
      onChoose=${(/** @type {string} */ one) => set("scoring", one)} />
    <h2>${t("desk.plan.edition")}</h2>
    <${Choice} name=${t("desk.plan.edition")} value=${plan.edition} options=${editions}
      onChoose=${(/** @type {string | null} */ one) => set("edition", one)} />
    <div class="hall-row">${NUMBERS.map(
      ([one, least, most]) => html`<${NumberField} key=${one} title=${t(`desk.plan.${one}`)} least=${least} most=${most}
        value=${plan[/** @type {"rounds"} */ (one)]}
          onSet=${(/** @type {number | null} */ value) => set(one, value)} />`,
    )}</div>
    <label class="hall-check"><input type="checkbox" checked=${plan.sign_up}
      onChange=${(/** @type {any} */ event) => set("sign_up", event.target.checked)} /> ${t("desk.plan.sign_up")}
        </label>
    <${Button} tone="primary" disabled=${!changed || !possible}
      onTap=${() => act({ kind: "plan_evening", plan })}>${t("desk.plan.save")}<//>
    ${
      desk.helper_code &&
      html`<p class="hint">${t("desk.plan.helper")} <strong
      class="hall-secret">${desk.helper_code}</strong></p>`
    }
  </section>`;
}

// The latest ruling: what was decided, and by which rule.

import { html } from "../../../vendor/htm-preact.js";
import { open } from "../../core/store.js";
import { sentenceText, t } from "../../core/texts.js";
import { Calling } from "../../parts/calling.js";
import { Button, Heard, nameOf } from "../../parts/components.js";

// One line that opens: what was decided last, or the catch that is being looked into.
/** @param {Page.AtTable} props */
export function LatestRuling({ table }) {
  const [latest] = table.rulings;
  const race = latest && isFinish(table, latest);
  const checked = table.round?.way === "free" ? table.uno : null;
  return html`<section class="rulings" aria-label=${t("rulings.title")} aria-live="polite">
    ${
      checked
        ? html`<p class="ruling-open">${t("uno.checked", { name: nameOf(table, checked.seat) })}
          <${Calling} call=${checked.call} caught=${checked.catch} /></p>`
        : latest
          ? html`<article class="ruling latest ${latest.overruled ? "overruled" : ""}" data-ruling=${latest.number}>
          <${RuleBadge} rule=${latest.rule} />
          <button type="button" class="ruling-open ${sizeOf(latest)}" onClick=${() => open("rulings")}>
            <span class="ruling-line">${sentenceText(latest.sentence)}
              ${latest.overruled && html` <small>${sentenceText(latest.overruled)}</small>`}</span>
            <span class="opens" aria-hidden="true">›</span>
          </button>
          ${race && html`<${Button} tone="quiet" class="photo" onTap=${() => open("photo")}>${t("race.photo")}<//>`}
        </article>`
          : html`<p class="hint">${t("rulings.none")}</p>`
    }
  </section>`;
}

// What names many is written smaller.
/** @param {Table.Ruling} ruling */
function sizeOf(ruling) {
  const letters = sentenceText(ruling.sentence).length;
  return letters > 130 ? "longest" : letters > 75 ? "long" : "";
}

/**
 * @param {Table.View} table
 * @param {Table.Ruling} ruling
 */
export function isFinish(table, ruling) {
  return table.race?.ruling === ruling.number && ruling.evidence?.type === "finish";
}

// A rule's number opens the rule.
/** @param {{ rule: string }} props */
export function RuleBadge({ rule }) {
  return html`<button type="button" class="rule-badge" onClick=${() => open("rule", { rule })}>
    <span class="rule">${rule}</span><${Heard}> ${t("rulings.rule")}<//></button>`;
}

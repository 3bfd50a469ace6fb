// One rule in words, with the numbers of an edition and what this table chose: on the page of rules, and in place.

import { html } from "../../vendor/htm-preact.js";
import { listed, t, titled } from "../core/texts.js";
import { Dialog } from "../parts/components.js";
import { headStartsHere } from "../setup/handicap.js";
import { useAnswer } from "../setup/invite.js";
import { HOUSE_RULES, houseValue } from "../setup/setup.js";

// Behind the number of a rule, wherever it stands.
/** @param {Page.AtTable & { rule: string }} props */
export function RuleInPlace({ table, rule }) {
  /** @type {{ editions: Page.PrintedEdition[] } | null} */
  const known = useAnswer("/api/editions");
  const key = table.match ? table.match.edition : table.setup.edition;
  const edition = known?.editions.find((one) => one.key === key);
  return html`<${Dialog} title=${t("rulings.rule")}>
    ${edition && html`<${Rule} number=${Number(rule.slice(1))} edition=${edition} table=${table} />`}
  <//>`;
}

/** @param {Page.PrintedEdition} edition */
export function numbersOf(edition) {
  const draw = edition.faces.find((face) => face.act === "draw");
  const wildDraw = edition.faces.find((face) => face.act === "wild_draw");
  const last = edition.faces.filter((face) => face.draws_when_last).map((face) => titled(null, face.title));
  return {
    size: edition.size,
    dealt: edition.dealt,
    target: edition.target,
    draw: draw ? titled(null, draw.title) : "–",
    draws: draw?.draws ?? 0,
    wild_draw: wildDraw ? titled(null, wildDraw.title) : "–",
    wild_draws: wildDraw?.draws ?? 0,
    innocent: (wildDraw?.draws ?? 0) + edition.innocent_extra,
    race_draws: edition.race_draws,
    catch_draws: edition.catch_draws,
    last_cards: last.length ? listed(last) : "–",
  };
}

/** @param {{ number: number; edition: Page.PrintedEdition; table: Table.View }} props */
export function Rule({ number, edition, table }) {
  const numbers = numbersOf(edition);
  const house = table.match && table.match.edition === edition.key ? table.match.house : table.setup.house;
  const own = HOUSE_RULES.filter((rule) => rule.rule === number && (edition.race || !rule.race));
  return html`<article class="rule-text" id=${`R${number}`}>
    <h2><span class="rule">R${number}</span> ${t(`rules.r${number}.title`, numbers)}</h2>
    <p>${t(`rules.r${number}.text`, numbers)}</p>
    ${number === 4 && edition.race && html`<p>${t("rules.r4.race", numbers)}</p>`}
    ${number === 14 && edition.race && html`<p>${t("rules.r14.race", numbers)}</p>`}
    ${own.map(
      (rule) => html`<p class="house-note" key=${rule.name}>
        <strong>${t(`house.${rule.name}.title`)}</strong> ${t(`house.${rule.name}.help`)}
        <span class="here">${t("rules.here", { choice: houseValue(rule.name, house[rule.name]) })}</span></p>`,
    )}
    ${
      number === 12 &&
      html`<p class="house-note"><strong>${t("house.handicap.title")}</strong> ${t("house.handicap.help")}
        <span class="here">${t("rules.here", { choice: headStartsHere(table) })}</span></p>`
    }
  </article>`;
}

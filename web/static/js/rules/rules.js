// The rules by number, with the numbers of the chosen edition, and "may I play this?".

import { html, render, useState } from "../../vendor/htm-preact.js";
import { useStore } from "../core/store.js";
import { listed, t, titled } from "../core/texts.js";
import { LanguageChoice, startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";
import { Choice } from "../parts/components.js";
import { useAnswer } from "../setup/invite.js";
import { MayIPlay } from "./lookup.js";
import { numbersOf, Rule } from "./rule.js";

const RULES = Array.from({ length: 20 }, (_, at) => at + 1);

function Page() {
  useStore();
  /** @type {Page.Shown | null} */
  const state = useAnswer("/api/state");
  /** @type {{ editions: Page.PrintedEdition[] } | null} */
  const known = useAnswer("/api/editions");
  const [chosen, setChosen] = useState(null);
  if (!state || !known) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { table } = state;
  const key = chosen ?? (table.match ? table.match.edition : table.setup.edition);
  const edition = known.editions.find((one) => one.key === key);
  if (!edition) return null;
  const options = known.editions.map((one) => ({ value: one.key, title: one.name }));
  return html`<div class="reading">
    <header class="reading-head"><h1>${t("rules.title")}</h1>
      <${Choice} name=${t("setup.edition")} value=${key} options=${options} onChoose=${setChosen} /></header>
    <main class="reading-main">
      <${MayIPlay} key=${key} table=${table} edition=${table.editions.find((one) => one.key === key)} />
      <${Numbers} edition=${edition} />
      <div class="rule-list">
        ${RULES.filter((number) => number !== 12 || edition.race).map(
          (number) => html`<${Rule} key=${number}
            number=${number} edition=${edition} table=${table} />`,
        )}
        <${Presses} edition=${edition} />
      </div>
    </main>
    <footer class="reading-foot">
      <a class="button" href="/">${t("pages.table")}</a><a class="button" href="/history">${t("pages.history")}</a>
      <${LanguageChoice} />
    </footer>
  </div>`;
}

// The deck as a table: numbers with as many copies stand on one line.
/** @param {{ edition: Page.PrintedEdition }} props */
function Numbers({ edition }) {
  const plain = edition.faces.filter((face) => face.act === "number");
  const others = edition.faces.filter((face) => face.act !== "number");
  const copies = [...new Set(plain.map((face) => face.copies))];
  const lines = copies.map((count) => {
    const same = plain.filter((face) => face.copies === count).map((face) => face.title);
    return {
      title: same.length > 2 ? `${same[0]}–${same.at(-1)}` : listed(same),
      count,
      coloured: true,
      points: t("rules.as_printed"),
    };
  });
  const coloured = (/** @type {Page.Face} */ face) => ["draw", "reverse", "skip"].includes(face.act);
  const rows = [
    ...lines,
    ...others.map((face) => ({
      title: titled(null, face.title),
      count: face.copies,
      coloured: coloured(face),
      points: face.points,
    })),
  ];
  return html`<section class="numbers"><h2>${t("rules.numbers", { edition: edition.name })}</h2>
    <p>${t("rules.short", numbersOf(edition))}</p>
    <table class="sheet">
      <thead>
        <tr>
          <th scope="col">${t("rules.card")}</th><th scope="col">${t("rules.copies")}</th>
          <th scope="col">${t("rules.points")}</th>
        </tr>
      </thead>
      <tbody>${rows.map(
        (row) => html`<tr key=${row.title}><th scope="row">${row.title}</th>
          <td>${row.coloured ? t("rules.per_colour", { count: row.count }) : row.count}</td>
          <td>${row.points}</td></tr>`,
      )}</tbody></table>
  </section>`;
}

/** @param {{ edition: Page.PrintedEdition }} props */
function Presses({ edition }) {
  const lines = [...(edition.race ? ["slap", "layer"] : []), "call", "catch", "ask"];
  return html`<section class="rule-text"><h2>${t("rules.press.title")}</h2>
    <ol class="in-order">${lines.map((name) => html`<li key=${name}>${t(`rules.press.${name}`)}</li>`)}</ol>
    <p>${t("rules.press.text")}</p></section>`;
}

startTheme();
await startLanguage();
render(html`<${Page} />`, document.getElementById("page"));

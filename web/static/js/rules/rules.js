// The rules by number, with the numbers of the chosen edition, and "may I play this?".

import { html, render, useState } from "../../vendor/htm-preact.js";
import { LanguageChoice, startLanguage } from "../core/language.js";
import { useStore } from "../core/store.js";
import { listed, t, titled } from "../core/texts.js";
import { Choice } from "../parts/components.js";
import { headStartsHere } from "../parts/handicap.js";
import { useAnswer } from "../parts/invite.js";
import { HOUSE_RULES, houseValue } from "../parts/setup.js";
import { MayIPlay } from "./lookup.js";

const RULES = Array.from({ length: 20 }, (_, at) => at + 1);

// Which house rules belong to which rule of the sheet.
const HOUSE = {
  2: ["deal_tie"],
  7: ["reverse_skips_for_two"],
  11: ["guilty_gives_turn_back"],
  12: ["hands_stay_down", "no_slap"],
  13: ["wrong_catch_draws", "tie_goes_to"],
  14: ["race_on_last_card"],
  18: ["target"],
  19: ["lowest_tie", "late_start"],
  20: ["next_dealer", "most_players"],
};

function Page() {
  useStore();
  const state = useAnswer("/api/state");
  const known = useAnswer("/api/editions");
  const [chosen, setChosen] = useState(null);
  if (!state || !known) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { table } = state;
  const key = chosen ?? (table.match ? table.match.edition : table.setup.edition);
  const edition = known.editions.find((one) => one.key === key);
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

function parts(edition) {
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

function Rule({ number, edition, table }) {
  const said = parts(edition);
  const house = table.match && table.match.edition === edition.key ? table.match.house : table.setup.house;
  const own = (HOUSE[number] ?? [])
    .map((name) => HOUSE_RULES.find((rule) => rule.name === name))
    .filter((rule) => edition.race || !rule.race);
  return html`<article class="rule-text" id=${`R${number}`}>
    <h2><span class="rule">R${number}</span> ${t(`rules.r${number}.title`, said)}</h2>
    <p>${t(`rules.r${number}.text`, said)}</p>
    ${number === 4 && edition.race && html`<p>${t("rules.r4.race", said)}</p>`}
    ${number === 14 && edition.race && html`<p>${t("rules.r14.race", said)}</p>`}
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

// The deck as a table: numbers with as many copies stand on one line.
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
  const coloured = (face) => ["draw", "reverse", "skip"].includes(face.act);
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
    <p>${t("rules.short", parts(edition))}</p>
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

function Presses({ edition }) {
  const lines = [...(edition.race ? ["slap", "layer"] : []), "call", "catch", "ask"];
  return html`<section class="rule-text"><h2>${t("rules.press.title")}</h2>
    <ol class="in-order">${lines.map((name) => html`<li key=${name}>${t(`rules.press.${name}`)}</li>`)}</ol>
    <p>${t("rules.press.text")}</p></section>`;
}

await startLanguage();
render(html`<${Page} />`, document.getElementById("page"));

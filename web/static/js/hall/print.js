// For paper: seating lists by name and by table, score sheets, and the standing.

import { html, render } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { namesOf, startHall, useHall } from "./hall.js";
import { Standing } from "./standing.js";

const WHAT = location.pathname.split("/").at(-1);
const LINES = 8; // empty rounds on a score sheet
const FEW = 50; // names that fit on a page in large letters

function Page() {
  const seen = useHall();
  if (!seen) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { evening } = seen;
  const round = evening.rounds.at(-1);
  const numbered = round ? ` · ${t("desk.round.number", { number: round.number })}` : "";
  const title = `${evening.plan.title || t("desk.hall")}${numbered}`;
  return html`<main class="hall-print"><h1 class=${WHAT === "sheets" ? "no-print" : ""}>${title}</h1>
    <button type="button" class="button no-print" onClick=${() => print()}>${t("desk.print.go")}</button>
    ${WHAT === "standing" && html`<${Standing} evening=${evening} scores=${true} />`}
    ${WHAT === "seats" && round && html`<${Seats} evening=${evening} round=${round} />`}
    ${
      WHAT === "sheets" &&
      round &&
      round.tables.map(
        (one) => html`<${Sheet} key=${one.table} evening=${evening}
      seating=${one} title=${title} />`,
      )
    }
  </main>`;
}

// For the wall by name, and for the tables by number.
/** @param {{ evening: Hall.EveningShown; round: Hall.DrawnRoundShown }} props */
function Seats({ evening, round }) {
  const name = namesOf(evening);
  const seats = [...round.tables, { table: "–", people: round.byes }]
    .flatMap((one) => one.people.map((person) => ({ person, name: name(person), table: one.table })))
    .sort((one, other) => one.name.localeCompare(other.name));
  return html`<ul class="hall-by-name ${seats.length <= FEW ? "few" : ""}">${seats.map(
    (one) => html`<li key=${one.person}><span>${one.name}</span><strong>${one.table}</strong></li>`,
  )}</ul>
  <table class="sheet"><tbody>
    ${round.tables.map(
      (one) => html`<tr key=${one.table}><th scope="row">${t("desk.table", { number: one.table })}</th>
        <td>${one.people.map(name).join(", ")}</td></tr>`,
    )}
    ${
      round.byes.length > 0 &&
      html`<tr><th scope="row">${t("desk.round.bye")}</th>
      <td>${round.byes.map(name).join(", ")}</td></tr>`
    }
  </tbody></table>
  <p class="hint">${t("desk.round.seed", { seed: round.seed })}</p>`;
}

/** @param {{ evening: Hall.EveningShown; seating: Hall.SeatingShown; title: string }} props */
function Sheet({ evening, seating, title }) {
  const name = namesOf(evening);
  return html`<section class="hall-sheet"><h2>${t("desk.table", { number: seating.table })} <small>${title}</small></h2>
    <table class="sheet"><thead><tr><td></td>${seating.people.map(
      (one) => html`<th scope="col"
      key=${one}>${name(one)}</th>`,
    )}</tr></thead>
      <tbody>${Array.from(
        { length: LINES },
        (_, at) => html`<tr key=${at}><th scope="row">${at + 1}</th>
        ${seating.people.map((one) => html`<td key=${one}></td>`)}</tr>`,
      )}
        <tr><th scope="row">${t("desk.print.total")}</th>${seating.people.map((one) => html`<td key=${one}></td>`)}</tr>
      </tbody></table></section>`;
}

await startHall();
document.documentElement.dataset.theme = "day"; // paper is white
render(html`<${Page} />`, document.getElementById("page"));

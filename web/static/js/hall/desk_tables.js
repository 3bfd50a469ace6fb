// All tables at a glance, their results as they came, and what the desk corrects.

import { html, useState } from "../../vendor/htm-preact.js";
import { has, t } from "../core/texts.js";
import { Button } from "../parts/components.js";
import { Correct, Strike } from "./desk_correct.js";

/** @param {Page.DeskProps} props */
export function Tables({ seen, desk, act }) {
  const [editing, setEditing] = useState(null);
  const [striking, setStriking] = useState(null);
  const round = seen.evening.rounds.at(-1);
  const seatings = new Map(round?.tables.map((one) => [one.table, one]));
  const correct = (/** @type {number} */ number, /** @type {number} */ table) => {
    const seating = seen.evening.rounds[number - 1]?.tables.find((one) => one.table === table);
    setEditing(seating ? { round: number, seating } : null);
  };
  return html`<section>
    <p class="hint">${t("desk.tables.code")} <strong class="hall-secret">${desk.table_code}</strong></p>
    <ul class="hall-tables">${desk.tables.map(
      (one) => html`<li key=${one.table} class="block ${one.joined && !one.here ? "away" : ""}">
        <header><strong>${t("desk.table", { number: one.table })}</strong> <small>${condition(one)}</small></header>
        <p>${one.people.map((who) => `${who.name} ${who.points}`).join(" · ")}</p>
        ${one.ruling && html`<p class="hint">${one.ruling}</p>`}
        ${warnings(one).map((sentence) => html`<p class="hall-problem" key=${sentence}>${sentence}</p>`)}
        <div class="hall-row">
          ${
            seatings.has(one.table) &&
            html`<${Button} onTap=${() => correct(round?.number ?? 0, one.table)}>
            ${t(seatings.get(one.table)?.done ? "desk.result.correct" : "desk.result.write")}<//>`
          }
          ${
            one.joined &&
            !one.here &&
            html`<${Button} tone="quiet" onTap=${() => act({ kind: "remove_table", table: one.table })}>
            ${t("desk.tables.remove")}<//>`
          }
        </div></li>`,
    )}</ul>
    <h2>${t("desk.result.title")}</h2>
    <ul class="hall-list">${desk.results.slice(0, 60).map(
      (one) => html`<li key=${`${one.table} ${one.match} ${one.round} ${one.reason}`} class=${one.counts ? "" : "gone"}>
        <span><strong>${t("desk.table", { number: one.table })}</strong>${" "}
          ${one.round ? t("desk.round.number", { number: one.round }) : ""}${" "}${one.people.map((who, at) => `${who} ${one.points[at]}`).join(" · ")}
          ${!one.adds_up && html` <em>${t("desk.result.wrong_sum")}</em>`}
          ${one.strangers.length > 0 && html` <em>${t("desk.result.strangers", { names: one.strangers.join(", ") })}</em>`}
          ${one.timed && html` <em>${t("desk.match.timed")}</em>`}
          ${one.ending === "abandoned" && !one.timed && html` <em>${t("desk.result.abandoned")}</em>`}
          ${one.reason && html` <em>${t("desk.result.by_desk", { reason: one.reason })}</em>`}</span>
        <span class="hall-row">${
          one.round > 0 &&
          html`<${Button} tone="quiet" onTap=${() => correct(one.round, one.table)}>${t("desk.result.correct")}<//>`
        }${
          one.reason &&
          html`<${Button} tone="quiet" onTap=${() => setStriking({ round: one.round, table: one.table })}>
          ${t("desk.result.strike")}<//>`
        }</span></li>`,
    )}</ul>
    ${
      editing &&
      html`<${Correct} ...${editing} seen=${seen} desk=${desk} act=${act} onClose=${() => setEditing(null)} />`
    }
    ${
      striking &&
      html`<${Strike} ...${striking} seen=${seen} desk=${desk} act=${act} onClose=${() => setStriking(null)} />`
    }
  </section>`;
}

/** @param {Hall.TableShown} table */
function condition({ joined, here, phase }) {
  if (!joined) return t("desk.tables.paper");
  if (!here) return t("desk.tables.away");
  return has(`desk.phase.${phase}`) ? t(`desk.phase.${phase}`) : "";
}

/** @param {Hall.TableShown} table */
function warnings({ behind, foreign, twins, unsent, broken }) {
  return [
    ...(behind ? [t("desk.tables.behind")] : []),
    ...(foreign ? [t("desk.tables.foreign")] : []),
    ...(twins ? [t("desk.tables.twins")] : []),
    ...(unsent ? [t("desk.tables.unsent", { count: unsent })] : []),
    ...(broken.length ? [t("desk.tables.broken", { buttons: broken.join(", ") })] : []),
  ];
}

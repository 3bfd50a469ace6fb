// All tables at a glance, their results as they came, and what the desk corrects.

import { html, useState } from "../../vendor/htm-preact.js";
import { has, t } from "../core/texts.js";
import { Button, Dialog } from "../parts/components.js";
import { namesOf } from "./hall.js";

/** @param {Page.DeskProps} props */
export function Tables({ seen, desk, act }) {
  const [editing, setEditing] = useState(null);
  const round = seen.evening.rounds.at(-1);
  const seatings = new Map(round?.tables.map((one) => [one.table, one]));
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
            html`<${Button} onTap=${() => setEditing(seatings.get(one.table))}>
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
          ${one.ending === "abandoned" && html` <em>${t("desk.result.abandoned")}</em>`}
          ${one.reason && html` <em>${t("desk.result.by_desk", { reason: one.reason })}</em>`}</span>
        ${
          one.reason &&
          html`<${Button} tone="quiet" onTap=${() => act({ kind: "strike_result", round: one.round, table: one.table })}>
          ${t("desk.result.strike")}<//>`
        }</li>`,
    )}</ul>
    ${editing && round && html`<${Edit} seating=${editing} round=${round.number} seen=${seen} act=${act} onClose=${() => setEditing(null)} />`}
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

/** @param {{ seating: Hall.SeatingShown; round: number; seen: Page.HallSeen; act: Page.DeskProps["act"]; onClose: () => void }} props */
function Edit({ seating, round, seen, act, onClose }) {
  const [points, setPoints] = useState(() =>
    Object.fromEntries(seating.people.map((one) => [one, seating.points[one] ?? 0])),
  );
  const [reason, setReason] = useState("");
  const name = namesOf(seen.evening);
  const save = async () => {
    if (await act({ kind: "write_result", round, table: seating.table, points, reason })) onClose();
  };
  return html`<${Dialog} title=${t("desk.table", { number: seating.table })} onClose=${onClose}><div class="hall-form">
    ${seating.people.map(
      (one) => html`<label key=${one}>${name(one)}<input class="field" type="number" value=${points[one]}
        onInput=${(/** @type {any} */ event) => setPoints({ ...points, [one]: Math.round(Number(event.target.value)) })} /></label>`,
    )}
    <label>${t("desk.result.reason")}<input class="field" maxlength="200" value=${reason}
      onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
    <${Button} tone="primary" onTap=${save}>${t("desk.result.save")}<//></div><//>`;
}

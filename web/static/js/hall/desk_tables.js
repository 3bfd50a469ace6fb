// All tables at a glance, their results as they came, and what the desk corrects.

import { html, useState } from "../../vendor/htm-preact.js";
import { has, sentenceText, t } from "../core/texts.js";
import { Button } from "../parts/components.js";
import { Correct, Strike } from "./desk_correct.js";
import { byDesk, namesOf } from "./hall.js";

// More cards than that do not fit on a screen, so their numbers stand above them.
const GLANCE = 8;
const MOST = 60; // results on the page; the others are found by a name
// Percent of a battery; with less, somebody should bring the table a plug.
const LOW_BATTERY = 25;

/** @param {Page.DeskProps} props */
export function Tables({ seen, desk, act }) {
  const [editing, setEditing] = useState(null);
  const [striking, setStriking] = useState(null);
  const round = seen.evening.rounds.at(-1);
  const seatings = new Map(round?.tables.map((one) => [one.table, one]));
  const [group, setGroup] = useState("all");
  const [looked, setLooked] = useState("");
  /** @type {Record<string, Hall.TableShown[]>} */
  const groups = {
    all: desk.tables,
    waiting: desk.tables.filter((one) => seatings.has(one.table) && !seatings.get(one.table)?.done),
    trouble: desk.tables.filter((one) => (one.joined && !one.here) || warnings(one).length > 0),
  };
  const correct = (/** @type {number} */ number, /** @type {number} */ table) => {
    const seating = seen.evening.rounds[number - 1]?.tables.find((one) => one.table === table);
    setEditing(seating ? { round: number, seating } : null);
  };
  return html`<section>
    <p class="hint">${t("desk.tables.code")} <strong class="hall-secret">${desk.table_code}</strong></p>
    <div class="hall-tabs" role="group" aria-label=${t("desk.tab.tables")}>${Object.entries(groups).map(
      ([name, tables]) => html`<button type="button" class="button" key=${name} aria-pressed=${name === group}
        onClick=${() => setGroup(name)}>${t(`desk.tables.${name}`, { count: tables.length })}</button>`,
    )}</div>
    ${
      groups[group].length > GLANCE &&
      html`<nav class="hall-glance" aria-label=${t("desk.tab.tables")}>${groups[group].map((one) => {
        const words = lookOf(one, seatings.get(one.table));
        return html`<a class=${`button ${words.look}`} key=${one.table} href=${`#table-${one.table}`}
          aria-label=${`${t("desk.table", { number: one.table })}: ${words.says}`} title=${words.says}>${one.table}
            </a>`;
      })}</nav>`
    }
    <ul class="hall-tables">${groups[group].map(
      (one) => html`<${TableCard} key=${one.table} table=${one} port=${desk.hosted[one.table]}
        seating=${seatings.get(one.table)} seen=${seen}
        onCorrect=${() => correct(round?.number ?? 0, one.table)}
        onRemove=${(one.behind || group !== "all") && (() => act({ kind: "remove_table", table: one.table }))} />`,
    )}</ul>
    <h2>${t("desk.result.title")}</h2>
    ${
      desk.results.length > 0 &&
      html`<div class="hall-form"><label>${t("desk.people.find")}<input class="field" type="search" value=${looked}
        onInput=${(/** @type {any} */ event) => setLooked(event.target.value)} /></label></div>`
    }
    <ul class="hall-list">${found(desk.results, looked).map(
      (one) => html`<li key=${`${one.table} ${one.match} ${one.round} ${one.reason}`} class=${one.counts ? "" : "gone"}>
        <span><strong>${t("desk.table", { number: one.table })}</strong>${" "}
          ${one.round ? t("desk.round.number", { number: one.round }) : ""}${" "}
            ${one.people.map((who, at) => `${who} ${one.points[at]}`).join(" · ")}
          ${!one.adds_up && html` <em>${t("desk.result.wrong_sum")}</em>`}
          ${
            one.strangers.length > 0 &&
            html` <em>${t("desk.result.strangers", { names: one.strangers.join(", ") })}
            </em>`
          }
          ${one.timed && html` <em>${t("desk.match.timed")}</em>`}
          ${one.ending === "abandoned" && !one.timed && html` <em>${t("desk.result.abandoned")}</em>`}
          ${one.reason && html` <em>${byDesk(one.reason)}</em>`}</span>
        <span class="hall-row">${
          one.round > 0 &&
          html`<${Button} tone="quiet" onTap=${() => correct(one.round, one.table)}>${t("desk.result.correct")}<//>`
        }${
          one.reason &&
          html`<${Button} tone="quiet" onTap=${() => setStriking({ round: one.round, table: one.table })}>
          ${t("desk.result.strike")}<//>`
        }</span></li>`,
    )}</ul>
    ${editing && html`<${Correct} ...${editing} seen=${seen} desk=${desk} onClose=${() => setEditing(null)} />`}
    ${striking && html`<${Strike} ...${striking} seen=${seen} desk=${desk} onClose=${() => setStriking(null)} />`}
  </section>`;
}

// The latest results, or those of the people who are looked for.
/**
 * @param {Hall.ResultShown[]} results
 * @param {string} looked
 */
function found(results, looked) {
  const wanted = looked.trim().toLocaleLowerCase();
  const theirs = results.filter((one) => one.people.join(" ").toLocaleLowerCase().includes(wanted));
  return theirs.slice(0, MOST);
}

// A table as a mark among many: its result is in, it plays, it waits, or somebody should go and look.
/**
 * @param {Hall.TableShown} table
 * @param {Hall.SeatingShown | undefined} seating
 */
function lookOf(table, seating) {
  const [warning] = warnings(table);
  if (warning) return { look: "look", says: warning };
  if (seating?.done) return { look: "done", says: t("desk.tables.in") };
  if (table.joined && !table.here) return { look: "look", says: t("desk.tables.away") };
  return { look: ["", "seating"].includes(table.phase) ? "" : "in-play", says: condition(table) };
}

// One table as a card: who plays, how far they are, and what is wrong.
/**
 * @param {{ table: Hall.TableShown; port: number | undefined; seating: Hall.SeatingShown | undefined;
 *   seen: Page.HallSeen; onCorrect: () => void; onRemove: false | (() => unknown) }} props
 */
function TableCard({ table: one, port, seating, seen, onCorrect, onRemove }) {
  const name = namesOf(seen.evening);
  const playing = one.people.length > 0 && !seating?.done;
  const people = playing
    ? one.people.map((who) => ({ name: who.name, points: String(who.points) }))
    : (seating?.people ?? []).map((who) => ({ name: name(who), points: String(seating?.points[who] ?? "") }));
  const away = one.joined && !one.here;
  return html`<li id=${`table-${one.table}`} class="block ${away ? "away" : ""} ${seating?.done ? "done" : ""}">
    <header><strong>${t("desk.table", { number: one.table })}</strong>
      <small>${seating?.done ? t("desk.tables.in") : condition(one)}</small></header>
    ${
      port &&
      html`<p class="hint"><a class="link" href=${`http://${location.hostname}:${port}/board`} target="_blank"
        rel="noopener">${t("desk.tables.board")}</a></p>`
    }
    <ul class="hall-sitting">${people.map(
      (who) => html`<li key=${who.name}><span>${who.name}</span>
      <b>${who.points}</b></li>`,
    )}</ul>
    ${one.ruling && playing && html`<p class="hint">${sentenceText(one.ruling)}</p>`}
    ${one.unsent > 0 && one.here && html`<p class="hint">${t("desk.tables.unsent", { count: one.unsent })}</p>`}
    ${warnings(one).map((sentence) => html`<p class="hall-problem" key=${sentence}>${sentence}</p>`)}
    <div class="hall-row">
      ${
        seating &&
        html`<${Button} onTap=${onCorrect}>${t(seating.done ? "desk.result.correct" : "desk.result.write")}
        <//>`
      }
      ${
        (away || one.behind) &&
        onRemove &&
        seen.role === "organiser" &&
        html`<${Button} tone="quiet"
        onTap=${onRemove}>${t("desk.tables.remove")}<//>`
      }
    </div></li>`;
}

/** @param {Hall.TableShown} table */
function condition({ joined, outside, here, phase }) {
  if (outside) return t("desk.tables.removed");
  if (!joined) return t("desk.tables.paper");
  if (!here) return t("desk.tables.away");
  return has(`desk.phase.${phase}`) ? t(`desk.phase.${phase}`) : "";
}

/** @param {Hall.TableShown} table */
function warnings({ here, outside, behind, foreign, twins, unsent, broken, battery, weak }) {
  return [
    ...(outside ? [t("desk.tables.outside")] : []),
    ...(behind ? [t("desk.tables.behind")] : []),
    ...(foreign ? [t("desk.tables.foreign")] : []),
    ...(twins ? [t("desk.tables.twins")] : []),
    ...(unsent && !here ? [t("desk.tables.unsent", { count: unsent })] : []),
    ...(broken.length ? [t("desk.tables.broken", { buttons: broken.join(", ") })] : []),
    ...(battery !== null && battery <= LOW_BATTERY ? [t("desk.tables.battery", { percent: battery })] : []),
    ...(weak ? [t("desk.tables.weak")] : []),
  ];
}

// The standing: every number opens down to the rounds of a table and to what was ruled there.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { sentenceText, t } from "../core/texts.js";
import { Dialog } from "../parts/components.js";
import { byDesk, namesOf } from "./hall.js";

const NUMBERS = ["rank", "name", "points", "scored", "head", "opponents"];
const NEAR = 2; // so many lines around one's own

/**
 * @param {{ evening: Hall.EveningShown; most?: number; brief?: boolean; scores?: boolean; opens?: boolean;
 *   own?: number | null }} props
 */
export function Standing({ evening, most = 1000, brief = false, scores = false, opens = false, own = null }) {
  const [opened, setOpened] = useState(null);
  const name = namesOf(evening);
  const clubs = new Map(evening.people.map((one) => [one.number, one.club]));
  const numbers = brief ? NUMBERS.slice(0, 4) : NUMBERS;
  const place = evening.standing.findIndex((one) => one.person === own);
  const near = (/** @type {number} */ at) => place >= 0 && Math.abs(at - place) <= NEAR;
  const lines = evening.standing.filter((_, at) => at < most || near(at));
  const line = opened && evening.standing.find((one) => one.person === opened);
  return html`<div class="hall-wide" role="region" tabindex="0" aria-label=${t("desk.tab.standing")}><table
    class="sheet hall-standing">
    <thead><tr>${numbers.map((key) => html`<th scope="col" key=${key}>${t(`desk.standing.${key}`)}</th>`)}
      ${scores && html`<th scope="col">${t("desk.standing.rounds")}</th>`}</tr></thead>
    <tbody>${lines.map(
      (one) => html`<tr key=${one.person} class=${one.person === own ? "own" : ""}>
        <td>${one.rank}</td>
        <th scope="row">${
          opens
            ? html`<button type="button" class="link"
              onClick=${() => setOpened(one.person)}>${name(one.person)}</button>`
            : name(one.person)
        } <small>${beside(one, clubs.get(one.person))}</small></th>
        <td><strong>${one.points}</strong></td><td>${one.scored}</td>
        ${!brief && html`<td>${one.head_to_head}</td><td>${one.opponents}</td>`}
        ${scores && html`<td><small>${one.scores.map(({ points }) => points).join(" + ")}</small></td>`}
      </tr>`,
    )}</tbody></table>
    ${line && html`<${Sums} evening=${evening} line=${line} onClose=${() => setOpened(null)} />`}</div>`;
}

// Somebody's club, and in a knockout how far they have come.
/**
 * @param {Hall.StandingLine} line
 * @param {string | undefined} club
 */
function beside({ reached }, club) {
  return [club, reached > 0 && t("desk.round.number", { number: reached })].filter(Boolean).join(" · ");
}

// A free evening has no rounds: its matches are counted.
/**
 * @param {Hall.Score} score
 * @param {number} at
 */
function scoreText({ round: drawn, points, table, place, scored }, at) {
  const round = drawn || at + 1;
  if (table === null) return t("desk.standing.bye", { round, points });
  return t("desk.standing.score", { round, table, place, scored, points });
}

// How somebody's numbers add up; a round opens the match behind it.
/** @param {{ evening: Hall.EveningShown; line: Hall.StandingLine; onClose: () => void }} props */
function Sums({ evening, line, onClose }) {
  const [opened, setOpened] = useState(null);
  const name = namesOf(evening);
  const points = new Map(evening.standing.map((one) => [one.person, one.points]));
  const met = line.scores.flatMap((one) => one.beside).filter((person) => points.has(person));
  const free = evening.plan.format === "free";
  return html`<${Dialog} title=${name(line.person)} onClose=${onClose}><div class="hall-sums">
    <ul class="hall-list">${line.scores.map(
      (
        one,
        at,
      ) => html`<li key=${at}><span>${scoreText(one, at)}<br /><small>${one.beside.map(name).join(", ")}</small></span>
        ${
          one.table !== null &&
          html`<button type="button" class="button quiet" aria-expanded=${opened === at}
            onClick=${() => setOpened(opened === at ? null : at)}>${t("desk.standing.open")}</button>`
        }</li>
        ${
          opened === at &&
          html`<li key=${`${at} open`}><${Match} round=${free ? one.event : one.round} table=${one.table ?? 0} /></li>`
        }`,
    )}</ul>
    <dl>
      <${Sum} of="points" parts=${line.scores.map((one) => [String(one.points), one.points])} total=${line.points} />
      <${Sum} of="scored" parts=${line.scores.map((one) => [String(one.scored), one.scored])} total=${line.scored} />
      <${Sum} of="head" parts=${line.rivals.map(([person, balance]) => [`${name(person)} ${balance}`, balance])}
        total=${line.head_to_head} />
      <${Sum} of="opponents" parts=${met.map((person) => [`${name(person)} ${points.get(person)}`, points.get(person)])}
        total=${line.opponents} />
    </dl></div><//>`;
}

/** @param {{ of: string; parts: [string, number][]; total: number }} props */
function Sum({ of, parts, total }) {
  return html`<dt>${t(`desk.standing.${of}`)}</dt>
    <dd>${parts.map(([words]) => words).join(" + ") || "–"} = <strong>${total}</strong></dd>`;
}

/** @param {{ round: number; table: number }} props */
export function Match({ round, table }) {
  const [match, setMatch] = useState(/** @type {Hall.MatchShownByHall | null} */ (null));
  useEffect(() => {
    let wanted = true;
    fetch(`/api/match/${round}/${table}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((answer) => wanted && setMatch(answer))
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [round, table]);
  if (!match) return html`<p class="hint">${t("link.connecting")}</p>`;
  return html`<div class="hall-match">
    <p class="hint">${t("desk.table", { number: match.table })}
      ${match.sequence > 0 && ` · ${t("desk.match.sequence", { number: match.sequence })}`}
      ${match.timed && ` · ${t("desk.match.timed")}`}
      ${match.reason && ` · ${byDesk(match.reason)}`}</p>
    <div class="hall-wide" role="region" tabindex="0" aria-label=${t("desk.table", { number: match.table })}>
    <table class="sheet"><thead><tr><td></td>${match.names.map(
      (name) => html`<th scope="col"
      key=${name}>${name}</th>`,
    )}</tr></thead>
      <tbody>${match.rounds.map(
        (one, at) =>
          html`<tr key=${at}><th scope="row">${at + 1}</th>${match.names.map(
            (name, place) =>
              html`<td key=${name}>${place === one.out ? t("desk.match.out") : (one.left[place] ?? "–")}</td>`,
          )}</tr>`,
      )}
        <tr><th scope="row">${t("desk.print.total")}</th>${match.points.map(
          (points, at) => html`<td key=${at}>
          <strong>${points}</strong></td>`,
        )}</tr>
      </tbody></table></div>
    ${match.rounds.map(
      (one, at) =>
        one.rulings.length > 0 &&
        html`<details key=${at}><summary>${t("desk.match.rulings", { number: at + 1, count: one.rulings.length })}
          </summary>
          <ol class="hall-rulings">${one.rulings.map(
            (ruling, number) => html`<li key=${number}><span
            class="rule">${ruling.rule}</span> ${sentenceText(ruling)}</li>`,
          )}</ol></details>`,
    )}</div>`;
}

// The board: the table on a large screen across the room, which nobody touches.

import { html, render } from "../../vendor/htm-preact.js";
import { startAwake } from "../core/awake.js";
import { start } from "../core/connection.js";
import { startLanguage } from "../core/language.js";
import { open, state, useStore } from "../core/store.js";
import { named, said, t } from "../core/texts.js";
import { editionOf, Mark, nameOf, nextStep } from "../parts/components.js";
import { Join, RefereeCode } from "../parts/invite.js";
import { isAsking } from "../parts/questions.js";
import { isCrowded } from "../parts/seat_places.js";
import { Settings } from "../parts/settings.js";
import { isShown } from "../race/race.js";
import { Chart, Track } from "../score/track.js";
import { startHearing } from "../sound/hearing.js";
import { BoardRace, Counting, Seated, Seats, Winner } from "./scenes.js";

const LONG = 64; // letters, after which the headline needs more than two lines; with twice as many it is small

function Board() {
  const { shown, link, dialog } = useStore();
  if (!shown) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { service } = shown;
  const table = named(shown.table);
  const scene = sceneOf(table);
  const players = table.match?.players.length ?? table.seats.length;
  const next = nextStep(table);
  const question = isAsking(table) ? null : table.questions.at(-1);
  return html`<div class="board ${link} ${isCrowded(players) ? "many" : ""}"
    style=${{ "--players": Math.max(players, 1) }} data-link=${link} data-scene=${scene} data-version=${table.version}>
    <header class="board-top">
      <div class="board-head">
        <p class="board-match">${matchLine(table)}</p>
        <h1 class="next ${next.length > 2 * LONG ? "long longest" : next.length > LONG ? "long" : ""}"
          aria-live="polite">${next}</h1>
        <p class="board-question" aria-live="polite">${question && said(question.sentence)}</p>
      </div>
      ${scene !== "seating" && html`<${Join} boot=${service.boot} />`}
    </header>
    ${link !== "live" && html`<p class="board-stale" role="alert">${t("board.stale")}</p>`}
    <main class="board-scene scene-${scene}"><${Scene} name=${scene} table=${table} boot=${service.boot} /></main>
    ${service.pairing && html`<${RefereeCode} boot=${service.boot} />`}
    ${dialog && html`<${Settings} />`}
  </div>`;
}

/** @param {Table.View} table */
export function sceneOf(table) {
  if (isShown(table, null)) return "race";
  if (table.phase === "first_card" || table.phase === "deal") return "play";
  if (table.phase === "between" && !table.match?.rounds.length) return "play"; // nothing to draw a chart of
  return table.phase;
}

/** @param {Table.View} table */
function matchLine(table) {
  const { match } = table;
  if (!match) return t("common.title");
  const number = table.round ? table.round.number : match.rounds.length + (table.phase === "won" ? 0 : 1);
  return t("bar.match", {
    edition: editionOf(table).name,
    scoring: t(`scoring.${match.scoring}.title`),
    target: match.target,
    number,
  });
}

function Scene({ name, table, boot }) {
  switch (name) {
    case "seating":
      return html`<${Seated} table=${table} boot=${boot} />`;
    case "race":
      return html`<${BoardRace} table=${table} />`;
    case "hands":
      return html`<${Counting} table=${table} /><div class="board-side"><${Score} table=${table} /></div>`;
    case "won":
      return html`<${Winner} table=${table} />
        <div class="board-side"><${Score} table=${table} /><${Chart} match=${table.match} far /></div>`;
    case "between":
      return html`<div class="board-side"><${Score} table=${table} /></div>
        <div class="board-side"><${Chart} match=${table.match} far /></div>`;
    default:
      return html`<${Seats} table=${table} />
        <div class="board-side"><${Uno} table=${table} /><${Score} table=${table} /><${Latest} table=${table} /></div>`;
  }
}

/** @param {Page.AtTable<Page.InMatch>} props */
function Score({ table }) {
  const { match } = table;
  return html`<section class="board-score" aria-label=${t("sheet.standing")}>
    <p class="board-goal">${t(`sheet.goal_${match.scoring}`, { target: match.target })}</p>
    <${Track} match=${match} />
  </section>`;
}

/** @param {Page.AtTable} props */
function Uno({ table }) {
  const { uno } = table;
  if (!uno) return null;
  return html`<p class="board-uno">
    <${Mark} seat=${uno.seat} /> ${t(uno.call ? "board.uno_called" : "board.uno_open", {
      name: nameOf(table, uno.seat),
    })}
  </p>`;
}

/** @param {Page.AtTable} props */
function Latest({ table }) {
  const [ruling] = table.rulings;
  if (!ruling) return null;
  return html`<section class="board-ruling ${ruling.overruled ? "overruled" : ""}" aria-label=${t("rulings.title")}>
    <span class="rule">${ruling.rule}</span> <span>${said(ruling.sentence)}</span></section>`;
}

await startLanguage();
startHearing("board");
startAwake();
render(html`<${Board} />`, document.getElementById("page"));
start();

// Nothing on the board is for touching; whoever touches it all the same finds its sound and language.
const settings = (event) => state().dialog === null && !event.target.closest?.("dialog") && open("settings");
document.addEventListener("click", settings);
document.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && settings(event));

// The show: the table told to everybody in the room. It gives the referee no orders.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { state, useStore } from "../core/store.js";
import { named, sentenceText, t } from "../core/texts.js";
import { editionOf, nameOf } from "../parts/components.js";
import { useMoment } from "../parts/moments.js";
import { Trouble } from "../parts/trouble.js";
import { isOpen, isShown } from "../race/state.js";
import { Winner } from "../score/winner.js";
import { HallBrief } from "../setup/hall_place.js";
import { invited, Join, RefereeCode, WifiCode } from "../setup/invite.js";
import { Counting } from "./counting.js";
import { RaceShow } from "./race_show.js";
import { Standings } from "./standings.js";
import { Tonight } from "./tonight.js";
import { isMoment, Moment, Verdict } from "./verdict.js";
import { Welcome } from "./welcome.js";

const LASTS = 7000; // milliseconds for which a verdict has the screen
const LAST_HAND = 20000; // and the one of a race, unless its cards are drawn before

export function Show() {
  const { shown, link } = useStore();
  useReturn(shown);
  if (!shown) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { service } = shown;
  const table = named(shown.table);
  const scene = sceneOf(table);
  const players = table.match?.players.filter((one) => one.present).length ?? table.seats.length;
  return html`<div class="show night ${link}" style=${{ "--players": Math.max(players, 1) }} data-link=${link}
    data-scene=${scene} data-way=${table.round?.way} data-version=${table.version}>
    ${link !== "live" && html`<p class="show-stale" role="alert">${t("board.stale")}</p>`}
    <${Trouble} service=${service} look="show-stale" />
    <p class="hidden-text" role="status">${heard(table, scene)}</p>
    <${Stage} scene=${scene} table=${table} boot=${invited(service)} />
    ${service.pairing && html`<${RefereeCode} boot=${invited(service)} />`}
    ${
      service.wifi &&
      html`<aside class="referee-code" aria-label=${t("wifi.title")}><${WifiCode} service=${service} /></aside>`
    }
  </div>`;
}

// What has the screen for a while gives it back by itself.
/** @param {Page.Shown | null} shown */
function useReturn(shown) {
  const [, again] = useState(0);
  const [ruling] = shown?.table.rulings ?? [];
  useEffect(() => {
    const left = [LASTS, LAST_HAND].map((lasts) => (ruling ? lasts - age(ruling) : 0)).filter((one) => one > 0);
    const timers = left.map((one) => setTimeout(() => again((count) => count + 1), one + 20));
    return () => timers.forEach(clearTimeout);
  }, [ruling?.number]);
}

/** @param {Table.Ruling} ruling */
function age(ruling) {
  return (tableNow() - ruling.at) / MS;
}

/** @param {Table.View} table */
function sceneOf(table) {
  const [ruling] = table.rulings;
  if (isOpen(table.race)) return "race";
  if (isShown(table, null) && raceIsFresh(table)) return "race";
  if (ruling && table.phase === "play" && isMoment(ruling) && age(ruling) < LASTS) return "verdict";
  if (table.phase === "between" && !table.match?.rounds.length) return "play"; // nothing to tell of yet
  return table.phase === "first_card" || table.phase === "deal" ? "play" : table.phase;
}

/** @param {Table.View} table */
function raceIsFresh(table) {
  const ruling = table.rulings.find((one) => one.number === table.race?.ruling);
  return ruling !== undefined && age(ruling) < LAST_HAND;
}

// What is read aloud to those who do not see the show: the verdict with its consequence, else what goes on.
/**
 * @param {Table.View} table
 * @param {string} scene
 */
function heard(table, scene) {
  const [latest] = table.rulings;
  const ruling = scene === "race" ? table.rulings.find((one) => one.number === table.race?.ruling) : latest;
  const light = table.race?.state === "slap_off" ? table.race.slap_off : null;
  if (light) return t(light.lit ? "race.now" : "race.wait");
  if (scene === "race" && !ruling) return t("race.title");
  if (["race", "verdict", "won"].includes(scene)) return ruling && sentenceText(ruling.sentence);
  return scene === "seating" ? t("show.join") : headline(table, scene);
}

// A call, and somebody gone out, take the screen for a moment; for a catch there is a scene.
/** @param {Page.AtTable & { scene: string; boot: string }} props */
function Stage({ table, scene, boot }) {
  const [moment] = useMoment(table);
  if (moment && ["uno", "out"].includes(moment.kind) && ["play", "hands"].includes(scene))
    return html`<${Moment} table=${table} moment=${moment} />`;
  return html`<${Scene} name=${scene} table=${table} boot=${boot} />`;
}

/** @param {Page.AtTable & { name: string; boot: string }} props */
function Scene({ name, table, boot }) {
  switch (name) {
    case "seating":
      return html`<${Welcome} table=${table} boot=${boot} />`;
    case "race":
      return html`<${RaceShow} table=${table} />`;
    case "verdict":
      return html`<${Verdict} table=${table} ruling=${table.rulings[0]} />`;
    case "won":
      return html`<main class="show-main"><${Winner} table=${table} /></main>`;
    default:
      return html`<${Top} table=${table} scene=${name} boot=${boot} />
        <main class="show-main scene-${name}">
          ${name === "hands" ? html`<${Counting} table=${table} />` : html`<${Standings} table=${table} />`}
          ${name === "between" && html`<${Tonight} table=${table} />`}
        </main>
        ${name !== "between" && html`<${Latest} table=${table} />`}`;
  }
}

/** @param {Page.AtTable & { scene: string; boot: string }} props */
function Top({ table, scene, boot }) {
  const { match } = table;
  const hall = state().shown?.service.hall;
  return html`<header class="show-top">
    <div class="show-head">
      <h1 class="show-title">${headline(table, scene)}</h1>
      <p class="show-match">
        ${editionOf(table).name}${match && html` · ${t(`sheet.goal_${match.scoring}`, { target: match.target })}`}
        ${hall && html` · <${HallBrief} hall=${hall} />`}
      </p>
      <p class="show-question" aria-live="polite">${asked(table)}</p>
    </div>
    <${Join} boot=${boot} />
  </header>`;
}

// What the table asks the players themselves; what it asks the referee stands on the tablet.
/** @param {Table.View} table */
function asked(table) {
  const question = table.questions.findLast((one) => one.seats.length > 0);
  return question && sentenceText(question.sentence);
}

/**
 * @param {Table.View} table
 * @param {string} scene
 */
function headline(table, scene) {
  const { match, round, uno } = table;
  if (uno) return t(uno.call ? "board.uno_called" : "board.uno_open", { name: nameOf(table, uno.seat) });
  if (scene === "hands") return t("show.out", { name: nameOf(table, round?.out ?? null) });
  if (round?.turn) return t("show.plays", { name: nameOf(table, round.turn) });
  if (round) return t("felt.round", { number: round.number });
  if (scene === "between") return t("show.after", { number: match?.rounds.length });
  return match?.dealer ? t("show.deals", { name: nameOf(table, match.dealer) }) : t("show.who_deals");
}

/** @param {Page.AtTable} props */
function Latest({ table }) {
  const [ruling] = table.rulings;
  if (!ruling) return null;
  return html`<footer class="show-latest ${ruling.overruled ? "overruled" : ""}">
    <span class="rule">${ruling.rule}</span> <span>${sentenceText(ruling.sentence)}</span>
  </footer>`;
}

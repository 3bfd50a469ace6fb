// The desk: the list, the draw, all tables at a glance, results and corrections, the clock, and the evening's plan.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { LanguageChoice } from "../device/language.js";
import { ThemeChoice } from "../device/theme.js";
import { Button } from "../parts/components.js";
import { Draw } from "./desk_draw.js";
import { People } from "./desk_people.js";
import { Plan } from "./desk_plan.js";
import { Tables } from "./desk_tables.js";
import { Problem, RoundClock, send, startHall, useHall, useLatest } from "./hall.js";
import { Standing } from "./standing.js";

const brought = new URLSearchParams(location.search).get("code") ?? "";
if (brought) history.replaceState(null, "", location.pathname);

const TABS = ["people", "draw", "tables", "standing", "plan"];

function Page() {
  const [turn, setTurn] = useState(0);
  const seen = useHall(turn);
  if (!seen) return html`<p class="loading">${t("link.connecting")}</p>`;
  const atDesk = seen.role === "organiser" || seen.role === "helper";
  return html`<div class="reading hall-desk">
    <header class="reading-head"><h1>${seen.evening.plan.title || t("desk.hall")}</h1><${RoundClock} seen=${seen} />
      </header>
    ${seen.lost && html`<p class="hall-problem">${t("link.stale")}</p>`}
    ${atDesk ? html`<${Desk} seen=${seen} />` : html`<${Enter} onDone=${() => setTurn(turn + 1)} />`}
    <footer class="reading-foot"><a class="button" href="/hall">${t("desk.pages.screen")}</a>
      <${LanguageChoice} /><${ThemeChoice} /></footer>
  </div>`;
}

/** @param {{ onDone: () => void }} props */
function Enter({ onDone }) {
  const [code, setCode] = useState(brought);
  const [problem, setProblem] = useState(null);
  const enter = async () => {
    const answer = await send("/api/pair", { code });
    setProblem(answer.error ? answer : null);
    if (!answer.error) onDone();
  };
  useEffect(() => {
    if (brought) enter();
  }, []);
  return html`<main class="reading-main"><section class="block hall-form"><h2>${t("desk.enter")}</h2>
    <label>${t("desk.code")}<input class="field" value=${code} autocapitalize="characters"
      onInput=${(/** @type {any} */ event) => setCode(event.target.value)} /></label>
    <${Problem} problem=${problem} />
    <${Button} tone="primary" onTap=${enter}>${t("desk.enter_go")}<//></section></main>`;
}

/** @param {{ seen: Page.HallSeen }} props */
function Desk({ seen }) {
  const [tab, setTab] = useState(TABS[0]);
  const [problem, setProblem] = useState(null);
  const desk = /** @type {Hall.DeskShown | null} */ (useLatest("/api/desk"));
  const act = async (/** @type {object} */ command, /** @type {number | null} */ version = null) => {
    const answer = await send("/api/commands", { command, version });
    setProblem(answer.error ? answer : null);
    return !answer.error;
  };
  const pick = (/** @type {string} */ one) => {
    setTab(one);
    setProblem(null);
  };
  if (!desk) return html`<p class="loading">${t("link.connecting")}</p>`;
  const shared = { seen, desk, act, setProblem };
  const tabs = seen.role === "organiser" ? TABS : TABS.filter((one) => one !== "plan"); // helpers plan nothing
  return html`<main class="reading-main">
    ${desk.damage && html`<p class="hall-problem">${desk.damage}</p>`}
    ${desk.broker !== null && html`<p class="hall-problem">${t("desk.broker")} ${desk.broker}</p>`}
    <nav class="hall-tabs" aria-label=${t("desk.title")}>${tabs.map(
      (one) => html`<button type="button" class="button" key=${one} aria-pressed=${one === tab}
        onClick=${() => pick(one)}>${t(`desk.tab.${one}`)}</button>`,
    )}</nav>
    <${Next} evening=${seen.evening} tab=${tab} onPick=${pick} />
    <${Problem} problem=${problem} />
    ${tab === "people" && html`<${People} ...${shared} />`}
    ${tab === "draw" && html`<${Draw} ...${shared} />`}
    ${tab === "tables" && html`<${Tables} ...${shared} />`}
    ${tab === "standing" && html`<${Standings} evening=${seen.evening} />`}
    ${tab === "plan" && html`<${Plan} ...${shared} />`}
  </main>`;
}

// What the evening waits for, and the tab where that is done.
/** @param {{ evening: Hall.EveningShown; tab: string; onPick: (tab: string) => void }} props */
function Next({ evening, tab, onPick }) {
  const [words, there] = nextStep(evening);
  if (there === tab) return html`<p class="hall-next">${words}</p>`;
  return html`<button type="button" class="hall-next" onClick=${() => onPick(there)}>${words} →</button>`;
}

/**
 * @param {Hall.EveningShown} evening
 * @returns {[string, string]}
 */
function nextStep({ plan, people, rounds, waiting }) {
  const round = rounds.at(-1);
  if (people.filter((one) => one.here).length < plan.least) return [t("desk.next.people"), "people"];
  if (plan.format === "free") return [t("desk.next.free"), "tables"];
  if (round && waiting.length > 0) {
    const { number, tables } = round;
    return [t("desk.next.playing", { number, count: waiting.length, of: tables.length }), "tables"];
  }
  const final = round?.tables.length === 1 && round.byes.length === 0;
  if (plan.format === "knockout" ? final : rounds.length >= plan.rounds) return [t("desk.next.over"), "standing"];
  return [t("desk.next.draw", { number: rounds.length + 1 }), "draw"];
}

/** @param {{ evening: Hall.EveningShown }} props */
function Standings({ evening }) {
  return html`<section><div class="hall-row"><a class="button" href="/print/standing">${t("desk.print.standing")}</a>
      <a class="button" href="/api/standing.csv">${t("desk.print.csv")}</a><a class="button" href="/api/evening.json">
        ${t("desk.print.json")}</a></div>
    <p class="hint">${t("desk.standing.help")} ${
      evening.plan.format === "knockout" && t("desk.standing.help_knockout")
    }</p>
    <${Standing} evening=${evening} opens=${true} /></section>`;
}

await startHall();
render(html`<${Page} />`, document.getElementById("page"));

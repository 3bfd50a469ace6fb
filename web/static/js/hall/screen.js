// The hall screen: where everybody sits, the clock, the standing, and the best of the evening, in turn.

import { html, render, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { BestScene } from "./best_scene.js";
import { RoundClock, startHall, useHall } from "./hall.js";
import { SeatsScene } from "./seats_scene.js";
import { Standing } from "./standing.js";

const SCENE = 12_000; // milliseconds that each picture stays
const WALKING = 180_000; // so long only the seats are shown, while people look for them
const MOST = 11; // lines of the standing that can be read from afar

/** @typedef {(time: number) => unknown} Scene a picture, which may be another one each time */

function Page() {
  const seen = useHall();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((count) => count + 1), SCENE);
    return () => clearInterval(timer);
  }, []);
  const walking = useWalking(seen?.evening);
  if (!seen) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { evening } = seen;
  const round = evening.rounds.at(-1);
  /** @type {Scene} */
  const seats = (time) => round && html`<${SeatsScene} evening=${evening} round=${round} turn=${time} />`;
  /** @type {Scene} */
  const standing = () => html`<${Standing} evening=${evening} most=${MOST} brief=${true} />`;
  const wanted = [
    ...(evening.waiting.length > 0 ? [seats] : []),
    ...(evening.standing.some((line) => line.scores.length) ? [standing] : []),
  ];
  /** @type {Scene[]} */
  const best = evening.best.map((one) => () => html`<${BestScene} best=${one} />`);
  const scene = walking ? seats(turn) : inTurn(wanted, best, turn);
  return html`<div class="show hall-screen ${seen.lost ? "stale" : ""}">
    <header class="show-top"><h1 class="show-title">${evening.plan.title || t("desk.hall")}</h1>
      ${round && html`<p class="show-title">${t("desk.round.number", { number: round.number })}</p>`}
      <${RoundClock} seen=${seen} /></header>
    <main>${scene ?? html`<${Welcome} count=${evening.people.length} />`}</main>
    ${seen.lost && html`<p class="show-stale">${t("link.stale")}</p>`}
  </div>`;
}

// What people look for comes every other time, and between it, one after the other, what they like to see.
/**
 * @param {Scene[]} wanted
 * @param {Scene[]} between
 * @param {number} turn
 */
function inTurn(wanted, between, turn) {
  const both = wanted.length > 0 && between.length > 0;
  const scenes = both && turn % 2 ? between : wanted.length ? wanted : between;
  const shown = Math.floor(turn / (both ? 2 : 1));
  return scenes[shown % scenes.length]?.(Math.floor(shown / scenes.length));
}

// After a draw people walk about: until the first result is in, or for some minutes, the seats stay in sight.
/** @param {Hall.EveningShown | undefined} evening */
function useWalking(evening) {
  const round = evening?.rounds.at(-1);
  const drawn = useRef({ number: 0, at: 0 });
  if (round && drawn.current.number !== round.number) drawn.current = { number: round.number, at: performance.now() };
  return Boolean(round?.tables.every((one) => !one.done)) && performance.now() - drawn.current.at < WALKING;
}

/** @param {{ count: number }} props */
function Welcome({ count }) {
  return html`<section class="hall-welcome"><img src="/api/join.svg" alt=${t("desk.sign_up.code")} />
    <p class="show-title">${t("desk.sign_up.scan")}</p>
    ${count > 0 && html`<p class="show-match">${t("desk.people.count", { count })}</p>`}</section>`;
}

await startHall();
render(html`<${Page} />`, document.getElementById("page"));

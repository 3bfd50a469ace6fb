// The hall screen: where everybody sits, the clock, the standing, and the best of the evening, in turn.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { namesOf, RoundClock, Standing, startHall, useHall } from "./hall.js";

const SCENE = 12_000; // milliseconds that each picture stays

function Page() {
  const seen = useHall();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((count) => count + 1), SCENE);
    return () => clearInterval(timer);
  }, []);
  if (!seen) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { evening } = seen;
  const round = evening.rounds.at(-1);
  const scenes = [
    ...(round ? [html`<${Seats} evening=${evening} round=${round} />`] : []),
    ...(evening.standing.some((line) => line.scores.length)
      ? [html`<${Standing} evening=${evening} most=${14} />`]
      : []),
    ...(evening.best.length ? [html`<${Best} best=${evening.best} />`] : []),
  ];
  return html`<div class="hall-screen">
    <header class="reading-head"><h1>${evening.plan.title || t("desk.hall")}</h1>
      ${round && html`<p class="display">${t("desk.round.number", { number: round.number })}</p>`}
      <${RoundClock} seen=${seen} /></header>
    <main>${scenes.length ? scenes[turn % scenes.length] : html`<${Welcome} />`}</main>
    ${seen.lost && html`<p class="hall-problem">${t("link.stale")}</p>`}
  </div>`;
}

function Welcome() {
  return html`<section class="hall-welcome"><img src="/api/join.svg" alt=${t("desk.sign_up.code")} />
    <p class="display">${t("desk.sign_up.scan")}</p></section>`;
}

// By name, so that among hundreds everybody finds themselves at once.
/** @param {{ evening: Hall.EveningShown; round: Hall.RoundShown }} props */
function Seats({ evening, round }) {
  const name = namesOf(evening);
  const seats = [
    ...round.tables.flatMap((one) => one.people.map((person) => ({ name: name(person), table: String(one.table) }))),
    ...round.byes.map((person) => ({ name: name(person), table: t("desk.round.bye") })),
  ];
  seats.sort((one, other) => one.name.localeCompare(other.name));
  const size = seats.length < 45 ? "few" : seats.length < 81 ? "" : "many";
  return html`<ul class="hall-seats ${size}">
    ${seats.map((one) => html`<li key=${one.name}><span class="name">${one.name}</span><strong>${one.table}</strong></li>`)}
  </ul>`;
}

/** @param {{ best: Hall.BestShown[] }} props */
function Best({ best }) {
  return html`<section class="hall-best"><h2>${t("desk.best.title")}</h2>
    <ol>${best.map(
      (one) => html`<li key=${`${one.kind} ${one.size} ${one.table}`}><span class="chequers" aria-hidden="true"></span>
        <div><strong>${t(`desk.best.${one.kind}`)}</strong>
          <p>${one.people.join(" – ")} <small>${t("desk.table", { number: one.table })}</small></p></div>
        <output>${one.kind === "comeback" ? one.size : t("desk.best.ms", { ms: (one.size / 1e6).toFixed(1) })}</output>
      </li>`,
    )}</ol></section>`;
}

await startHall();
render(html`<${Page} />`, document.getElementById("page"));

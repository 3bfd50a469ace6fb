// Sign-up: people put themselves on the list with their phones, and see where they sit.

import { html, render, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { LanguageChoice } from "../device/language.js";
import { Button } from "../parts/components.js";
import { CALM, namesOf, Problem, RoundClock, send, startHall, useHall } from "./hall.js";
import { Standing } from "./standing.js";

const FEWEST = 2; // letters of a name that is looked for
const MOST = 10; // lines of the standing on a phone, beside one's own

function Page() {
  const [turn, setTurn] = useState(0);
  const seen = useHall(turn, CALM);
  if (!seen) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { evening, person } = seen;
  const again = () => setTurn(turn + 1);
  const own = evening.people.find((one) => one.number === person);
  return html`<div class="reading hall-join">
    <header class="reading-head"><h1>${evening.plan.title || t("desk.hall")}</h1><${RoundClock} seen=${seen} /></header>
    <main class="reading-main">
      ${
        own
          ? html`<${Own} evening=${evening} own=${own} onDone=${again} />`
          : html`<${SignUp} evening=${evening}
        onDone=${again} />`
      }
      <${Standing} evening=${evening} most=${MOST} brief=${true} opens=${true} own=${person} />
    </main>
    <footer class="reading-foot"><${LanguageChoice} /></footer>
  </div>`;
}

/** @param {{ evening: Hall.EveningShown; onDone: () => void }} props */
function SignUp({ evening, onDone }) {
  const [name, setName] = useState("");
  const [club, setClub] = useState("");
  const [problem, setProblem] = useState(null);
  const signUp = async () => {
    const answer = await send("/api/sign-up", { name, club });
    setProblem(answer.error ? answer : null);
    if (!answer.error) onDone();
  };
  const open = evening.plan.sign_up;
  return html`<section class="block hall-form"><h2>${t(open ? "desk.sign_up.title" : "desk.sign_up.find")}</h2>
    <label>${t("desk.sign_up.name")}<input class="field" maxlength="40" value=${name} autocomplete="name"
      onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label>
    <${Listed} evening=${evening} name=${name} />
    ${
      open
        ? html`<label>${t("desk.sign_up.club")}<input class="field" maxlength="40" value=${club}
      onInput=${(/** @type {any} */ event) => setClub(event.target.value)} /></label>
    <${Problem} problem=${problem} />
    <${Button} tone="primary" disabled=${!name.trim()} onTap=${signUp}>${t("desk.sign_up.go")}<//>`
        : html`<p>${t("desk.refused.closed_list")}</p>`
    }</section>`;
}

// Whoever the desk has put on the list finds their table by typing their name.
/** @param {{ evening: Hall.EveningShown; name: string }} props */
function Listed({ evening, name }) {
  const wanted = name.trim().toLocaleLowerCase();
  const round = evening.rounds.at(-1);
  const place = (/** @type {number} */ person) => {
    const seating = round?.tables.find((one) => one.people.includes(person));
    if (seating) return t("desk.table", { number: seating.table });
    return t(round?.byes.includes(person) ? "desk.round.bye" : "desk.sign_up.listed");
  };
  if (wanted.length < FEWEST) return null;
  const found = evening.people.filter((one) => one.here && one.name.toLocaleLowerCase().includes(wanted));
  return html`<ul class="hall-list" aria-live="polite">${found.slice(0, MOST).map(
    (one) =>
      html`<li key=${one.number}><span>${one.name} <small>${one.club}</small></span><strong>${place(one.number)}
          </strong></li>`,
  )}</ul>`;
}

/** @param {{ evening: Hall.EveningShown; own: Hall.PersonShown; onDone: () => void }} props */
function Own({ evening, own, onDone }) {
  const round = evening.rounds.at(-1);
  const seating = round?.tables.find((one) => one.people.includes(own.number));
  const name = namesOf(evening);
  const leave = async () => {
    await send("/api/leave", {});
    onDone();
  };
  if (!own.here) return html`<section class="block"><h2>${own.name}</h2><p>${t("desk.sign_up.gone")}</p></section>`;
  return html`<section class="block hall-own"><h2>${own.name}</h2>
    ${
      seating
        ? html`<p class="huge">${t("desk.table", { number: seating.table })}</p>
            <p>${seating.people.map(name).join(", ")}</p>`
        : html`<p>${t(waitsFor(evening, own.number))}</p>`
    }
    <${Button} tone="quiet" onTap=${leave}>${t("desk.sign_up.leave")}<//></section>`;
}

// Somebody without a table sits this round out, is not in it any more, or has yet to be drawn.
/**
 * @param {Hall.EveningShown} evening
 * @param {number} person
 */
function waitsFor(evening, person) {
  const within = (/** @type {Hall.DrawnRoundShown} */ { tables, byes }) =>
    byes.includes(person) || tables.some(({ people }) => people.includes(person));
  if (evening.rounds.at(-1)?.byes.includes(person)) return "desk.round.bye";
  return evening.rounds.some(within) ? "desk.sign_up.out" : "desk.sign_up.wait";
}

await startHall();
render(html`<${Page} />`, document.getElementById("page"));

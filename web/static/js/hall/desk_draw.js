// The draw: a preview with its seed, one tap to publish it, and the clock of the round.

import { html, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { Button } from "../parts/components.js";
import { NumberField, namesOf, PickTwo, send } from "./hall.js";

const FEW = 8; // tables that are named one by one

/** @param {Page.DeskProps} props */
export function Draw({ seen, act, setProblem }) {
  const [preview, setPreview] = useState(null);
  const [anyway, setAnyway] = useState(false);
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]));
  const { evening } = seen;
  const round = evening.rounds.at(-1);
  const draws = seen.role === "organiser"; // a helper has the clock and the prints here
  const draw = async (/** @type {boolean} */ again) => {
    const wish = { kind: "draw_round", seed: Math.floor(Math.random() * 1_000_000), again, anyway, chosen };
    const answer = await send("/api/preview", wish);
    setProblem(answer.error ? answer : null);
    setPreview(answer.error ? null : { ...answer, wish });
  };
  const publish = async () => {
    if (await act(preview.wish, preview.version)) {
      setPreview(null);
      setChosen([]);
      setAnyway(false);
    }
  };
  const changePlaces = (/** @type {number} */ one, /** @type {number} */ other) =>
    act({ kind: "change_places", one, other });
  if (evening.plan.format === "free") return html`<p>${t("desk.refused.free")}</p>`;
  return html`<section class="hall-draw">
    ${
      draws &&
      html`<div class="hall-row">
        <${Button} tone="primary" onTap=${() => draw(false)}>
          ${t("desk.draw.next", { number: evening.rounds.length + 1 })}<//>
        ${
          round &&
          evening.waiting.length === round.tables.length &&
          html`<${Button} onTap=${() => draw(true)}>
          ${t("desk.draw.again", { number: round.number })}<//>`
        }
        ${
          evening.waiting.length > 0 &&
          html`<label class="hall-check"><input type="checkbox" checked=${anyway}
            onChange=${(/** @type {any} */ event) => setAnyway(event.target.checked)} /> ${t("desk.draw.anyway", {
              tables: few(evening.waiting),
            })}</label>`
        }
      </div>
      <${Finalists} evening=${evening} chosen=${chosen} onChoose=${setChosen} />`
    }
    ${
      preview &&
      html`<div class="block hall-preview"><h2>${t("desk.draw.preview", { number: preview.round.number })}</h2>
        <${Round} evening=${evening} round=${preview.round} />
        <div class="hall-row"><${Button} tone="primary" onTap=${publish}>${t("desk.draw.publish")}<//>
          <${Button} onTap=${() => draw(preview.wish.again)}>${t("desk.draw.other")}<//>
          <${Button} tone="quiet" onTap=${() => setPreview(null)}>${t("desk.draw.drop")}<//></div></div>`
    }
    ${
      round &&
      html`<${Clock} seen=${seen} act=${act} /><h2>${t("desk.round.number", { number: round.number })}</h2>
      <div class="hall-row"><a class="button" href="/print/seats">${t("desk.print.seats")}</a>
        <a class="button" href="/print/sheets">${t("desk.print.sheets")}</a><a class="button" href="/api/seats.csv">
          ${t("desk.print.csv")}</a></div>
      <${Round} evening=${evening} round=${round} />
      ${
        draws &&
        html`<h3>${t("desk.places.title")}</h3>
        <${PickTwo} evening=${evening} title=${t("desk.places.title")} go=${t("desk.places.go")}
          onPick=${changePlaces} />`
      }`
    }
  </section>`;
}

/** @param {number[]} tables */
function few(tables) {
  return tables.length > FEW ? `${tables.slice(0, FEW).join(", ")} … (${tables.length})` : tables.join(", ");
}

// Most draws need no hand; a final, or a round for some, is chosen here, the best of the standing first.
/** @param {{ evening: Hall.EveningShown; chosen: number[]; onChoose: (chosen: number[]) => void }} props */
function Finalists({ evening, chosen, onChoose }) {
  const name = namesOf(evening);
  const here = new Set(evening.people.filter((one) => one.here).map((one) => one.number));
  const listed = evening.standing.filter((line) => here.has(line.person));
  const tap = (/** @type {number} */ person) =>
    onChoose(chosen.includes(person) ? chosen.filter((one) => one !== person) : [...chosen, person]);
  return html`<details class="block"><summary>${t("desk.draw.chosen", { count: chosen.length })}</summary>
    <p class="hint">${t("desk.draw.chosen_help")}</p>
    <ul class="hall-choose">${listed.map(
      (line) => html`<li key=${line.person}><label class="hall-check"><input type="checkbox"
        checked=${chosen.includes(line.person)}
        onChange=${() => tap(line.person)} /> ${line.rank}. ${name(line.person)} <small>${line.points}</small></label>
          </li>`,
    )}</ul></details>`;
}

/** @param {{ evening: Hall.EveningShown; round: Hall.DrawnRoundShown }} props */
function Round({ evening, round }) {
  const name = namesOf(evening);
  const left = new Set(evening.people.filter((one) => !one.here).map((one) => one.number));
  const missing = (/** @type {number} */ person, /** @type {Hall.SeatingShown} */ { points }) =>
    left.has(person) && points[person] === undefined;
  return html`<ul class="hall-round">${round.tables.map(
    (one) => html`<li key=${one.table} class=${one.done ? "done" : ""}><strong>${t("desk.table", { number: one.table })}
      </strong>
      ${one.people.map(
        (person) =>
          html`<span key=${person}>${missing(person, one) ? html`<del>${name(person)}</del>` : name(person)} ${
            one.done &&
            html`<b>${one.points[person]}
        </b>`
          }</span>`,
      )}</li>`,
  )}${
    round.byes.length > 0 &&
    html`<li><strong>${t("desk.round.bye")}</strong>${round.byes.map(
      (one) => html`<span
    key=${one}>${name(one)}</span>`,
    )}</li>`
  }</ul>
  <p class="hint">${t("desk.round.seed", { seed: round.seed })}</p>`;
}

/** @param {Pick<Page.DeskProps, "seen" | "act">} props */
function Clock({ seen, act }) {
  const { plan, clock } = seen.evening;
  const [minutes, setMinutes] = useState(/** @type {number | null} */ (plan.minutes || 30));
  const set = (/** @type {string} */ what, /** @type {number} */ time = 5) =>
    act({ kind: "set_clock", what, minutes: time });
  if (!clock)
    return html`<div class="hall-row"><${NumberField} title=${t("desk.clock.minutes")} least=${1} most=${600}
      value=${minutes} onSet=${setMinutes} /><${Button} disabled=${minutes === null}
        onTap=${() => minutes !== null && set("start", minutes)}>${t("desk.clock.start")}<//></div>`;
  return html`<div class="hall-row">
    <${Button} onTap=${() => set(clock.ends === null ? "resume" : "pause")}>
      ${t(clock.ends === null ? "desk.clock.resume" : "desk.clock.pause")}<//>
    <${Button} onTap=${() => set("more")}>${t("desk.clock.more", { minutes: 5 })}<//></div>`;
}

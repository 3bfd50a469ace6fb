// What all pages of the hall share: the evening as the hall tells it, and how something is asked of it.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { useStore } from "../core/store.js";
import { displayName, explained, has, t } from "../core/texts.js";
import { startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";
import { Button } from "../parts/components.js";

const PACE = 700; // milliseconds between two looks at the hall
export const CALM = 3000; // the same for phones, of which a hall may have hundreds

let ahead = 0; // how far the hall's time is ahead of this page's own, in milliseconds

export async function startHall() {
  startTheme();
  await startLanguage();
}

// The latest that an address tells; where nothing has changed, nothing is drawn.
/**
 * @param {string} address
 * @param {number} turn
 * @param {number} pace
 * @returns {any}
 */
export function useLatest(address, turn = 0, pace = PACE) {
  const [latest, setLatest] = useState(null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let wanted = true;
    let text = "";
    let tag = "";
    let shown = "";
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const look = async () => {
      try {
        const answer = await fetch(address, { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} });
        if (answer.status === 200) {
          text = await answer.text();
          tag = answer.headers.get("ETag") ?? "";
        }
        const visitor = visitorOf(answer);
        const mark = `${tag || text} ${JSON.stringify(visitor)}`;
        if (wanted && text && mark !== shown) {
          shown = mark;
          setLatest({ ...JSON.parse(text), ...visitor });
        }
        if (wanted) setLost(false);
      } catch {
        if (wanted) setLost(true);
      }
      if (wanted) timer = setTimeout(look, pace);
    };
    look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [address, turn, pace]);
  return latest && { ...latest, lost };
}

// Who the hall takes this page for; every answer also says what time it is there.
/** @param {Response} answer */
function visitorOf(answer) {
  const { now, ...visitor } = JSON.parse(answer.headers.get("Companion-Visitor") ?? "{}");
  if (now) ahead = now - performance.now();
  return visitor;
}

export function useHall(turn = 0, pace = PACE) {
  useStore();
  return /** @type {Page.HallSeen | null} */ (useLatest("/api/evening", turn, pace));
}

// Asks the hall for something, and tells what it answered.
/**
 * @param {string} address
 * @param {object} value
 * @returns {Promise<any>}
 */
export async function send(address, value) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    });
    return await answer.json();
  } catch {
    return { error: "no_answer", message: t("link.no_answer") };
  }
}

/** @param {Table.Problem | null} problem */
export function inWords(problem) {
  if (!problem) return "";
  const own = `desk.refused.${problem.error}`;
  return has(own) ? t(own, problem.parts) : explained(problem);
}

/** @param {{ problem: Table.Problem | null }} props */
export function Problem({ problem }) {
  return html`<p class="hall-problem" role="alert">${inWords(problem)}</p>`;
}

/** @param {Hall.EveningShown} evening */
export function namesOf(evening) {
  const names = new Map(evening.people.map((one) => [one.number, displayName(one.name)]));
  return (/** @type {number} */ person) => names.get(person) ?? t("common.player", { number: person });
}

// The time that is left in the round, in minutes and seconds.
/** @param {{ seen: Page.HallSeen }} props */
export function RoundClock({ seen }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const { clock, waiting } = seen.evening;
  if (!clock || waiting.length === 0) return null;
  const now = performance.now() + ahead;
  const left = Math.max(0, Math.round((clock.ends === null ? clock.left : clock.ends - now) / 1000));
  if (left === 0) return html`<p class="round-clock up">${t("desk.clock.up")}</p>`;
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return html`<p class="round-clock ${clock.ends === null ? "paused" : ""}"><output>${time}</output>
    ${clock.ends === null && html`<small>${t("desk.clock.paused")}</small>`}</p>`;
}

// A whole number between two others; null while something else stands there. An optional one may have no value.
/**
 * @param {{ title: string; value: number | null | undefined; least: number; most: number; optional?: boolean;
 *   onSet: (value: any) => void }} props
 */
export function NumberField({ title, value, least, most, optional = false, onSet }) {
  const type = (/** @type {any} */ { target: { validity, value: typed, valueAsNumber } }) =>
    onSet(!validity.valid ? null : typed === "" ? undefined : valueAsNumber);
  const [typed] = useState(value);
  return html`<label>${title}<input class="field" type="number" inputmode="numeric" required=${!optional}
    min=${least} max=${most} defaultValue=${typed} onInput=${type} /><small class="hall-range"
      role="status">${value === null && `${least} – ${most}`}</small></label>`;
}

// Two people of the list, and what becomes of them.
/**
 * @param {{ evening: Hall.EveningShown; title: string; go: string;
 *   onPick: (one: number, other: number) => Promise<unknown> }} props
 */
export function PickTwo({ evening, title, go, onPick }) {
  const [pair, setPair] = useState(["", ""]);
  const pick = (/** @type {number} */ at, /** @type {string} */ value) =>
    setPair(pair.map((one, place) => (place === at ? value : one)));
  const [one, other] = pair.map(Number);
  return html`<div class="hall-row">${[0, 1].map(
    (at) => html`<select class="field" key=${at} aria-label=${title} value=${pair[at]}
      onChange=${(/** @type {any} */ event) => pick(at, event.target.value)}>
      <option value=""></option>
      ${evening.people
        .filter((who) => who.here)
        .sort((first, second) => first.name.localeCompare(second.name))
        .map((who) => html`<option key=${who.number} value=${who.number}>${who.name}</option>`)}
    </select>`,
  )}<${Button} disabled=${!one || !other} onTap=${() => onPick(one, other)}>${go}<//></div>`;
}

// That the desk wrote a result, and why; one that no table had sent needs no reason.
/** @param {string} reason */
export function byDesk(reason) {
  return reason === "-" ? t("desk.result.at_desk") : t("desk.result.by_desk", { reason });
}

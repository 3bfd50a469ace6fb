// A verdict in letters for the whole room: whom it hits and what it costs, then why.

import { html } from "../../vendor/htm-preact.js";
import { sentenceText, t } from "../core/texts.js";
import { nameOf } from "../parts/components.js";

const CALLING = ["caught", "called", "too_late", "not_on_one", "guilty", "innocent"];

// Rulings that everybody wants to see; those of a race have a scene of their own.
/** @param {Table.Ruling} ruling */
export function isMoment({ outcome, overruled }) {
  return CALLING.includes(outcome) && !overruled;
}

/** @param {Page.AtTable & { ruling: Table.Ruling }} props */
export function Verdict({ table, ruling }) {
  return html`<main class="verdict-show ${ruling.draws.length ? "cost" : "safe"}">
    <${Headline} table=${table} ruling=${ruling} />
    <p class="verdict-why">${sentenceText(ruling.sentence)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
  </main>`;
}

/** @param {Page.AtTable & { ruling: Table.Ruling }} props */
export function Headline({ table, ruling }) {
  const lines = ruling.draws.length
    ? ruling.draws.map((draw) => withName("debts.draws", nameOf(table, draw.seat), { cards: draw.cards }))
    : [withName("show.safe", nameOf(table, ruling.seats[0] ?? null), {})];
  const words = lines.flatMap(({ before, name, after }) => `${before}${name}${after}`.split(/[\s-]+/));
  return html`<h1 class="verdict-line" data-lines=${lines.length}
    style=${{
      "--letters": Math.max(8, ...lines.map((line) => line.letters)),
      "--word": Math.max(...words.map((word) => [...word].length)),
    }}>
    ${lines.map(({ before, name, after }, at) => html`<span key=${at}>${before}<em>${name}</em>${after}</span>`)}
  </h1>`;
}

/**
 * @param {string} key
 * @param {string} name
 * @param {object} parts
 */
function withName(key, name, parts) {
  const { before, after } = inTwo(key, "name", parts);
  return { before, name, after, letters: [...before, ...name, ...after].length };
}

// What a sentence says before and after a name, which stands out wherever the language has it.
/**
 * @param {string} key
 * @param {string} place
 * @param {object} parts
 */
function inTwo(key, place, parts) {
  const [before, after = ""] = t(key, { ...parts, [place]: "\u0000" }).split("\u0000");
  return { before, after };
}

// A name as large as its box allows: it is never cut, and breaks only between its words.

import { html } from "../../vendor/htm-preact.js";

const LONG = 13; // letters that still go well on one line

/** @param {{ text: string; [more: string]: any }} props */
export function Fit({ text, class: more = "" }) {
  const lines = inLines(text);
  const letters = Math.max(4, ...lines.map((line) => [...line].length));
  return html`<span class="fit ${more}" style=${{ "--letters": letters, "--lines": lines.length }}>
    <span class="fit-text">
      ${lines.map((line, at) => html`<span class="fit-line" key=${at}>${line}</span>`)}
    </span>
  </span>`;
}

// A long name goes on two lines, parted where they come out most alike.
/** @param {string} text */
function inLines(text) {
  const words = text.split(/ |(?<=-)/);
  if ([...text].length <= LONG || words.length < 2) return [text];
  const splits = words.slice(1).map((_, at) => {
    const end = words.slice(0, at + 1).reduce((sum, word) => sum + word.length, 0);
    const place = end + (text.slice(0, end + at + 1).match(/ /g) ?? []).length;
    return [text.slice(0, place), text.slice(place)]; // a space stays, so that the name is read as it is written
  });
  return splits.reduce((best, split) => (widest(split) < widest(best) ? split : best));
}

/** @param {string[]} lines */
function widest(lines) {
  return Math.max(...lines.map((line) => line.length));
}
